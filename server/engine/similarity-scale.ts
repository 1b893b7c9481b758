/**
 * Similarity of two accounts, 0–1, as the share of the price that one explains of the other: 1 − E[g² | distance] / E[g²],
 * with g the difference of their log prices after the market's movement, and the second mean over random pairs. It is
 * measured as comparables are shown: a sale held out of the formula against sales that it knew, whose residuals are those of
 * the final model. Even identical accounts sell for different prices, so it seldom reaches 1.
 */

import { clamp, isotonic, weightedMean } from './numbers'
import type { SimilarityScale } from './types'

/** A sale held out of the formula, and its distance from sales that the formula knew. Logs without the market's movement. */
export interface HeldOutPairs {
  logPrice: number
  weight: number
  others: readonly { row: number; distance: number }[]
}

/** A sale as it is compared with: its log price without the market's movement, and its residual in the final model. */
export interface Compared {
  logPrice: number
  residual: number
  weight: number
}

/** number of held-out sales whose pairs are used */
export const MAX_PAIRED = 300
/** pairs of each: with the nearest ones, and evenly spaced over all the others */
const NEAREST = 8
const OTHERS = 8
/** pairs of a bin; with fewer than `MIN_BINS` bins the scale is not measured */
const BIN_PAIRS = 80
const MIN_BINS = 4
const MAX_BINS = 60
/** default if there are too few sales to measure it */
const FALLBACK: SimilarityScale = { distances: [0, 0.3, 1, 2], shares: [0.9, 0.8, 0.4, 0] }

/** Distance of an account from a sale. @param logRatio log of the sale's adjusted price relative to the estimate */
const distanceWith = (d: number, logRatio: number): number => Math.hypot(d, logRatio)

/**
 * Share of the price explained at a distance. @param logRatio see `distanceWith`: it limits the share besides, so that
 * a sale for more than twice or less than half of the estimate is never called similar, however far prices are apart
 */
export function similarity(scale: SimilarityScale, d: number, logRatio: number): number {
  const { distances, shares } = scale
  const at = distanceWith(d, logRatio)
  const right = distances.findIndex((knot) => knot >= at)
  const limit = Math.min(1, 2 * Math.exp(-Math.abs(logRatio)))
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

/** @param sales by row */
export function similarityScale(heldOut: readonly HeldOutPairs[], sales: readonly Compared[]): SimilarityScale {
  const weights = heldOut.map(({ weight }) => weight)
  const middle = weightedMean(
    heldOut.map(({ logPrice }) => logPrice),
    weights,
  )
  const variance = weightedMean(
    heldOut.map(({ logPrice }) => (logPrice - middle) ** 2),
    weights,
  )
  const pairs = pairsOf(heldOut, sales)
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
  const distances = falling.map(({ items }) =>
    weightedMean(
      items.map(({ distance }) => distance),
      items.map(({ weight }) => weight),
    ),
  )
  const shares = falling.map(({ mean }) => clamp(-mean, 0, 1))
  // nearer than the first group's mean, the squared error falls by as much as the squared distance, which is a part of it
  const [nearest = 0, share = 0] = [distances[0], shares[0]]
  const most = Math.min(1, share + nearest ** 2 / (2 * variance))
  return { distances: [0, ...distances].map(round), shares: [most, ...shares].map(round) }
}

const round = (value: number): number => Math.round(value * 1e4) / 1e4

/** Pairs by distance. */
const pairsOf = (heldOut: readonly HeldOutPairs[], sales: readonly Compared[]): Pair[] =>
  heldOut
    .flatMap(({ logPrice, weight, others }) =>
      others.flatMap(({ row, distance }) => {
        const other = sales[row]
        return other
          ? {
              distance: distanceWith(distance, other.residual),
              square: (logPrice - other.logPrice) ** 2,
              weight: weight * other.weight,
            }
          : []
      }),
    )
    .sort((a, b) => a.distance - b.distance)

/** Places that a held-out sale is compared with: the nearest, among which the comparables shown are, and some of the others. */
export function pairedWith(distances: Float64Array): number[] {
  const order = [...distances.keys()]
    .filter((i) => Number.isFinite(distances[i]))
    .sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || a - b)
  const apart = Math.max(1, (order.length - NEAREST) / OTHERS)
  const chosen = order.slice(0, NEAREST)
  for (let i = NEAREST; i < order.length; i += apart) chosen.push(...order.slice(Math.floor(i), Math.floor(i) + 1))
  return chosen
}
