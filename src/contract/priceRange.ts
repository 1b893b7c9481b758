import { estimate, estimateRange, tenthsText } from './format'

export interface PriceRange {
  predictFen: number
  lowFen: number
  highFen: number
  quickFen?: number | undefined
  listFen?: number | undefined
  /** share of outcomes within the range, 0–1; absent where it is not measured */
  coverage?: number
}

export interface ComparableDot {
  priceFen: number
  kind: 'SOLD' | 'ASKING'
}

interface Adjusted {
  adjFen: number
  kind: ComparableDot['kind']
}

/** A sale for more than twice or less than half of the account's value after adjustment for all differences: 异常成交. */
export const isOutlier = ({ adjFen }: Pick<Adjusted, 'adjFen'>, predictFen: number): boolean =>
  adjFen > 2 * predictFen || 2 * adjFen < predictFen

/** How many times the lower end of a range the upper one may be before no single price is shown. */
const WIDEST = 3

/** Whether a range is too wide for a single price to be believed. */
export const isWide = ({ lowFen, highFen }: Pick<PriceRange, 'lowFen' | 'highFen'>): boolean =>
  highFen > WIDEST * lowFen

/** A single band always covers the same part of the line, so that two graphics can be compared by ticks and dots. */
export const RANGE_START = 20
export const RANGE_END = 80
/** margin at the ends of the line, in per cent */
const EDGE = 1.5

export type Scale = Pick<PriceRange, 'lowFen' | 'highFen'>

/** Common scale of several accounts: from the lowest end of their ranges to the highest. */
export const scaleOf = (prices: readonly Scale[]): Scale => ({
  lowFen: Math.min(...prices.map(({ lowFen }) => lowFen)),
  highFen: Math.max(...prices.map(({ highFen }) => highFen)),
})

/** Position on the line in per cent of its width, below 0 or above 100 for values far outside the range. */
function unclampedPosition(fen: number, { lowFen, highFen }: Scale): number {
  return RANGE_START + ((fen - lowFen) / Math.max(highFen - lowFen, 1)) * (RANGE_END - RANGE_START)
}

/**
 * Dots of comparables on the line, by the price adjusted to this account's facts. Those beyond its ends are left out,
 * because a dot there would show a wrong price; so are outliers, which have hardly any weight in the price.
 */
export const dotsOf = (comparables: readonly Adjusted[], price: PriceRange): ComparableDot[] =>
  comparables
    .filter((comparable) => !isOutlier(comparable, price.predictFen))
    .filter(({ adjFen }) => Math.abs(unclampedPosition(adjFen, price) - 50) <= 50 - EDGE)
    .map(({ adjFen: priceFen, kind }) => ({ priceFen, kind }))

/** Position on the line in per cent of its width; values far outside the range are clamped to its ends. */
export function positionOn(fen: number, scale: Scale): number {
  const position = unclampedPosition(fen, scale)
  return Math.min(100 - EDGE, Math.max(EDGE, Math.round(position * 10) / 10))
}

/** Position in per cent on the line of a common scale, whose ends are the line's. */
export const positionOnScale = (fen: number, { lowFen, highFen }: Scale): number =>
  Math.round((1000 * (fen - lowFen)) / Math.max(highFen - lowFen, 1)) / 10

/** Moves overlapping dots to the next row; three rows are enough to count them. */
export function stackDots(
  dots: readonly ComparableDot[],
  price: PriceRange,
): { place: number; row: number; kind: ComparableDot['kind'] }[] {
  const last = [-99, -99, -99]
  return dots
    .map(({ priceFen, kind }) => ({ place: positionOn(priceFen, price), kind }))
    .sort((a, b) => a.place - b.place)
    .map((dot) => {
      const free = last.findIndex((position) => dot.place - position >= 3.2)
      const row = free < 0 ? last.indexOf(Math.min(...last)) : free
      last[row] = dot.place
      return { ...dot, row }
    })
}

/** The graphic as text, also for screen readers. */
export function priceRangeText(price: PriceRange, dots: readonly ComparableDot[] = []): string {
  const { predictFen, lowFen, highFen, quickFen, listFen, coverage } = price
  const sold = dots.filter((d) => d.kind === 'SOLD').length
  const range = estimateRange(lowFen, highFen)
  const parts = [
    `参考成交价 ${estimate(predictFen)}`,
    coverage === undefined ? `区间 ${range}` : `${tenthsText(coverage)}成交在 ${range} 之间`,
  ]
  if (quickFen !== undefined) parts.push(`快速出手价 ${estimate(quickFen)}`)
  if (listFen !== undefined) parts.push(`建议挂牌价 ${estimate(listFen)}`)
  if (dots.length > 0) parts.push(`可比记录（折算到该账号）：已成交 ${sold} 个，挂牌 ${dots.length - sold} 个`)
  return `${parts.join('；')}。`
}
