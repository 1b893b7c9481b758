import { useCallback, useState } from 'react'
import { useCall } from '@/api/useCall'
import { usePolling } from '@/api/usePolling'

/** limits of polling; afterwards the user refreshes with the button 刷新 */
const POLL_INTERVAL_MS = 2000
const MAX_POLLS = 15

/** Payment result, polled until it is final. Polling starts again when the page is loaded again. */
export function usePayResult(orderId: string) {
  const load = useCall('pay', 'payResult', { orderId })
  const { data, error, loading, reload } = load
  const [polls, setPolls] = useState(0)
  const pending = data === undefined ? error !== undefined : data.status === 'PENDING'
  const slow = pending && polls >= MAX_POLLS
  const poll = useCallback(() => {
    setPolls((n) => n + 1)
    return reload()
  }, [reload])
  usePolling({ loading, reload: poll }, pending && !slow, POLL_INTERVAL_MS)

  const again = useCallback(() => {
    setPolls(0)
    void reload()
  }, [reload])
  return { status: data?.status, pending, slow, loading, error, again }
}
