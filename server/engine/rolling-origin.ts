/**
 * Rolling origin (Tashman 2000): what is learned from the past is tested on the sales that came after it, since random folds
 * cannot show how prices drift. The weight of a sale's age is chosen by it.
 */
import type { FormConfig } from '@/contract/form/types'
import type { Layout } from './feature-layout'
import { fitHedonic } from './fit'
import { applyHedonic, residualOf } from './hedonic'
import { DAY, mean } from './numbers'
import type { Hedonic, Observed } from './types'

/** An origin, and what it shows. */
export interface Origin {
  /** rows of the sales before it, the newest ones, and after it */
  past: readonly number[]
  later: readonly number[]
  /** decay of a sale's weight by its age, per day, and the formula of the past with it */
  decay: number
  hedonic: Hedonic
  /** the terms of the formula */
  layout: Layout
}

/** most sales before the origin that are learned from */
const MAX_PAST = 2_500
/** share of the sales after the origin, and the least number of sales that are divided */
const LATER_SHARE = 0.2
const MIN_SALES = 100
/** candidates of the decay */
const DECAYS = [1 / 365, 1 / 120, 1 / 60]
/** sales of a shorter time show no drift (ms) */
const MIN_TIME = 60 * DAY
/** relative gain, and gain in standard errors, that a decay must bring */
const MIN_GAIN = 0.01
const MIN_GAIN_ERRORS = 1
/** limit of a log error that counts, so that wrong rows do not decide */
export const MAX_LOSS = 1

/**
 * The decay with the least error of the formula after the origin; none unless it is better by more than chance.
 * @param ids hashes of the sales' ids, which order sales of the same time @param layouts of all: the first unless another is better @returns undefined with too few sales
 */
export function originOf(
  config: FormConfig,
  sales: readonly Observed[],
  ids: Uint32Array,
  [summed, signed]: readonly [Layout, Layout?],
): Origin | undefined {
  if (sales.length < MIN_SALES) return undefined
  const timeOf = (i: number) => sales[i]?.at ?? 0
  const order = [...sales.keys()].sort((a, b) => timeOf(a) - timeOf(b) || (ids[a] ?? 0) - (ids[b] ?? 0))
  const first = Math.floor((1 - LATER_SHARE) * order.length)
  const past = order.slice(Math.max(0, first - MAX_PAST), first)
  const later = order.slice(first).filter((i) => sales[i]?.kind === 'SOLD')
  const [learned, tested] = [past, later].map((rows) => rows.flatMap((i) => sales[i] ?? []))
  const attempt = (layout: Layout, decay: number) => {
    const hedonic = fitHedonic(config, aged(learned ?? [], decay), layout)
    const losses = (tested ?? []).map((sale) => {
      const residual = residualOf(hedonic, applyHedonic(hedonic, sale.attributes, 'average').logValue, sale)
      return Math.min(MAX_LOSS, Math.abs(residual))
    })
    return { past, later, decay, hedonic, layout, losses }
  }
  let best = attempt(summed, 0)
  const other = signed && attempt(signed, 0)
  if (other && isBetter(other.losses, best.losses)) best = other
  const isLong = timeOf(past.at(-1) ?? 0) - timeOf(past[0] ?? 0) >= MIN_TIME
  for (const decay of isLong ? DECAYS : []) {
    const other = attempt(best.layout, decay)
    if (!isBetter(other.losses, best.losses)) break
    best = other
  }
  return best
}

/** The sales with weights that fall with their age: exp(−decay · days before the newest). */
export function aged(sales: readonly Observed[], decay: number): readonly Observed[] {
  if (decay === 0) return sales
  const newest = sales.reduce((most, { at }) => Math.max(most, at), 0)
  return sales.map((sale) => ({
    ...sale,
    weight: (sale.weight ?? 1) * Math.exp((-decay * (newest - sale.at)) / DAY),
  }))
}

/** Whether losses are less than others of the same rows by more than chance. */
function isBetter(losses: readonly number[], others: readonly number[]): boolean {
  const gains = losses.map((loss, i) => (others[i] ?? 0) - loss)
  const gain = mean(gains)
  const error = Math.sqrt(mean(gains.map((value) => (value - gain) ** 2)) / Math.max(1, gains.length - 1))
  return gain > Math.max(MIN_GAIN * mean(others), MIN_GAIN_ERRORS * error)
}
