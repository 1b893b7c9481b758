import { estimateGap, percent } from '@/contract/format'
import type { GameItem, OpenPayStatus, Order, ReportCard } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { copy } from './copy'

/** URL of the quick estimate, which needs no login. */
export const quickUrl = (gameId?: string) => buildUrl('evaluation', gameId === undefined ? {} : { gameId })

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

/** smaller counts of reports are not shown */
export const MIN_SHOWN_COUNT = 100

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
  return real.length > 0 ? text : `${text} · ${copy.synthetic}`
}

/** How the price of an account moved since the report before: `较上次涨 ¥120`; undefined for its first report. */
export function movedText({ predictFen, beforeFen }: Pick<Order, 'predictFen' | 'beforeFen'>): string | undefined {
  if (predictFen === undefined || beforeFen === undefined) return undefined
  const gap = estimateGap(predictFen, beforeFen)
  return gap === estimateGap(0, 0) ? copy.unmoved : copy.moved(gap, predictFen > beforeFen)
}
