import type { ReactNode } from 'react'

/**
 * How a page is given to others here. `host`: by a button of the host, which shares the page as `usePageMeta` says ·
 * `system`: by the phone's own sheet · `copy`: only its address can be given.
 */
export type ShareWay = 'host' | 'system' | 'copy'

export interface Share {
  way(): ShareWay
  /** The full address of a page for others; undefined where pages have none. */
  link(path: string): string | undefined
  /** The host's own menu shares what the page says, and nothing else of ours can. */
  menu(): boolean
  /** Opens the phone's own sheet, inside a tap. False when it was closed or is not there. */
  open(data: { title: string; text: string; url: string }): Promise<boolean>
}

/** The host's share button, invisible over whatever it stands in; nothing where the host has none. */
export type ShareControl = () => ReactNode
