/** Interface of the first screens that the built app renders for the server, without a browser (src/ssr). */
import type { Banner, GameItem, OpenPayStatus, Report, ReportCard } from './types'

/** Data of the home page's first screen; parts not available in time are rendered as loading. */
export interface HomeData {
  games?: GameItem[] | undefined
  banners?: Banner[] | undefined
  samples?: ReportCard[] | undefined
  status?: OpenPayStatus | undefined
}

/**
 * Reader of a report who is not its owner: a friend with the link, anybody for a featured report, or on a page that
 * embeds it.
 */
export type Reader = 'FRIEND' | 'FEATURED' | 'FRAME'

export interface ReportData {
  report: Report
  reader: Reader
  /** ms */
  now: number
  /** user id of the owner, whose browser hides this screen */
  owner?: string | undefined
}

/** First screens as HTML, each in its `#first`. */
export interface SsrRenderer {
  /** styles required before the app's own are loaded */
  style: string
  /** inline scripts, each of which the page's CSP must allow */
  scripts: readonly string[]
  home(data: HomeData): string
  report(data: ReportData): string
}

/**
 * A short hash by which a browser recognises the report's owner without revealing who that is: with 4093 values it
 * identifies nobody, and a friend is rarely mistaken for the owner. The function also runs inside the page, so it must
 * be self-contained.
 */
export function ownerHash(reportNo: string, userId: string): number {
  const text = reportNo + userId
  let mark = 0
  for (let i = 0; i < text.length; i++) mark = (mark * 31 + text.charCodeAt(i)) % 4093
  return mark
}
