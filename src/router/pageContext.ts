import { createContext, useContext, useEffect } from 'react'
import { type AbortableSignal, createAbortableSignal } from '@/lib/abortableSignal'
import type { PageMeta } from '@/platform/meta/port'

interface PageContextValue {
  /** Ends when the page is unmounted. */
  readonly signal: AbortableSignal
  /** Own title and preview data of the page, once it knows them. */
  setMeta(meta: PageMeta | undefined): void
}

export const PageContext = createContext<PageContextValue>({
  signal: createAbortableSignal(),
  setMeta: () => undefined,
})

/** Signal of the page, for `api` calls: they are aborted silently when the page is left. */
export const usePageSignal = (): AbortableSignal => useContext(PageContext).signal

/** Title and share preview of this page once its data is known; undefined leaves the route table's title. */
export function usePageMeta(meta: PageMeta | undefined) {
  const { setMeta } = useContext(PageContext)
  const { title, shareTitle, description, image, url, makeShare } = meta ?? { title: undefined }
  useEffect(() => {
    setMeta(title === undefined ? undefined : { title, shareTitle, description, image, url, makeShare })
  }, [setMeta, title, shareTitle, description, image, url, makeShare])
}
