import { useEffect, useRef } from 'react'
import { api } from '@/api'
import { usePages } from '@/api/usePages'
import type { orderTabText } from '@/contract/orderStatus'
import type { Order, Page } from '@/contract/types'
import { usePageVisible } from '@/lib/usePageVisible'
import { usePageSignal } from '@/router/pageContext'
import { useDidReturn } from '@/router/useDidReturn'
import { RUNNING } from './orderButtons'

export type OrderTab = keyof typeof orderTabText

/** ms: interval at which running orders are refreshed while the page is visible */
const REFRESH_INTERVAL_MS = 5000
const MOVING: readonly Order['status'][] = [...RUNNING, 'UNPAID', 'REFUNDING']

const isRunning = ({ list }: Page<Order>) => list.some(({ status }) => MOVING.includes(status))

/** The user's orders of a tab and game, page by page. */
export function useOrders(tab: OrderTab, gameId: string | undefined) {
  const { list, pages, refresh, poll } = usePages<Order>({
    key: `orders:${tab}:${gameId ?? ''}`,
    fetchPage: (pageNo, signal) =>
      api.evaluation.orderList({ tab, gameId, ...(pageNo > 1 && { pageNo }) }, { quiet: true, signal }),
    idOf: ({ orderId }) => orderId,
    signal: usePageSignal(),
  })
  useDidReturn(() => void refresh())
  usePoll(pages.some(isRunning), () => poll(isRunning))
  return { list, refresh }
}

/** Polls every 5 s while an order is in progress and the page is visible. */
function usePoll(running: boolean, poll: () => Promise<void>) {
  const visible = usePageVisible()
  const newest = useRef(poll)
  newest.current = poll
  useEffect(() => {
    if (!running || !visible) return
    const timer = setInterval(() => void newest.current(), REFRESH_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [running, visible])
}
