import { useCallback, useEffect, useRef, useState } from 'react'
import { createScope, type Scope } from '@/lib/scope'
import { AppError } from './error'
import { onReconnect } from './onReconnect'

export interface Load<T> {
  /** The newest answer; kept while a reload runs and when a reload fails. */
  data?: T
  /** Why there is nothing newer. */
  error?: AppError
  loading: boolean
  /** Asks again; resolves when the answer, good or bad, is in. */
  reload(): Promise<void>
}

interface Slot<T> {
  key: string
  data?: T
  error?: AppError
  loading: boolean
}

/**
 * One thing a screen shows from the server. Asked again when `key` changes, and when the network is back after it failed
 * for want of one; given up when the screen goes. What is `here` already is drawn at once and not asked for.
 * Failures are the screen's to show: pass `{ quiet: true, scope }` to the call.
 */
export function useLoad<T>(key: string, ask: (scope: Scope) => Promise<T>, here?: () => T | undefined): Load<T> {
  const [slot, setSlot] = useState<Slot<T>>(() => {
    const data = here?.()
    return { key, data, loading: data === undefined }
  })
  const known = useRef(!slot.loading)
  const newest = useRef(ask)
  newest.current = ask
  const running = useRef<Scope | undefined>(undefined)

  const start = useCallback(async () => {
    running.current?.end()
    const scope = createScope()
    running.current = scope
    setSlot((old) => (old.key === key ? { ...old, loading: true } : { key, loading: true }))
    try {
      const data = await newest.current(scope)
      if (!scope.ended) setSlot({ key, data, loading: false })
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      if (!scope.ended) setSlot((old) => ({ key, data: old.data, error: e, loading: false }))
    }
  }, [key])

  useEffect(() => {
    if (!known.current) void start()
    known.current = false
    return () => running.current?.end()
  }, [start])

  const lost = slot.error?.kind === 'network'
  useEffect(() => {
    if (lost) return onReconnect(() => void start())
  }, [lost, start])

  const { data, error, loading } = slot.key === key ? slot : { data: undefined, error: undefined, loading: true }
  return { data, error, loading, reload: start }
}
