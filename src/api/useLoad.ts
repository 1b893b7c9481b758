import { useCallback, useEffect, useRef, useState } from 'react'
import { type AbortableSignal, createAbortableSignal } from '@/lib/abortableSignal'
import { ApiError } from './error'
import { onReconnect } from './onReconnect'

export interface Load<T> {
  /** The latest response; kept while a reload runs or if it fails. */
  data?: T
  /** Error of the latest load. */
  error?: ApiError
  loading: boolean
  /** Loads again; resolves when that has succeeded or failed. */
  reload(): Promise<void>
}

interface Slot<T> {
  key: string
  data?: T
  error?: ApiError
  loading: boolean
}

/**
 * Loads data for a screen. Reloads when `key` changes, and when the network is back after a
 * network failure; aborts on unmount. Data that `initialData` returns is rendered immediately and not requested.
 * The screen shows failures: pass `{ quiet: true, signal }` to the call.
 */
export function useLoad<T>(
  key: string,
  load: (signal: AbortableSignal) => Promise<T>,
  initialData?: () => T | undefined,
): Load<T> {
  const [slot, setSlot] = useState<Slot<T>>(() => {
    const data = initialData?.()
    return { key, data, loading: data === undefined }
  })
  const isFilled = useRef(!slot.loading)
  const newest = useRef(load)
  newest.current = load
  const running = useRef<AbortableSignal | undefined>(undefined)

  const start = useCallback(async () => {
    running.current?.abort()
    const signal = createAbortableSignal()
    running.current = signal
    setSlot((old) => (old.key === key ? { ...old, loading: true } : { key, loading: true }))
    try {
      const data = await newest.current(signal)
      if (!signal.aborted) setSlot({ key, data, loading: false })
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (!signal.aborted) setSlot((old) => ({ key, data: old.data, error: e, loading: false }))
    }
  }, [key])

  useEffect(() => {
    if (!isFilled.current) void start()
    isFilled.current = false
    return () => running.current?.abort()
  }, [start])

  const lost = slot.error?.kind === 'network'
  useEffect(() => {
    if (lost) return onReconnect(() => void start())
  }, [lost, start])

  const { data, error, loading } = slot.key === key ? slot : { data: undefined, error: undefined, loading: true }
  return { data, error, loading, reload: start }
}
