import { useDidHide, useDidShow } from '@tarojs/taro'
import { useCallback, useEffect, useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'

/** ms and tries (product 3, page 9): then the person asks, with 刷新 */
const POLL = 2000
const TRIES = 15

/** What the server knows of the payment, asked until it is sure. Begins anew when the page is loaded anew. */
export function usePaid(orderId: string) {
  const load = useLoad(`paid:${orderId}`, (scope) => api.pay.payResult({ orderId }, { quiet: true, scope }))
  const { data, error, loading, reload } = load
  const [tries, setTries] = useState(0)
  const [visible, setVisible] = useState(true)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  const pending = data === undefined ? error !== undefined : data.status === 'PENDING'
  const slow = pending && tries >= TRIES

  useEffect(() => {
    if (!pending || slow || !visible || loading) return
    const timer = setTimeout(() => {
      setTries((n) => n + 1)
      void reload()
    }, POLL)
    return () => clearTimeout(timer)
  }, [pending, slow, visible, loading, reload])

  const again = useCallback(() => {
    setTries(0)
    void reload()
  }, [reload])
  return { status: data?.status, pending, slow, loading, error, again }
}
