import type { ReactNode } from 'react'

/**
 * How a page can be shared here. `host`: by the host's share button, with the data of `usePageMeta` · `system`: by the
 * phone's share sheet · `copy`: only by copying its address.
 */
export type ShareMethod = 'host' | 'system' | 'copy'

export interface Share {
  method(): ShareMethod
  /** The absolute URL of a page; undefined where pages have no URL. */
  link(path: string): string | undefined
  /** Only the host's menu can share, using the data of the page. */
  menu(): boolean
  /** Opens the phone's share sheet; call it in a tap handler. @returns false if it was cancelled or does not exist */
  open(data: { title: string; text: string; url: string }): Promise<boolean>
}

/** The host's share button, transparent over its container; renders nothing where the host has none. */
export type ShareControl = () => ReactNode
