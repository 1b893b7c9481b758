import { useDidHide, useDidShow } from '@tarojs/taro'
import { useCallback, useEffect, useState } from 'react'
import { useCall } from '@/api/useCall'

/** limits of polling; afterwards the user refreshes with the button 刷新 */
const POLL_INTERVAL_MS = 2000
const MAX_POLLS = 15

/** Payment result, polled until it is final. Polling starts again when the page is loaded again. */
export function usePayResult(orderId: string) {
  const load = useCall('pay', 'payResult', { orderId })
  const { data, error, loading, reload } = load
  const [polls, setPolls] = useState(0)
  const [visible, setVisible] = useState(true)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  const pending = data === undefined ? error !== undefined : data.status === 'PENDING'
  const slow = pending && polls >= MAX_POLLS

  useEffect(() => {
    if (!pending || slow || !visible || loading) return
    const timer = setTimeout(() => {
      setPolls((n) => n + 1)
      void reload()
    }, POLL_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [pending, slow, visible, loading, reload])

  const again = useCallback(() => {
    setPolls(0)
    void reload()
  }, [reload])
  return { status: data?.status, pending, slow, loading, error, again }
}
