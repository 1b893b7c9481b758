/** The price interval: split conformal prediction on held-out log residuals, normalised by their expected size. */
import { clamp, quantile, robustSpread, sorted, sum } from './numbers'
import type { Conformal } from './types'

/** One held-out sale: its residual, and the predictors of the residual's size. */
export interface HeldOut {
  residual: number
  /** the confidence would have been LOW, which widens the interval */
  unsure: boolean
  /** how much harder it is for what is left open, see logErrorInflation */
  open: number
  /** sparsity of the neighbourhood: 1 without comparables, towards 0 with many */
  empty: number
  /** disagreement of the learners, see `split`; 0 if they agree */
  apart: number
  /** predicted log price: cheap accounts may be harder or easier to price than expensive ones */
  log: number
}

/** Log increase of the expected error for learners that disagree by `apart`. */
export const logDisagreement = (apart: number, spread: number): number => Math.log(Math.hypot(1, apart / spread))

const COVERAGE = 0.8
/** rule 2.4: a LOW confidence widens the range */
const UNSURE_WIDENING = 1.5
/** shrinkage of the median error towards 0: with this many sales it counts half */
const BIAS_TRUST = 250
/** candidate coefficients of `open`, `empty` and `apart` in the log size */
const SLOPES = [0, 0.5, 1, 1.5]
/** candidate coefficients of the standardised price level, and the limit of that level */
const LEVEL_SLOPES = [0, -0.2, 0.2, -0.4, 0.4]
const MAX_LEVEL = 2
/** minimum of held-out sales for a coefficient of the price level */
const MIN_HELD_OUT_FOR_LEVELS = 100
const MIN_SIZE = 0.01
/** with fewer held-out sales the quantiles are too noisy, and a wide fixed interval is used */
const MIN_HELD_OUT = 20
const GUESS: Conformal = {
  coverage: COVERAGE,
  bias: 0,
  p10: -1.28,
  p25: -0.67,
  p75: 0.67,
  p90: 1.28,
  size: [Math.log(0.4), 0, 0, 0, 0],
  level: [0, 1],
  n: 0,
}

/** Quantiles with the finite-sample correction of split conformal: the outer ones move outwards by one rank. */
export function calibrate(held: readonly HeldOut[]): Conformal {
  if (held.length < MIN_HELD_OUT) return { ...GUESS, n: held.length }
  const residuals = held.map(({ residual }) => residual)
  const bias = (quantile(residuals, 0.5) * held.length) / (held.length + BIAS_TRUST)
  const logs = held.map(({ log }) => log)
  const level: Conformal['level'] = [quantile(logs, 0.5), robustSpread(logs)]
  const size = sizeFor(
    held,
    level,
    residuals.map((residual) => Math.abs(residual - bias)),
  )
  const scores = sorted(held.map((one) => (one.residual - bias) / expectedSizeOf({ size, level }, one)))
  const rank = (place: number) => scores[clamp(place, 0, scores.length - 1)] ?? 0
  const outer = (held.length + 1) * ((1 - COVERAGE) / 2)
  return {
    coverage: COVERAGE,
    bias,
    p10: rank(Math.floor(outer) - 1),
    p25: quantile(scores, 0.25),
    p75: quantile(scores, 0.75),
    p90: rank(Math.ceil(held.length + 1 - outer) - 1),
    size,
    level,
    n: held.length,
  }
}

/**
 * Coefficients of the size by grid search: those with the least pinball loss, that is the narrowest interval for its
 * coverage.
 */
function sizeFor(held: readonly HeldOut[], level: Conformal['level'], errors: readonly number[]): Conformal['size'] {
  let best = { loss: Number.POSITIVE_INFINITY, size: GUESS.size }
  const anyApart = held.some(({ apart }) => apart > 0)
  for (const byOpen of SLOPES) {
    for (const byEmpty of SLOPES) {
      for (const byApart of anyApart ? SLOPES : [0]) {
        for (const byLevel of held.length < MIN_HELD_OUT_FOR_LEVELS ? [0] : LEVEL_SLOPES) {
          const sizes = held.map((one) => expectedSizeOf({ size: [0, byOpen, byEmpty, byApart, byLevel], level }, one))
          const end = quantile(
            errors.map((error, i) => error / (sizes[i] ?? 1)),
            COVERAGE,
          )
          const loss = sum(errors.map((error, i) => pinball(error - end * (sizes[i] ?? 1))))
          if (loss < best.loss)
            best = { loss, size: [Math.log(Math.max(MIN_SIZE, end)), byOpen, byEmpty, byApart, byLevel] }
        }
      }
    }
  }
  return best.size
}

const pinball = (over: number): number => (over > 0 ? COVERAGE * over : (COVERAGE - 1) * over)

/** Expected size of the log error. Difficulty multiplies it by four at most, before widening and price level. */
export function expectedSizeOf(
  { size, level: [middle, spread] }: Pick<Conformal, 'size' | 'level'>,
  { open, empty, apart, log, unsure }: Omit<HeldOut, 'residual'>,
): number {
  const [usual = Math.log(0.2), byOpen = 0, byEmpty = 0, byApart = 0, byLevel = 0] = size
  const widening = unsure ? UNSURE_WIDENING : 1
  const harder = Math.max(0, byOpen) * open + Math.max(0, byEmpty) * empty + Math.max(0, byApart) * apart
  const level = byLevel * clamp((log - middle) / spread, -MAX_LEVEL, MAX_LEVEL)
  return widening * Math.exp(usual + clamp(harder, 0, Math.log(4)) + level)
}
