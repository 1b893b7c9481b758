/**
 * Rolling origin (Tashman 2000): what is learned from the past is tested on the sales that came after it, since random folds
 * cannot show how prices drift. The weight of a sale's age is chosen by it.
 */
import type { FormConfig } from '@/contract/form/types'
import { fitHedonic } from './fit'
import { applyHedonic, residualOf } from './hedonic'
import type { fitDirections } from './monotonicity'
import { DAY, mean } from './numbers'
import type { Hedonic, Observed } from './types'

/** Rows of the sales before the origin and after it. */
export interface Origin {
  past: number[]
  later: number[]
}

/** most sales before the origin that are learned from, the newest ones, and those on which decays are compared */
const MAX_PAST = 5_000
const MAX_COMPARED = 2_500
/** share of the sales after the origin, and the least number of sales that are divided */
const LATER_SHARE = 0.2
const MIN_SALES = 100
/** candidates of the decay of a sale's weight by its age, per day */
const DECAYS = [1 / 365, 1 / 120, 1 / 60]
/** sales of a shorter time show no drift (ms) */
const MIN_TIME = 60 * DAY
/** relative gain, and gain in standard errors, that a decay must bring */
const MIN_GAIN = 0.01
const MIN_GAIN_ERRORS = 1
/** limit of a log error that counts, so that wrong rows do not decide */
const MAX_LOSS = 1

/** @param ids hashes of the sales' ids, which order sales of the same time; undefined with too few sales */
export function originOf(observed: readonly Observed[], ids: Uint32Array): Origin | undefined {
  if (observed.length < MIN_SALES) return undefined
  const order = [...observed.keys()].sort(
    (a, b) => (observed[a]?.at ?? 0) - (observed[b]?.at ?? 0) || (ids[a] ?? 0) - (ids[b] ?? 0),
  )
  const first = Math.floor((1 - LATER_SHARE) * order.length)
  return {
    past: order.slice(Math.max(0, first - MAX_PAST), first),
    later: order.slice(first).filter((i) => observed[i]?.kind === 'SOLD'),
  }
}

/** The sales with weights that fall with their age: exp(−decay · days before the newest). */
export function aged(observed: readonly Observed[], decay: number): readonly Observed[] {
  if (decay === 0) return observed
  const newest = observed.reduce((most, { at }) => Math.max(most, at), 0)
  return observed.map((sale) => ({
    ...sale,
    weight: (sale.weight ?? 1) * Math.exp((-decay * (newest - sale.at)) / DAY),
  }))
}

/**
 * The decay with the least error of the formula after the origin, and that formula of the past. None unless a decay is better by
 * more than chance.
 */
export function chosenDecay(
  config: FormConfig,
  observed: readonly Observed[],
  { past, later }: Origin,
  directions: ReturnType<typeof fitDirections>,
): { decay: number; hedonic: Hedonic } {
  const learned = past.flatMap((i) => observed[i] ?? [])
  const tested = later.flatMap((i) => observed[i] ?? [])
  const fitAged = (decay: number, sales: readonly Observed[]) => fitHedonic(config, aged(sales, decay), directions)
  const attempt = (decay: number) => {
    const hedonic = fitAged(decay, learned.slice(-MAX_COMPARED))
    const losses = tested.map((sale) => {
      const residual = residualOf(hedonic, applyHedonic(hedonic, sale.attributes, 'average').logValue, sale)
      return Math.min(MAX_LOSS, Math.abs(residual))
    })
    return { decay, hedonic, losses }
  }
  let best = attempt(0)
  const times = learned.map(({ at }) => at)
  if (Math.max(...times) - Math.min(...times) >= MIN_TIME) {
    for (const decay of DECAYS) {
      const other = attempt(decay)
      if (!isBetter(other.losses, best.losses)) break
      best = other
    }
  }
  return learned.length <= MAX_COMPARED ? best : { decay: best.decay, hedonic: fitAged(best.decay, learned) }
}

/** Whether losses are less than others of the same rows by more than chance. */
export function isBetter(losses: readonly number[], others: readonly number[]): boolean {
  const gains = losses.map((loss, i) => (others[i] ?? 0) - loss)
  const gain = mean(gains)
  const error = Math.sqrt(mean(gains.map((one) => (one - gain) ** 2)) / Math.max(1, gains.length - 1))
  return gain > Math.max(MIN_GAIN * mean(others), MIN_GAIN_ERRORS * error)
}
