import { isOutlier } from '@/contract/priceRange'
import type { Report } from '@/contract/types'

type Comparable = NonNullable<Report['comparables']>[number]

/** A comparable's place in per cent of the plot: similarity from the left, price from the bottom. */
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
  /** similarity at the left edge; at the right edge it is 1 */
  leastSimilarity: number
  /** prices of the plot's lower and upper margin, fen */
  scale: { low: number; high: number }
  /** the report's range and price, in per cent from the bottom */
  range: { low: number; high: number; predict: number }
}

/** distance of dots from the plot's edges, in per cent */
const MARGIN = 6
const MAX_LEFT_EDGE = 0.8
/** comparables this close to an end of the range, as a share of its width, are drawn at it: the scale then keeps the range's amounts */
const AT_THE_END = 0.02
/** similarities have two decimals, which the rounding protects from binary fractions */
const floorToTenth = (similarity: number) => Math.floor(Math.round(similarity * 100) / 10) / 10
const rounded = (value: number) => Math.round(value * 10) / 10
const within = (value: number) => rounded(Math.min(100 - MARGIN, Math.max(MARGIN, value)))

/**
 * Similarity × adjusted price. The horizontal scale ends at full similarity and begins at a round one, so that accounts
 * that are nearly alike do not look far apart. The vertical scale covers the report's range. Both cover all comparables
 * but outliers, so that a single one, which is drawn at the edge, does not compress the others.
 */
export function plotOf(comparables: readonly Comparable[], price: Report['price']): Plot {
  const usual = comparables.filter((one) => !isOutlier(one, price.predictFen))
  const prices = usual.map(({ adjFen }) => adjFen)
  const reach = AT_THE_END * (price.highFen - price.lowFen)
  const [least, most] = [Math.min(price.lowFen, ...prices), Math.max(price.highFen, ...prices)]
  const low = least < price.lowFen - reach ? least : price.lowFen
  const high = most > price.highFen + reach ? most : price.highFen
  const leastSimilarity = Math.min(MAX_LEFT_EDGE, ...usual.map(({ similarity }) => floorToTenth(similarity)))
  const up = (fen: number) => MARGIN + ((100 - 2 * MARGIN) * (fen - low)) / Math.max(1, high - low)
  return {
    dots: comparables.map(({ id, kind, adjFen, similarity }) => ({
      id,
      kind,
      x: within(MARGIN + ((100 - 2 * MARGIN) * (similarity - leastSimilarity)) / (1 - leastSimilarity)),
      y: within(up(adjFen)),
      stray: adjFen < low - reach ? 'lower' : adjFen > high + reach ? 'higher' : undefined,
    })),
    leastSimilarity,
    scale: { low, high },
    range: { low: rounded(up(price.lowFen)), high: rounded(up(price.highFen)), predict: rounded(up(price.predictFen)) },
  }
}
