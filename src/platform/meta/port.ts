/** Title and preview data of the page on show. */
export interface PageMeta {
  title: string
  description?: string
  /** Absolute address of the preview picture. */
  image?: string
  /** Absolute address the preview leads to. */
  url?: string
}

export interface Meta {
  set(meta: PageMeta): void
}
