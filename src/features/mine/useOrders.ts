import { useDidHide, useDidShow } from '@tarojs/taro'
import { useEffect, useState } from 'react'
import { AppError, api } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { orderTabText } from '@/contract/labels'
import type { Order, Page } from '@/contract/types'
import { usePageScope } from '@/router/pageContext'

export type OrderTab = keyof typeof orderTabText

/** ms: running orders are looked at again while the page is on show (product 3, page 26) */
const REFRESH = 5000
const RUNNING: readonly Order['status'][] = ['WAIT_AUTH', 'PROCESSING', 'PAID', 'ASSIGNED', 'REVALUING']

interface Rest {
  /** the first page it follows; another first page starts anew */
  after: Page<Order>
  list: Order[]
  pageNo: number
  state: 'idle' | 'loading' | 'error'
}

/** The user's orders of a tab, page by page. */
export function useOrders(tab: OrderTab) {
  const scope = usePageScope()
  const first = useLoad(`orders:${tab}`, (life) => api.evaluation.orderList({ tab }, { quiet: true, scope: life }))
  const [kept, setRest] = useState<Rest>()
  const rest = kept && kept.after === first.data ? kept : undefined
  const list = first.data && [...first.data.list, ...(rest?.list ?? [])]
  const end = first.data !== undefined && (list?.length ?? 0) >= first.data.total
  useRefresh(first, rest === undefined && (list?.some(({ status }) => RUNNING.includes(status)) ?? false))

  async function loadMore() {
    if (!first.data || end || rest?.state === 'loading') return
    const { pageNo, list: before } = rest ?? { pageNo: first.data.pageNo, list: [] }
    const base = { after: first.data, list: before, pageNo }
    setRest({ ...base, state: 'loading' })
    try {
      const next = await api.evaluation.orderList({ tab, pageNo: pageNo + 1 }, { quiet: true, scope })
      setRest({ ...base, list: [...before, ...next.list], pageNo: pageNo + 1, state: 'idle' })
    } catch (e) {
      if (!(e instanceof AppError)) throw e
      setRest({ ...base, state: 'error' })
    }
  }

  const more = end ? ('end' as const) : (rest?.state ?? 'idle')
  return { load: { ...first, data: list }, more, loadMore }
}

function useRefresh({ loading, reload }: { loading: boolean; reload(): Promise<void> }, running: boolean) {
  const [visible, setVisible] = useState(true)
  useDidShow(() => setVisible(true))
  useDidHide(() => setVisible(false))
  useEffect(() => {
    if (!running || !visible || loading) return
    const timer = setTimeout(() => void reload(), REFRESH)
    return () => clearTimeout(timer)
  }, [running, visible, loading, reload])
}
