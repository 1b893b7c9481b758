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

/** What a share of a page says and where it leads, in the app's own paths. */
export interface Share {
  title: string
  path: string
  imageUrl?: string
}

export interface Meta {
  /** @param share what a menu of the host's own may share of it */
  set(meta: PageMeta, share: Share): void
  /** A path of the app as somebody outside can open it; a full address stays. */
  address(path: string): string
}
