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

/** beyond this a sale is no comparable: one field alone would make a third of the price */
export const USABLE_DISTANCE = 0.3
/** older sales say less, and after a year nothing */
const RECENCY = 240 * DAY
export const OLDEST = 400 * DAY
const ASKING_SAY = 0.5
/** one wrong price may not move its neighbours by more */
export const MOST_RESIDUAL = 0.25

/**
 * Euclidean distance of the field contributions, each as the share of the price it makes: fields that carry no price
 * carry no distance (the weighting is learned with the formula).
 */
export function distance(a: Place, b: Place, power: number): number {
  const scale = (2 * power) / (a.index + b.index)
  let total = (a.f - b.f) ** 2
  for (let k = 0; k < a.c.length; k++) {
    const step = ((a.c[k] ?? 0) - (b.c[k] ?? 0)) * scale
    total += step * step
  }
  return Math.sqrt(total)
}

export const similarity = (d: number): number => Math.exp(-d)

export function recency(at: number, now: number): number {
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
  sales: readonly Neighbour[],
  reach: number,
  power: number,
  now: number,
): Evidence {
  let weight = 0
  let sum = 0
  for (const sale of sales) {
    const d = distance(place, sale, power)
    if (d >= reach) continue
    const say = (1 - (d / reach) ** 2) ** 2 * recency(sale.at, now) * (sale.kind === 'SOLD' ? 1 : ASKING_SAY)
    weight += say
    sum += say * sale.r
  }
  return { weight, sum }
}

/** Correction of the formula: the mean residual around, drawn to 0 by `trust`. */
export const correction = ({ weight, sum }: Evidence, trust: Local['trust']): number => sum / (weight + trust)

export const winsorised = (residual: number): number => clamp(residual, -MOST_RESIDUAL, MOST_RESIDUAL)
