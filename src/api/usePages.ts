import { stopPullDownRefresh, usePullDownRefresh, useReachBottom } from '@tarojs/taro'
import { useEffect, useRef, useState } from 'react'
import type { Page } from '@/contract/types'
import type { AbortableSignal } from '@/lib/abortableSignal'
import { ApiError } from './error'
import { onReconnect } from './onReconnect'
import { useLoad } from './useLoad'

/** Pages after the first, for one key. */
interface LaterPages<P> {
  key: string
  pages: P[]
  state: 'idle' | 'loading' | 'error'
}

interface Source<T, P extends Page<T>> {
  /** identifies the list */
  key: string
  /** call it with `{ quiet: true, signal }`: the list shows failures */
  fetchPage(pageNo: number, signal: AbortableSignal): Promise<P>
  idOf(item: T): string
  /** signal of the page */
  signal: AbortableSignal
}

/**
 * Paged list without duplicates: a new item shifts the last one of a page onto the next. Reaching the page's end loads more, pulling
 * down reloads. `list`: the properties of ui/List.
 */
export function usePages<T, P extends Page<T> = Page<T>>({ key, fetchPage, idOf, signal }: Source<T, P>) {
  const first = useLoad(key, (loadSignal) => fetchPage(1, loadSignal))
  const [kept, setLater] = useState<LaterPages<P>>({ key, pages: [], state: 'idle' })
  const later: LaterPages<P> = kept.key === key ? kept : { key, pages: [], state: 'idle' }
  const pages = first.data ? [first.data, ...later.pages] : []
  const items = new Map(pages.flatMap(({ list }) => list.map((item) => [idOf(item), item] as const)))
  const total = pages[pages.length - 1]?.total ?? 0
  const end = first.data !== undefined && pages.reduce((sum, page) => sum + page.list.length, 0) >= total

  const newest = useRef(later)
  newest.current = later
  /** number of refreshes and changes of the key; a page requested before one does not follow the pages after it */
  const refreshes = useRef(0)
  const running = useRef(0)
  useEffect(
    () => () => {
      refreshes.current++
      // the pages would follow a newer first page when this list is opened again
      setLater({ key, pages: [], state: 'idle' })
    },
    [key],
  )

  async function loadNext() {
    const asked = refreshes.current
    const change = (next: (now: LaterPages<P>) => LaterPages<P>) =>
      setLater((now) => (refreshes.current === asked ? next(now) : now))
    try {
      const page = await fetchPage(newest.current.pages.length + 2, signal)
      change((now) => ({ key, pages: [...now.pages, page], state: 'idle' }))
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      change((now) => ({ ...now, state: 'error' }))
    }
  }

  async function loadMore() {
    if (!first.data || end || newest.current.state === 'loading') return
    newest.current = { ...later, state: 'loading' }
    setLater(newest.current)
    await loadNext()
  }

  const more = end ? ('end' as const) : later.state
  const again = useRef(loadMore)
  again.current = loadMore
  useEffect(() => {
    if (more === 'error') return onReconnect(() => void again.current())
  }, [more])

  /** Reloads all pages. A next page that is loading is requested again afterwards. */
  async function refresh(which: (page: P) => boolean = () => true) {
    const number = ++refreshes.current
    const { pages, state } = newest.current
    running.current++
    const refetched = pages.map((page, i) => (which(page) ? fetchPage(i + 2, signal).catch(() => page) : page))
    const [, fresh] = await Promise.all([first.reload(), Promise.all(refetched)])
    running.current--
    // a later refresh may have been answered already
    if (refreshes.current !== number) return
    // a page may have been added meanwhile
    setLater((now) => ({ ...now, pages: [...fresh, ...now.pages.slice(fresh.length)] }))
    if (state === 'loading') await loadNext()
  }

  /**
   * Reloads the first page and those later pages that match `which`, unless something is loading: that would be dropped,
   * and never arrive if it takes longer than the interval of the polls.
   */
  async function poll(which: (page: P) => boolean) {
    if (running.current === 0 && newest.current.state !== 'loading') await refresh(which)
  }

  const onMore = () => void loadMore()
  useReachBottom(onMore)
  usePullDownRefresh(() => void refresh().finally(() => stopPullDownRefresh()))
  return {
    list: { load: { ...first, data: first.data && [...items.values()] }, keyOf: idOf, more, onMore },
    pages,
    refresh: () => refresh(),
    poll,
  }
}
