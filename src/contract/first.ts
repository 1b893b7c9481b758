/** What the built app draws for the server: its first screens, without a browser (src/first). */
import type { Banner, GameItem, OpenPayStatus, Report } from './types'

/** What the first screen of the home page shows; what could not be had in time is drawn as being waited for. */
export interface HomeData {
  games?: GameItem[] | undefined
  banners?: Banner[] | undefined
  status?: OpenPayStatus | undefined
}

/** Who reads a report that is not theirs: a friend by its link, anybody in the gallery or inside the page of another site. */
export type Reader = 'FRIEND' | 'GALLERY' | 'FRAME'

export interface ReportData {
  report: Report
  reader: Reader
  /** ms */
  now: number
  /** whose browser is to hide the screen */
  owner?: string | undefined
}

/** Screens as HTML, each in its `#first`. */
export interface FirstView {
  /** what the elements need before the app's own styles */
  style: string
  /** what runs inside; the page's policy names each */
  scripts: readonly string[]
  home(data: HomeData): string
  report(data: ReportData): string
}

/**
 * Lets the browser of a report's owner know that it is his, and nobody else whose it is: few enough marks that one tells
 * nobody who he is, and so many that a friend is hardly ever taken for him. It also runs inside the page, by itself.
 */
export function ownerMark(reportNo: string, userId: string): number {
  const text = reportNo + userId
  let mark = 0
  for (let i = 0; i < text.length; i++) mark = (mark * 31 + text.charCodeAt(i)) % 4093
  return mark
}
