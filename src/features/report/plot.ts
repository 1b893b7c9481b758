import { isOutlier } from '@/contract/priceRange'
import type { Report } from '@/contract/types'

type Comparable = NonNullable<Report['comparables']>[number]

/** A comparable's place in per cent of the plot: closeness from the left, price from the bottom. */
export interface PlotDot {
  id: string
  kind: Comparable['kind']
  x: number
  y: number
  /** its price is beyond the plot's: it is drawn at the edge, and its price is written there */
  stray?: 'lower' | 'higher' | undefined
}

export interface Plot {
  dots: PlotDot[]
  /** prices of the plot's lower and upper margin, fen */
  scale: { low: number; high: number }
  /** the report's range and price, in per cent from the bottom */
  range: { low: number; high: number; predict: number }
}

/** distance of dots from the plot's edges, in per cent */
const MARGIN = 6
const ACROSS: Record<Comparable['closeness'], number> = { REFERENCE: 20, CLOSE: 50, NEAR: 80 }
/** comparables this close to an end of the range, as a share of its width, are drawn at it: the scale then keeps the range's amounts */
const AT_THE_END = 0.02
const rounded = (value: number) => Math.round(value * 10) / 10
const within = (value: number) => rounded(Math.min(100 - MARGIN, Math.max(MARGIN, value)))

/**
 * Closeness × adjusted price. The vertical scale covers the report's range and all comparables but outliers, so that a single
 * one, which is drawn at the edge, does not compress the others.
 */
export function plotOf(comparables: readonly Comparable[], price: Report['price']): Plot {
  const usual = comparables.filter((one) => !isOutlier(one, price.predictFen))
  const prices = usual.map(({ adjFen }) => adjFen)
  const reach = AT_THE_END * (price.highFen - price.lowFen)
  const [least, most] = [Math.min(price.lowFen, ...prices), Math.max(price.highFen, ...prices)]
  const low = least < price.lowFen - reach ? least : price.lowFen
  const high = most > price.highFen + reach ? most : price.highFen
  const up = (fen: number) => MARGIN + ((100 - 2 * MARGIN) * (fen - low)) / Math.max(1, high - low)
  return {
    dots: comparables.map(({ id, kind, adjFen, closeness }) => ({
      id,
      kind,
      x: ACROSS[closeness],
      y: within(up(adjFen)),
      stray: adjFen < low - reach ? 'lower' : adjFen > high + reach ? 'higher' : undefined,
    })),
    scale: { low, high },
    range: { low: rounded(up(price.lowFen)), high: rounded(up(price.highFen)), predict: rounded(up(price.predictFen)) },
  }
}
