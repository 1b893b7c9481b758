import { useRef } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { usePolling } from '@/api/usePolling'
import { deviceClientId } from '@/session/client'

/** poll interval in ms while the invitation is open and the page is visible */
const POLL_INTERVAL_MS = 3000

/** The owner's invitation, created by the first request and polled while the page is visible. */
export function useInvite(orderId: string) {
  const restart = useRef(false)
  const load = useLoad(`invite:${orderId}`, (signal) => {
    const req = { orderId, client: deviceClientId(), ...(restart.current && { restart: true }) }
    restart.current = false
    return api.evaluation.unlockRecord(req, { quiet: true, signal })
  })
  const { data, reload } = load
  const visible = usePolling(load, data?.status === 'ONGOING', POLL_INTERVAL_MS)
  const again = () => {
    restart.current = true
    void reload()
  }
  return { load, visible, again }
}
