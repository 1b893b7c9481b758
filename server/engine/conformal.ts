/** The interval: split conformal on held-out log residuals, scaled by how hard the account is to price. */
import { clamp, quantile, robustSpread, sorted, sum } from './numbers'
import type { Conformal } from './types'

/** One held-out sale: the error that was made and what was known about the difficulty beforehand. */
export interface HeldOut {
  residual: number
  /** the confidence would have been LOW, the range wider */
  unsure: boolean
  /** how much harder it is for what is left open, see haze */
  open: number
  /** 1 with nothing comparable around, towards 0 with many */
  empty: number
  /** 0 where the learners agree, see split */
  apart: number
  /** the estimate itself (log): cheap things are often harder to price than dear ones, or easier */
  log: number
}

/** How much harder an account is to price on which the learners are so far apart, as a log. */
export const split = (apart: number, spread: number): number => Math.log(Math.hypot(1, apart / spread))

const COVERAGE = 0.8
/** rule 2.4: a LOW confidence widens the range */
const UNSURE_WIDENING = 1.5
/** sales whose median error counts half: a median of few is chance */
const BIAS_TRUST = 250
/** how strongly the size may follow each of what makes an account hard to price */
const SLOPES = [0, 0.5, 1, 1.5]
/** and the price level, which may also make it easier; levels count up to so many spreads from the middle */
const LEVEL_SLOPES = [0, -0.2, 0.2, -0.4, 0.4]
const MAX_LEVEL = 2
/** fewer held-out sales tell nothing of price levels */
const MIN_HELD_OUT_FOR_LEVELS = 100
const MIN_SIZE = 0.01
/** with fewer held-out sales the quantiles are not worth the name: a wide fixed guess instead */
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

/** Quantiles with the finite-sample correction of split conformal: the ends go outwards by one rank. */
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
  const scores = sorted(held.map((one) => (one.residual - bias) / sizeOf({ size, level }, one)))
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
 * How the size follows from what makes an account hard to price: that whose range would be the tightest for its coverage
 * (least pinball loss), of a few.
 */
function sizeFor(held: readonly HeldOut[], level: Conformal['level'], errors: readonly number[]): Conformal['size'] {
  let best = { loss: Number.POSITIVE_INFINITY, size: GUESS.size }
  const anyApart = held.some(({ apart }) => apart > 0)
  for (const byOpen of SLOPES) {
    for (const byEmpty of SLOPES) {
      for (const byApart of anyApart ? SLOPES : [0]) {
        for (const byLevel of held.length < MIN_HELD_OUT_FOR_LEVELS ? [0] : LEVEL_SLOPES) {
          const sizes = held.map((one) => sizeOf({ size: [0, byOpen, byEmpty, byApart, byLevel], level }, one))
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

/** Expected size of the log error, at most four times the usual one before the widening. */
export function sizeOf(
  { size, level: [middle, spread] }: Pick<Conformal, 'size' | 'level'>,
  { open, empty, apart, log, unsure }: Omit<HeldOut, 'residual'>,
): number {
  const [usual = Math.log(0.2), byOpen = 0, byEmpty = 0, byApart = 0, byLevel = 0] = size
  const widening = unsure ? UNSURE_WIDENING : 1
  const harder = Math.max(0, byOpen) * open + Math.max(0, byEmpty) * empty + Math.max(0, byApart) * apart
  const level = byLevel * clamp((log - middle) / spread, -MAX_LEVEL, MAX_LEVEL)
  return widening * Math.exp(usual + clamp(harder, 0, Math.log(4)) + level)
}
