/** Title and preview data of the page on show. */
export interface PageMeta {
  title: string
  description?: string
  /** What a share of the page says, where that is not its title (spec §1). */
  shareTitle?: string
  /** Address of the preview picture. */
  image?: string
  /** Address a share leads to, with or without the origin. */
  url?: string
}

export interface Meta {
  set(meta: PageMeta): void
  /** A path of the app as somebody outside can open it. */
  address(path: string): string
}
