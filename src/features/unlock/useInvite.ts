import { useCallback, useRef } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { usePolling } from '@/api/usePolling'
import type { AbortableSignal } from '@/lib/abortableSignal'
import { deviceClientId } from '@/session/client'

/** poll interval in ms while the invitation is open and the page is visible */
const POLL_INTERVAL_MS = 3000

/** The owner's invitation, created if there is none. */
export const requestInvite = (
  req: { orderId: string; restart?: boolean },
  options: { signal?: AbortableSignal } = {},
) => api.evaluation.unlockRecord({ ...req, client: deviceClientId() }, { quiet: true, ...options })

/** The owner's invitation, created by the first request and polled while the page is visible. */
export function useInvite(orderId: string) {
  const restart = useRef(false)
  const load = useLoad(`invite:${orderId}`, async (signal) => {
    const again = restart.current ? { restart: true } : {}
    restart.current = false
    return requestInvite({ orderId, ...again }, { signal })
  })
  const { data, reload } = load
  const visible = usePolling(load, data?.status === 'ONGOING', POLL_INTERVAL_MS)

  const again = useCallback(() => {
    restart.current = true
    void reload()
  }, [reload])
  return { load, visible, again }
}
