/** Scale of the band in the form's bar. Logarithmic, because prices of accounts span several orders of magnitude. */

import { estimate } from '@/contract/format'

export interface RangeScale {
  lowFen: number
  highFen: number
}

/** smallest visible width of the band, in per cent of the line */
const MIN_WIDTH = 6

/** The scale once `range` has been shown on it: it only ever grows, so that a narrower range looks narrower. */
export const unionOfScales = (scale: RangeScale | undefined, range: RangeScale): RangeScale => ({
  lowFen: Math.min(scale?.lowFen ?? range.lowFen, range.lowFen),
  highFen: Math.max(scale?.highFen ?? range.highFen, range.highFen),
})

/** Space left and right of the band in per cent of the line; all of the line without a range. */
export function placeOf(range: RangeScale | undefined, scale: RangeScale | undefined): { left: number; right: number } {
  if (!range || !scale || scale.highFen <= scale.lowFen) return { left: 0, right: 0 }
  const log = (fen: number) => Math.log(Math.max(1, fen))
  const span = log(scale.highFen) - log(scale.lowFen)
  const share = (from: number, to: number) => ((log(to) - log(from)) / span) * 100
  const left = share(scale.lowFen, range.lowFen)
  const right = share(range.highFen, scale.highFen)
  const missing = Math.max(0, MIN_WIDTH - (100 - left - right))
  const taken = left + right
  if (missing === 0 || taken === 0) return { left: round(left), right: round(right) }
  return { left: round(left - (missing * left) / taken), right: round(right - (missing * right) / taken) }
}

const round = (value: number) => Math.round(Math.max(0, value) * 10) / 10

/** Amounts from here on are shown in 万, which two significant figures always fit. */
const TEN_THOUSAND_YUAN = 1_000_000

const rough = (fen: number) =>
  fen >= TEN_THOUSAND_YUAN ? `¥${Math.round(fen / (TEN_THOUSAND_YUAN / 10)) / 10}万` : estimate(fen)

/** `¥1,600–2,200`, `¥9,800–1.2万`: short enough for half of the bar. */
export const roundedRangeText = ({ lowFen, highFen }: RangeScale): string =>
  `${rough(lowFen)}–${rough(highFen).slice(1)}`
