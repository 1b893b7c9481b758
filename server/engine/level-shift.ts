/**
 * Detects a structural break of the market: all prices change at once, by an announcement or a ban. With heavy-tailed
 * errors the first weeks after it would count as outliers, and a smooth market level would follow only slowly.
 */

import type { DesignMatrix } from './design-matrix'
import { marketAt } from './hedonic'
import { clamp, countBelow, DAY, quantile, robustSpread, sum } from './numbers'
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
const MIN_SALES = 8
/** maximum number of sales counted per day, so that one wrong batch is not taken for a market move */
const MOST_OF_A_DAY = 4
/** log; larger changes are taken for unit errors */
const MIN_SHIFT = 0.2
const MAX_SHIFT = 1.5
/** in standard errors of the difference of two medians */
const SIGNIFICANCE = 8
/** limit of a residual in finding the break, in robust standard deviations */
const MAX_RESIDUAL = 5
/** standard error of a median ÷ that of a mean */
const MEDIAN_ERROR = 1.2533

/** The most likely recent shift, if it is significant. @param residual log residuals of a formula without it */
export function recentShift({ at, asking, weight }: DesignMatrix, residual: Float64Array): LevelShift | undefined {
  const newest = at.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const order = [...at.keys()]
    .filter((i) => !asking[i] && (at[i] ?? 0) > newest - SEARCHED - COMPARED)
    .sort((a, b) => (at[a] ?? 0) - (at[b] ?? 0))
  const times = order.map((i) => at[i] ?? 0)
  const dayOf = (time: number) => Math.floor((newest - time) / DAY)
  const days = new Map<number, number>()
  for (const i of order) days.set(dayOf(at[i] ?? 0), (days.get(dayOf(at[i] ?? 0)) ?? 0) + (weight[i] ?? 1))
  const residuals = order.map((i) => residual[i] ?? 0)
  const weights = order.map((i) => (weight[i] ?? 1) * Math.min(1, MOST_OF_A_DAY / (days.get(dayOf(at[i] ?? 0)) ?? 1)))
  const from = likeliestBreak(times, residuals, weights, newest - SEARCHED)
  if (from === undefined) return undefined
  const first = countBelow(times, (times[from] ?? 0) - COMPARED)
  const sides = [[first, from] as const, [from, times.length] as const].map(
    (ends) => [residuals.slice(...ends), weights.slice(...ends)] as const,
  )
  const [before = 0, after = 0] = sides.map(([values, own]) => quantile(values, 0.5, own))
  const errors = sides.map(([values, own]) => (MEDIAN_ERROR * robustSpread(values, own)) / Math.sqrt(sum(own)))
  const log = after - before
  const isShift = Math.abs(log) > Math.max(MIN_SHIFT, SIGNIFICANCE * Math.hypot(...errors)) && Math.abs(log) < MAX_SHIFT
  return isShift ? { at: times[from] ?? 0, log } : undefined
}

/**
 * The place from `earliest` (ms) on that most divides high from low residuals: the CUSUM of the residuals (Page 1954), clamped
 * so that wrong rows do not decide.
 */
function likeliestBreak(
  times: readonly number[],
  residuals: readonly number[],
  weights: readonly number[],
  earliest: number,
): number | undefined {
  const [all, middle] = [sum(weights), quantile(residuals, 0.5, weights)]
  const most = MAX_RESIDUAL * robustSpread(residuals, weights)
  const clamped = residuals.map((residual) => clamp(residual - middle, -most, most))
  const level = sum(clamped.map((residual, i) => (weights[i] ?? 0) * residual)) / Math.max(1e-9, all)
  let best: { place: number; score: number } | undefined
  let [after, total] = [0, 0]
  for (let k = times.length - 1; k > 0 && (times[k] ?? 0) >= earliest; k--) {
    after += weights[k] ?? 0
    total += (weights[k] ?? 0) * ((clamped[k] ?? 0) - level)
    if (after < MIN_SALES || all - after < MIN_SALES) continue
    const score = Math.abs(total) / Math.sqrt(after * (all - after))
    if (score > (best?.score ?? 0)) best = { place: k, score }
  }
  return best?.place
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
