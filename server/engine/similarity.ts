/**
 * Comparables: distance of two accounts in log price, and a kernel estimate of the formula's residual at an account.
 */
import { clamp, DAY, sum } from './numbers'
import type { Hedonic, StoredSale } from './types'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { exp, sqrt, max } = Math

/** Position of an account: parts of the index by field, the index, and the sum of its log terms (interactions and factors). */
export interface Coordinates {
  contributions: readonly number[]
  index: number
  logTerms: number
}

export type Neighbour = Pick<StoredSale, 'kind' | 'at' | 'contributions' | 'logTerms' | 'residual' | 'weight'>

/** a sale within this distance is close: no single field makes up a third of the price */
export const CLOSE_DISTANCE = 0.3
/** a sale beyond this is not comparable; one between the two is used only for lack of close ones */
const USABLE_DISTANCE = 1
/** decay time of a sale's weight, and the age from which on it is 0 */
const RECENCY_DECAY = 240 * DAY
export const MAX_SALE_AGE_MS = 400 * DAY
const ASKING_WEIGHT = 0.5
/** bandwidth of the kernel: distance in log price */
const BANDWIDTH = 0.35
/**
 * Residuals are clamped to 0.4 bandwidths. The correction then changes more slowly than the formula between
 * any two accounts (the kernel's relative slope is at most 1/bandwidth, the distance grows at most 2.5 times as fast as the
 * log price), so that the corrected price stays monotone.
 */
const MAX_RESIDUAL = 0.4 * BANDWIDTH

/** fewer usable comparables than this give no price */
export const MIN_COMPARABLES = 5

/** Sales in flat arrays: comparing ten thousand of them takes one or two milliseconds. */
export interface PackedSales {
  n: number
  width: number
  contributions: Float32Array
  index: Float64Array
  logTerms: Float64Array
  at: Float64Array
  residual: Float64Array
  /** weight of a sale apart from age and distance: lower for listings */
  weight: Float64Array
}

/** @param base of the formula that valued the sales */
export function packSales({ base }: Pick<Hedonic, 'base'>, sales: readonly Neighbour[]): PackedSales {
  const width = sales[0]?.contributions.length ?? 0
  const contributions = new Float32Array(sales.length * width)
  for (const [i, sale] of sales.entries()) contributions.set(sale.contributions, i * width)
  const column = (pick: (sale: Neighbour) => number) => Float64Array.from(sales, pick)
  return {
    n: sales.length,
    width,
    contributions,
    index: column((sale) => base + sum(sale.contributions)),
    logTerms: column((sale) => sale.logTerms),
    at: column((sale) => sale.at),
    residual: column((sale) => sale.residual),
    weight: column((sale) => (sale.weight ?? 1) * (sale.kind === 'SOLD' ? 1 : ASKING_WEIGHT)),
  }
}

type Place = Omit<Coordinates, 'contributions'> & { contributions: Float64Array }

/**
 * Euclidean distance of the field parts, each as its share of the price: fields without effect on the price have none
 * on the distance (the weighting is learned with the formula).
 */
function distance(a: Place, sales: PackedSales, i: number, power: number): number {
  const { width, contributions } = sales
  const scale = (2 * power) / (a.index + (sales.index[i] ?? 0))
  const from = i * width
  let total = 0
  for (let k = 0; k < width; k++) {
    const step = (a.contributions[k] as number) - (contributions[from + k] as number)
    total += step * step
  }
  return sqrt(total * scale * scale + (a.logTerms - (sales.logTerms[i] ?? 0)) ** 2)
}

/** Distance of each sale from an account, in the order of the sales; infinite for those too old or in `without`. */
export type Distances = Float64Array

export function distancesTo(
  place: Coordinates,
  sales: PackedSales,
  power: number,
  now: number,
  without: ReadonlySet<number> = new Set(),
): Distances {
  const distances = new Float64Array(sales.n)
  const { index, logTerms } = place
  const own: Place = { index, logTerms, contributions: Float64Array.from(place.contributions) }
  for (let i = 0; i < sales.n; i++) {
    const isUsed = now - (sales.at[i] ?? 0) <= MAX_SALE_AGE_MS && (without.size === 0 || !without.has(i))
    distances[i] = isUsed ? distance(own, sales, i, power) : Number.POSITIVE_INFINITY
  }
  return distances
}

type Near = { i: number; d: number }

function salesWithin(maxDistance: number, distances: Distances): Near[] {
  const found: Near[] = []
  for (const [i, d] of distances.entries()) if (d < maxDistance) found.push({ i, d })
  return found.sort((a, b) => a.d - b.d || a.i - b.i)
}

/** Whether a price may rest on these sales. @param hasGaps answers are missing, for which alone no account is refused */
export function hasComparables(distances: Distances, hasGaps: boolean): boolean {
  const most = hasGaps ? Number.POSITIVE_INFINITY : USABLE_DISTANCE
  return distances.reduce((n, d) => (d < most ? n + 1 : n), 0) >= MIN_COMPARABLES
}

/**
 * Sales close enough for comparison, nearest first: index and distance. If fewer than `fewest` are close, the `fewest`
 * nearest usable ones instead. @param hasGaps answers are missing, for which alone no account is refused
 */
export function nearestSales(distances: Distances, fewest: number, hasGaps = false): Near[] {
  const close = salesWithin(CLOSE_DISTANCE, distances)
  if (close.length >= fewest) return close
  return salesWithin(hasGaps ? Number.POSITIVE_INFINITY : USABLE_DISTANCE, distances).slice(0, fewest)
}

/** with so many comparables the correction is half of their residuals */
const CORRECTION_SHRINKAGE = 15

/**
 * Correction of the formula: mean residual of the sales around an account, shrunk towards 0. The kernel is smooth, without a cut
 * after the k nearest, so that a small change of the account never makes the price jump.
 */
export function correctionOf(distances: Distances, sales: PackedSales, now: number): number {
  let [weight, total] = [0, 0]
  for (let i = 0; i < sales.n; i++) {
    const d = distances[i] ?? 0
    if (d === Number.POSITIVE_INFINITY) continue
    const age = max(0, now - (sales.at[i] ?? 0))
    const kernel = exp(-d / BANDWIDTH - age / RECENCY_DECAY) * (sales.weight[i] ?? 0)
    weight += kernel
    total += kernel * clamp(sales.residual[i] ?? 0, -MAX_RESIDUAL, MAX_RESIDUAL)
  }
  return total / (weight + CORRECTION_SHRINKAGE)
}
