/**
 * Detects a structural break of the market: all prices change at once, by an announcement or a ban. With heavy-tailed
 * errors the first weeks after it would count as outliers, and a smooth market level would follow only slowly.
 */

import type { DesignMatrix } from './design-matrix'
import { marketAt } from './hedonic'
import { DAY, quantile, robustSpread, sum } from './numbers'
import type { Hedonic } from './types'

export interface LevelShift {
  /** ms: the first sale after it */
  at: number
  /** change of the log level */
  log: number
}

/** how far back a shift is searched for (the smooth path follows older ones), and the time before it to compare with */
const SEARCHED = 45 * DAY
const COMPARED = 45 * DAY
const MIN_SALES = 10
/** maximum numbers of sales and of candidate moments, which bound the computing time */
const MAX_SALES = 1_000
const MAX_TRIED = 60
/** maximum number of sales counted per day, so that one wrong batch is not taken for a market move */
const MOST_OF_A_DAY = 4
/** log; larger changes are taken for unit errors */
const MIN_SHIFT = 0.2
const MAX_SHIFT = 1.5
/** in standard errors of the difference of two medians */
const SIGNIFICANCE = 8
/** standard error of a median ÷ that of a mean */
const MEDIAN_ERROR = 1.2533

/** The most significant recent shift, if any. @param residual log residuals of a formula without it */
export function recentShift({ at, asking, weight }: DesignMatrix, residual: Float64Array): LevelShift | undefined {
  const newest = at.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const sold = [...at.keys()].filter((i) => !asking[i] && (at[i] ?? 0) > newest - SEARCHED - COMPARED)
  const order = sold
    .filter((_, k) => k % Math.ceil(sold.length / MAX_SALES) === 0)
    .sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0))
  const days = new Map<number, number>()
  const dayOf = (i: number) => Math.floor((newest - (at[i] ?? 0)) / DAY)
  for (const i of order) days.set(dayOf(i), (days.get(dayOf(i)) ?? 0) + (weight[i] ?? 1))
  const weightOf = (i: number) => (weight[i] ?? 1) * Math.min(1, MOST_OF_A_DAY / (days.get(dayOf(i)) ?? 1))
  const residuals = order.map((i) => residual[i] ?? 0)
  const weights = order.map(weightOf)
  const between = (from: number, to: number) => [residuals.slice(from, to), weights.slice(from, to)] as const
  const indexOf = (time: number) => order.filter((i) => (at[i] ?? 0) < time).length
  const moments = [...new Set(order.map((i) => at[i] ?? 0))].filter((time) => time >= newest - SEARCHED)
  const tried = moments.filter((_, k) => k % Math.ceil(moments.length / MAX_TRIED) === 0)
  let best: (LevelShift & { significance: number }) | undefined
  for (const from of tried) {
    const k = indexOf(from)
    const sides = [between(indexOf(from - COMPARED), k), between(k, order.length)]
    if (sides.some(([, own]) => sum(own) < MIN_SALES)) continue
    const [before = 0, after = 0] = sides.map(([values, own]) => quantile(values, 0.5, own))
    const log = after - before
    if (Math.abs(log) < MIN_SHIFT || Math.abs(log) > MAX_SHIFT) continue
    const errors = sides.map(([values, own]) => (MEDIAN_ERROR * robustSpread(values, own)) / Math.sqrt(sum(own)))
    const significance = Math.abs(log) / Math.hypot(...errors)
    if (significance > Math.max(SIGNIFICANCE, best?.significance ?? 0)) best = { at: from, log, significance }
  }
  return best && { at: best.at, log: best.log }
}

/** The market with the shift, in steps of a day. */
export function withShift(market: Hedonic['market'], shift: LevelShift): Hedonic['market'] {
  const { start, step, values, drift } = market
  const days = Math.ceil((step * (values.length - 1)) / DAY)
  const times = Array.from({ length: days + 1 }, (_, k) => start + k * DAY)
  return {
    start,
    step: DAY,
    values: times.map((time) => marketAt({ start, step, values, drift: 0 }, time) + (time >= shift.at ? shift.log : 0)),
    drift,
  }
}
