import { useDidHide, useDidShow } from '@tarojs/taro'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError, api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { deviceClientId } from '@/session/client'

/** ms between two looks while friends may help and the page is on show */
const POLL_INTERVAL_MS = 3000

/** The owner's request for help, begun by looking at it, and looked at again while the page is on show. */
export function useInvite(orderId: string) {
  const restart = useRef(false)
  const load = useLoad(`invite:${orderId}`, async (scope) => {
    const again = restart.current ? { restart: true } : {}
    restart.current = false
    return api.evaluation.unlockRecord({ orderId, client: deviceClientId(), ...again }, { quiet: true, scope })
  })
  const { data, loading, reload } = load
  const [visible, setVisible] = useState(true)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  const running = data?.status === 'ONGOING'

  useEffect(() => {
    if (!running || !visible || loading) return
    const timer = setTimeout(() => void reload(), POLL_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [running, visible, loading, reload])

  const again = useCallback(() => {
    restart.current = true
    void reload()
  }, [reload])
  return { load, visible, again }
}

/** The sentence of what was refused; anything else is a mistake of ours. */
export function errorText(e: unknown): string {
  if (e instanceof ApiError) return e.msg
  throw e
}
