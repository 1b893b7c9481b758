import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { Order } from '@/contract/types'

/** ms between two looks at a running valuation */
const POLL = 2000

export type OrderStage = 'running' | 'ready' | 'insufficient' | 'failed'

/** Where an AI order stands for the page that waits for it. */
export function stageOf({ status, actions }: Pick<Order, 'status' | 'actions'>): OrderStage {
  if (actions.includes('VIEW')) return 'ready'
  if (status === 'INSUFFICIENT') return 'insufficient'
  return status === 'WAIT_AUTH' || status === 'PROCESSING' ? 'running' : 'failed'
}

/** An order, looked at again while it runs and the page is on show. */
export function useOrder(orderId: string) {
  const load = useLoad(`order:${orderId}`, (scope) => api.pay.getInfo({ orderId }, { quiet: true, scope }))
  const { data, loading, reload } = load
  const [visible, setVisible] = useState(true)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  const running = data !== undefined && stageOf(data) === 'running'

  useEffect(() => {
    if (!running || !visible || loading) return
    const timer = setTimeout(() => void reload(), POLL)
    return () => clearTimeout(timer)
  }, [running, visible, loading, reload])
  return { load, visible }
}
