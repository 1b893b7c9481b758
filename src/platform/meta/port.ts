/** Title and preview data of the current page. */
export interface PageMeta {
  title: string
  description?: string
  /** Share title, if different from the page title (spec §1). */
  shareTitle?: string
  /** URL of the preview image. */
  image?: string
  /** URL opened by a share, with or without the origin. */
  url?: string
  /** Makes the share when the host's menu asks for it, because there is no URL yet. */
  makeShare?: (() => Promise<PageMeta>) | undefined
}

/** Text and target path of a share. */
export interface Share {
  title: string
  path: string
  imageUrl?: string
}

export interface Meta {
  /** @param share data for the host's own share menu */
  set(meta: PageMeta, share: Share): void
  /** Absolute URL of an app path; absolute URLs are unchanged. */
  address(path: string): string
}
