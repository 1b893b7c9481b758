import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import { AppError, api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { orderTabText } from '@/contract/labels'
import type { Order, Page } from '@/contract/types'
import { usePageScope } from '@/router/pageContext'

export type OrderTab = keyof typeof orderTabText

/** ms: running orders are looked at again while the page is on show (product 3, page 26) */
const REFRESH = 5000
const RUNNING: readonly Order['status'][] = [
  'WAIT_AUTH',
  'PROCESSING',
  'UNPAID',
  'PAID',
  'ASSIGNED',
  'WAIT_INFO',
  'REVALUING',
  'REFUNDING',
]

const runs = ({ list }: Page<Order>) => list.some(({ status }) => RUNNING.includes(status))

/** Each order once: a new one above pushes the last of a page onto the next. */
function together(pages: readonly Page<Order>[]): Order[] {
  const seen = new Map<string, Order>()
  for (const { list } of pages) for (const order of list) if (!seen.has(order.orderId)) seen.set(order.orderId, order)
  return [...seen.values()]
}

/** Pages after the first; they belong to one tab and filter. */
interface Rest {
  key: string
  pages: Page<Order>[]
  state: 'idle' | 'loading' | 'error'
}

/** The user's orders of a tab and game, page by page. */
export function useOrders(tab: OrderTab, gameId: string | undefined) {
  const scope = usePageScope()
  const key = `orders:${tab}:${gameId ?? ''}`
  const first = useLoad(key, (life) => api.evaluation.orderList({ tab, gameId }, { quiet: true, scope: life }))
  const [kept, setRest] = useState<Rest>({ key, pages: [], state: 'idle' })
  const rest: Rest = kept.key === key ? kept : { key, pages: [], state: 'idle' }
  const pages = first.data ? [first.data, ...rest.pages] : []
  const list = first.data && together(pages)
  const total = pages[pages.length - 1]?.total ?? 0
  const end = first.data !== undefined && pages.reduce((sum, page) => sum + page.list.length, 0) >= total

  const ask = (pageNo: number) => api.evaluation.orderList({ tab, gameId, pageNo }, { quiet: true, scope })

  async function loadMore() {
    if (!first.data || end || rest.state === 'loading') return
    setRest({ ...rest, state: 'loading' })
    try {
      const next = await ask(pages.length + 1)
      setRest({ key, pages: [...rest.pages, next], state: 'idle' })
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      setRest({ ...rest, state: 'error' })
    }
  }

  /** Asks again for what may have moved; a failure leaves what is on show, the next round asks again. */
  async function refresh() {
    const later = rest.pages.map((page, i) => (runs(page) ? ask(i + 2).catch(() => page) : page))
    const [, fresh] = await Promise.all([first.reload(), Promise.all(later)])
    setRest((now) => (now.key === key && now.pages.length === fresh.length ? { ...now, pages: fresh } : now))
  }

  useRefresh(pages.some(runs), refresh)
  const more = end ? ('end' as const) : rest.state
  return { load: { ...first, data: list }, more, loadMore, refresh }
}

/** Every 5 s while something runs and the page is on show; at once when the page comes back. */
function useRefresh(running: boolean, refresh: () => Promise<void>) {
  const [visible, setVisible] = useState(true)
  const newest = useRef(refresh)
  newest.current = refresh
  const hidden = useRef(false)
  useDidShow(() => {
    setVisible(true)
    if (hidden.current) void newest.current()
    hidden.current = false
  })
  useDidHide(() => {
    setVisible(false)
    hidden.current = true
  })
  useEffect(() => {
    if (!running || !visible) return
    const timer = setInterval(() => void newest.current(), REFRESH)
    return () => clearInterval(timer)
  }, [running, visible])
}
