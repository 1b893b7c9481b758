/**
 * Similarity of two accounts, 0–1, as the share of the price that one explains of the other: 1 − E[g² | distance] /
 * E[g²], with g the difference of their log prices after the market's movement, and the second mean over random pairs.
 * It is measured on pairs of sales whose residuals are out of fold. Even identical accounts sell for different prices,
 * so it seldom reaches 1.
 */

import { biweight, clamp, isotonic, robustSpread, weightedMean } from './numbers'
import { distancesTo, type PackedSales } from './similarity'
import type { SimilarityScale } from './types'

/** A sale of the calibration: its row among the packed sales. Logs: price without market, and out-of-fold residual. */
export interface PairedSale {
  row: number
  logPrice: number
  residual: number
  weight: number
}

/**
 * number of sales whose pairs are used, and of pairs of each: with the nearest ones, and evenly spaced over all others
 */
const MAX_SALES = 300
const NEAREST = 8
const OTHERS = 16
/** pairs of a bin; with fewer than `MIN_BINS` bins the scale is not measured */
const BIN_PAIRS = 80
const MIN_BINS = 4
const MAX_BINS = 60
/** default if there are too few sales to measure it */
const FALLBACK: SimilarityScale = { distances: [0, 0.3, 1, 2], shares: [0.9, 0.8, 0.4, 0] }

/** Distance of an account from a sale. @param rest log of the sale's adjusted price relative to the estimate */
const distanceWith = (d: number, rest: number): number => Math.hypot(d, rest)

/**
 * Share of the price explained at a distance. @param rest see `distanceWith`: it limits the share besides, so that a sale
 * for more than twice or less than half of the estimate is never called similar, however far prices are apart
 */
export function similarity(scale: SimilarityScale = FALLBACK, d: number, rest: number): number {
  const { distances, shares } = scale
  const at = distanceWith(d, rest)
  const right = distances.findIndex((knot) => knot >= at)
  const limit = Math.min(1, 2 * Math.exp(-Math.abs(rest)))
  const [first = 0, last = 0] = [shares[0], shares.at(-1)]
  if (right < 0) return Math.min(limit, last * Math.exp((distances.at(-1) ?? 0) - at))
  if (right === 0) return Math.min(limit, first)
  const [from = 0, to = 0] = [distances[right - 1], distances[right]]
  const [before = 0, after = 0] = [shares[right - 1], shares[right]]
  return Math.min(limit, before + ((after - before) * (at - from)) / (to - from))
}

interface Pair {
  distance: number
  square: number
  weight: number
}

/** @param sales in the order of `packed` where `row` says so @param power of the formula */
export function similarityScale(sales: readonly PairedSale[], packed: PackedSales, power: number): SimilarityScale {
  const spread = robustSpread(
    sales.map(({ residual }) => residual),
    sales.map(({ weight }) => weight),
  )
  // a price far from the prediction is a wrong row and no evidence about similarity
  const trusted = sales.map((one) => ({ ...one, weight: one.weight * biweight(one.residual, spread) }))
  const weights = trusted.map(({ weight }) => weight)
  const middle = weightedMean(
    trusted.map(({ logPrice }) => logPrice),
    weights,
  )
  const variance = weightedMean(
    trusted.map(({ logPrice }) => (logPrice - middle) ** 2),
    weights,
  )
  const pairs = pairsOf(trusted, sales, packed, power)
  const bins = Math.min(MAX_BINS, Math.floor(pairs.length / BIN_PAIRS))
  if (bins < MIN_BINS || variance <= 0) return FALLBACK
  const cut = (k: number) => Math.round((k * pairs.length) / bins)
  const grouped = Array.from({ length: bins }, (_, k) => {
    const part = pairs.slice(cut(k), cut(k + 1))
    const partWeights = part.map(({ weight }) => weight)
    const mean = (pick: (pair: Pair) => number) => weightedMean(part.map(pick), partWeights)
    return {
      distance: mean(({ distance }) => distance),
      share: 1 - mean(({ square }) => square) / (2 * variance),
      weight: partWeights.reduce((total, weight) => total + weight, 0),
    }
  })
  const falling = isotonic(
    grouped.filter(({ weight }) => weight > 0),
    ({ share }) => -share,
    ({ weight }) => weight,
  )
  return {
    distances: falling.map(({ items }) =>
      round(
        weightedMean(
          items.map(({ distance }) => distance),
          items.map(({ weight }) => weight),
        ),
      ),
    ),
    shares: falling.map(({ mean }) => round(clamp(-mean, 0, 1))),
  }
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4

/** Pairs by distance. Each sale is compared with its nearest ones, among which the comparables shown are, and with others. */
function pairsOf(
  trusted: readonly PairedSale[],
  sales: readonly PairedSale[],
  packed: PackedSales,
  power: number,
): Pair[] {
  const step = Math.max(1, trusted.length / MAX_SALES)
  const pairs: Pair[] = []
  for (let k = 0; k < trusted.length; k += step) {
    const one = trusted[Math.floor(k)]
    if (!one || one.weight <= 0) continue
    const from = distancesTo(placeOf(packed, one.row), packed, power, Number.NEGATIVE_INFINITY)
    const others = sales
      .filter(({ row }) => row !== one.row)
      .map((other) => ({ other, distance: from[other.row] ?? 0 }))
      .sort((a, b) => a.distance - b.distance || a.other.row - b.other.row)
    const apart = Math.max(1, (others.length - NEAREST) / OTHERS)
    const chosen = others.slice(0, NEAREST)
    for (let i = NEAREST; i < others.length; i += apart) chosen.push(...others.slice(Math.floor(i), Math.floor(i) + 1))
    for (const { other, distance } of chosen)
      pairs.push({
        distance: distanceWith(distance, other.residual),
        square: (one.logPrice - other.logPrice) ** 2,
        weight: one.weight * other.weight,
      })
  }
  return pairs.sort((a, b) => a.distance - b.distance)
}

const placeOf = ({ width, contributions, index, logTerms }: PackedSales, row: number) => ({
  contributions: [...contributions.subarray(row * width, (row + 1) * width)],
  index: index[row] ?? 0,
  logTerms: logTerms[row] ?? 0,
})
