/** Comparables: how like two accounts are, in log price, and what the sales around an account say the formula missed. */
import { clamp, DAY } from './numbers'
import type { Local, SaleKind } from './types'

/** looked up once: a global costs more than its work where tests give each file a world of its own */
const { exp, sqrt, max } = Math

/** Where an account lies: parts of the index by field, their index, and the sum of its log multipliers: lifts and factors. */
export interface Place {
  c: readonly number[]
  index: number
  f: number
}

export interface Neighbour extends Place {
  kind: SaleKind
  at: number
  /** log residual of the formula */
  r: number
  /** see haze */
  h: number
}

/** within this a sale is close: no field alone makes a third of the price */
export const CLOSE_DISTANCE = 0.3
/** beyond this a sale says nothing about the account; between the two it is a comparable of last resort */
const USABLE_DISTANCE = 1
/** older sales say less, and after a year nothing */
const RECENCY = 240 * DAY
export const OLDEST = 400 * DAY
const ASKING_SAY = 0.5
/**
 * No sale moves its neighbours by more than this share of the reach. With it the correction changes more slowly than the
 * formula itself on any way from one account to another (the kernel's slope is at most 1/reach of itself, the distance
 * grows at most 2.5 times as fast as the log price), so that more of a thing never lowers the corrected price.
 */
const MAX_SHIFT_IN_REACHES = 0.4

/** product 2.4: fewer usable comparables than this give no price */
export const MIN_COMPARABLES = 5

/** Sales side by side in flat arrays: ten thousand are compared in a millisecond or two. */
export interface Packed {
  n: number
  width: number
  c: Float32Array
  index: Float64Array
  f: Float64Array
  at: Float64Array
  r: Float64Array
  /** what a sale may say before its age and distance: offers less than sales */
  say: Float64Array
}

export function pack<Sale extends Omit<Neighbour, 'index'>>(
  sales: readonly Sale[],
  indexOf: (sale: Sale) => number,
): Packed {
  const width = sales[0]?.c.length ?? 0
  const c = new Float32Array(sales.length * width)
  for (const [i, sale] of sales.entries()) c.set(sale.c, i * width)
  const column = (pick: (sale: Sale) => number) => Float64Array.from(sales, pick)
  return {
    n: sales.length,
    width,
    c,
    index: column(indexOf),
    f: column((sale) => sale.f),
    at: column((sale) => sale.at),
    r: column((sale) => sale.r),
    say: column((sale) => (sale.kind === 'SOLD' ? 1 : ASKING_SAY) * exp(-2 * sale.h)),
  }
}

/**
 * Euclidean distance of the field parts, each as the share of the price it makes: fields that carry no price carry no
 * distance (the weighting is learned with the formula).
 */
function distance(a: Place, sales: Packed, i: number, power: number): number {
  const { width, c } = sales
  const scale = (2 * power) / (a.index + (sales.index[i] ?? 0))
  const from = i * width
  let total = 0
  for (let k = 0; k < width; k++) {
    const step = (a.c[k] ?? 0) - (c[from + k] ?? 0)
    total += step * step
  }
  return sqrt(total * scale * scale + (a.f - (sales.f[i] ?? 0)) ** 2)
}

type Near = { i: number; d: number }

function within(
  most: number,
  place: Place,
  sales: Packed,
  power: number,
  now: number,
  without: ReadonlySet<number>,
): Near[] {
  const found: Near[] = []
  for (let i = 0; i < sales.n; i++) {
    if (without.has(i)) continue
    const d = distance(place, sales, i, power)
    if (d < most && recency(sales.at[i] ?? 0, now) > 0) found.push({ i, d })
  }
  return found.sort((a, b) => a.d - b.d || a.i - b.i)
}

/**
 * Sales recent enough and close enough to be compared with: place in `sales` and distance, nearest first. Where fewer
 * than `fewest` are close, the `fewest` nearest within reach stand in for them.
 */
export function nearest(
  place: Place,
  sales: Packed,
  power: number,
  now: number,
  fewest: number,
  without: ReadonlySet<number> = NONE,
): Near[] {
  const close = within(CLOSE_DISTANCE, place, sales, power, now, without)
  return close.length >= fewest ? close : within(USABLE_DISTANCE, place, sales, power, now, without).slice(0, fewest)
}

/** Share of a price that two accounts have in common. @param rest log of what the formula cannot explain between them */
export const similarity = (d: number, rest: number): number => exp(-sqrt(d * d + rest * rest))

function recency(at: number, now: number): number {
  const age = max(0, now - at)
  return age > OLDEST ? 0 : exp(-age / RECENCY)
}

export interface Evidence {
  /** Σ weight and Σ weight · residual of the sales within reach */
  weight: number
  sum: number
}

/**
 * What the sales around say, by reach; smooth, with no cut between "the k nearest" and the rest, so that a small change
 * never makes the price jump.
 */
export function evidence(
  place: Place,
  sales: Packed,
  reaches: readonly number[],
  power: number,
  now: number,
  without: ReadonlySet<number> = NONE,
): Evidence[] {
  const found = reaches.map((reach) => ({ reach, weight: 0, sum: 0 }))
  for (let i = 0; i < sales.n; i++) {
    if (without.has(i)) continue
    const fresh = recency(sales.at[i] ?? 0, now)
    if (fresh === 0) continue
    const d = distance(place, sales, i, power)
    const r = sales.r[i] ?? 0
    for (const one of found) {
      const most = MAX_SHIFT_IN_REACHES * one.reach
      const say = exp(-d / one.reach) * fresh * (sales.say[i] ?? 0)
      one.weight += say
      one.sum += say * clamp(r, -most, most)
    }
  }
  return found
}

const NONE: ReadonlySet<number> = new Set()

/** Correction of the formula: the mean residual around, drawn to 0 by `trust`. */
export const correction = ({ weight, sum }: Evidence, trust: Local['trust']): number => sum / (weight + trust)
