import type { Mode } from '@/contract/form/types'
import { count, estimateGap, percent } from '@/contract/format'
import type { GameItem, HomeCounts, OpenPayStatus, Order, ReportCard } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { copy } from './copy'

/** URL of the tab with all games, which needs no login. */
export const gamesUrl = (mode: Mode) => buildUrl('evaluation', { mode })

/** Text of the manual service's entry: its price where payments are enabled, and whether it is open. */
export function manualEntry(status: OpenPayStatus | undefined): string {
  if (status?.manual === false) return copy.soon
  const from = status?.manualFromFen
  return from === undefined ? copy.manualNoPrice : copy.manualFrom(from)
}

/**
 * Position on the line of a sample in per cent: the range always covers the middle 60. The rule of contract/priceRange, without
 * the rest of that module, which home does not need.
 */
export function rangePosition(fen: number, { lowFen, highFen }: Pick<ReportCard, 'lowFen' | 'highFen'>): number {
  return Math.min(98, Math.max(2, 20 + (60 * (fen - lowFen)) / Math.max(highFen - lowFen, 1)))
}

export interface Statistic {
  label: string
  value: string
}

/** smaller counts of users or reports are not shown */
const MIN_SHOWN_COUNT = 100
const isShown = (n: number | undefined): n is number => n !== undefined && n >= MIN_SHOWN_COUNT

/** Figures to show; unknown or small ones are left out. */
export function statistics(counts: HomeCounts | undefined): Statistic[] {
  const { reports, users, games } = counts ?? {}
  const figures = [
    ...(isShown(reports) ? [{ label: copy.countReports, value: count(reports) }] : []),
    ...(isShown(users) ? [{ label: copy.countUsers, value: count(users) }] : []),
    ...(games ? [{ label: copy.countGames, value: count(games) }] : []),
  ]
  // a single figure is not worth a row
  return figures.length > 1 ? figures : []
}

/**
 * The largest median error of the most popular games as one sentence: from real sales if there are any, otherwise
 * labelled as synthetic. undefined: none has been measured.
 */
export function accuracyText(games: readonly GameItem[] = []): string | undefined {
  const measured = games.flatMap(({ accuracy, synthetic }) => (accuracy === undefined ? [] : [{ accuracy, synthetic }]))
  const real = measured.filter(({ synthetic }) => !synthetic)
  const errors = (real.length > 0 ? real : measured).map(({ accuracy }) => accuracy)
  if (errors.length === 0) return undefined
  const text = copy.accuracy(percent(Math.max(...errors)))
  return real.length > 0 ? text : text + copy.accuracySynthetic
}

/** How the price of an account moved since the report before: `较上次涨 ¥120`; undefined for its first report. */
export function movedText({ predictFen, beforeFen }: Pick<Order, 'predictFen' | 'beforeFen'>): string | undefined {
  if (predictFen === undefined || beforeFen === undefined) return undefined
  const gap = estimateGap(predictFen, beforeFen)
  return gap === estimateGap(0, 0) ? copy.unmoved : copy.moved(gap, predictFen > beforeFen)
}
