/** Comparables: how like two accounts are, in log price, and what the sales around an account say the formula missed. */
import { clamp, DAY } from './numbers'
import type { Local, SaleKind } from './types'

/** Where an account lies: contributions by field, their index, and the sum of its log multipliers. */
export interface Place {
  c: readonly number[]
  index: number
  f: number
}

export interface Neighbour extends Place {
  kind: SaleKind
  at: number
  /** log residual of the formula, winsorised */
  r: number
}

/** within this a sale is close: no field alone makes a third of the price */
export const CLOSE_DISTANCE = 0.3
/** beyond this a sale says nothing about the account; between the two it is a comparable of last resort */
const USABLE_DISTANCE = 1
/** older sales say less, and after a year nothing */
const RECENCY = 240 * DAY
export const OLDEST = 400 * DAY
const ASKING_SAY = 0.5
/** one wrong price may not move its neighbours by more */
const MOST_RESIDUAL = 0.25

/** Sales side by side in flat arrays: ten thousand are compared in a millisecond or two. */
export interface Packed {
  n: number
  width: number
  c: Float64Array
  index: Float64Array
  f: Float64Array
  at: Float64Array
  r: Float64Array
  /** what a sale may say before its age and distance: offers less than sales */
  say: Float64Array
}

export function pack(sales: readonly Neighbour[]): Packed {
  const width = sales[0]?.c.length ?? 0
  const c = new Float64Array(sales.length * width)
  for (const [i, sale] of sales.entries()) c.set(sale.c, i * width)
  const column = (pick: (sale: Neighbour) => number) => Float64Array.from(sales, pick)
  return {
    n: sales.length,
    width,
    c,
    index: column((sale) => sale.index),
    f: column((sale) => sale.f),
    at: column((sale) => sale.at),
    r: column((sale) => sale.r),
    say: column((sale) => (sale.kind === 'SOLD' ? 1 : ASKING_SAY)),
  }
}

/**
 * Euclidean distance of the field contributions, each as the share of the price it makes: fields that carry no price
 * carry no distance (the weighting is learned with the formula). Infinity as soon as it is beyond `most`.
 */
function distance(a: Place, sales: Packed, i: number, power: number, most: number): number {
  const { width, c } = sales
  const scale = (2 * power) / (a.index + (sales.index[i] ?? 0))
  const limit = most * most
  let total = (a.f - (sales.f[i] ?? 0)) ** 2
  const from = i * width
  for (let k = 0; k < width; k++) {
    if (total >= limit) return Number.POSITIVE_INFINITY
    const step = ((a.c[k] ?? 0) - (c[from + k] ?? 0)) * scale
    total += step * step
  }
  return total >= limit ? Number.POSITIVE_INFINITY : Math.sqrt(total)
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
    const d = distance(place, sales, i, power, most)
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
  without: ReadonlySet<number> = new Set(),
): Near[] {
  const close = within(CLOSE_DISTANCE, place, sales, power, now, without)
  return close.length >= fewest ? close : within(USABLE_DISTANCE, place, sales, power, now, without).slice(0, fewest)
}

export const similarity = (d: number): number => Math.exp(-d)

function recency(at: number, now: number): number {
  const age = Math.max(0, now - at)
  return age > OLDEST ? 0 : Math.exp(-age / RECENCY)
}

export interface Evidence {
  /** Σ weight and Σ weight · residual of the sales within reach */
  weight: number
  sum: number
}

/** Smooth, with no cut between "the k nearest" and the rest, so that a small change never makes the price jump. */
export function evidence(
  place: Place,
  sales: Packed,
  reach: number,
  power: number,
  now: number,
  without: ReadonlySet<number> = new Set(),
): Evidence {
  let weight = 0
  let sum = 0
  for (let i = 0; i < sales.n; i++) {
    if (without.has(i)) continue
    const d = distance(place, sales, i, power, reach)
    if (d >= reach) continue
    const say = (1 - (d / reach) ** 2) ** 2 * recency(sales.at[i] ?? 0, now) * (sales.say[i] ?? 0)
    weight += say
    sum += say * (sales.r[i] ?? 0)
  }
  return { weight, sum }
}

/** Correction of the formula: the mean residual around, drawn to 0 by `trust`. */
export const correction = ({ weight, sum }: Evidence, trust: Local['trust']): number => sum / (weight + trust)

export const winsorised = (residual: number): number => clamp(residual, -MOST_RESIDUAL, MOST_RESIDUAL)
