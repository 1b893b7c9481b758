import { createContext, useContext, useEffect } from 'react'
import { createScope, type Scope } from '@/lib/scope'
import type { PageMeta } from '@/platform/meta/port'

interface PageLife {
  /** Ends when the page is unmounted. */
  readonly scope: Scope
  /** Own title and preview data of the page, once it knows them. */
  setMeta(meta: PageMeta | undefined): void
}

export const PageContext = createContext<PageLife>({ scope: createScope(), setMeta: () => undefined })

/** Scope of the page, for `api` calls: they are aborted silently when the page is left. */
export const usePageScope = (): Scope => useContext(PageContext).scope

/** Title and share preview of this page once its data is known; undefined leaves the route table's title. */
export function usePageMeta(meta: PageMeta | undefined) {
  const { setMeta } = useContext(PageContext)
  const { title, shareTitle, description, image, url } = meta ?? { title: undefined }
  useEffect(() => {
    setMeta(title === undefined ? undefined : { title, shareTitle, description, image, url })
  }, [setMeta, title, shareTitle, description, image, url])
}
