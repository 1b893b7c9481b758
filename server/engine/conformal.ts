/** The price interval: split conformal prediction on held-out log residuals, normalised by their expected size. */
import { hatBasis } from './hedonic'
import { clamp, quantile, sum } from './numbers'
import type { Conformal } from './types'

/** One held-out sale: its residual, and the predictors of the residual's size. */
export interface HeldOut {
  residual: number
  /** of the sale */
  weight: number
  /** the confidence would have been LOW, which widens the interval */
  lowConfidence: boolean
  /** log increase of the expected error due to missing answers, see logErrorInflation */
  missingInflation: number
  /** sparsity of the neighbourhood: 1 without comparables, towards 0 with many */
  sparsity: number
  /** disagreement of the learners, see `combined`; 0 if they agree */
  disagreement: number
  /** predicted log price: errors may be larger or smaller for cheap accounts than for expensive ones */
  logPrice: number
}

/** Log increase of the expected error for learners that disagree by `apart`. */
export const logDisagreement = (apart: number, spread: number): number => Math.log(Math.hypot(1, apart / spread))

const COVERAGE = 0.8
/** a LOW confidence widens the range */
const LOW_CONFIDENCE_WIDENING = 1.5
/** shrinkage of the median error towards 0: with this many sales it counts half */
const BIAS_SHRINKAGE = 250
/** candidate coefficients of the predictors in the log size */
const COEFFICIENTS = [0, 0.5, 1, 1.5]
/** groups of the estimated price with their own size; with this many sales a group's own size counts half */
const GROUPS = 4
const GROUP_SHRINKAGE = 20
const GROUP_ROUNDS = 4
const MAX_LOG_FACTOR = 2
/** minimum of held-out sales for sizes by group */
const MIN_HELD_OUT_FOR_GROUPS = 100
const MIN_SIZE = 0.01
/** with fewer held-out sales the quantiles are too noisy, and a wide fixed interval is used */
const MIN_HELD_OUT = 20
const FALLBACK: Conformal = {
  coverage: COVERAGE,
  bias: 0,
  p10: -1.28,
  p25: -0.67,
  p75: 0.67,
  p90: 1.28,
  size: [Math.log(0.4), 0, 0, 0],
  levels: { logPrices: [0], logFactors: [0] },
  n: 0,
}

/**
 * Weighted quantiles with the finite-sample correction of split conformal: the outer ones move outwards by one rank.
 */
export function calibrate(heldOut: readonly HeldOut[]): Conformal {
  if (heldOut.length < MIN_HELD_OUT) return { ...FALLBACK, n: heldOut.length }
  const residuals = heldOut.map(({ residual }) => residual)
  const weights = heldOut.map(({ weight }) => weight)
  const n = sum(weights)
  const bias = (quantile(residuals, 0.5, weights) * n) / (n + BIAS_SHRINKAGE)
  const errors = residuals.map((residual) => Math.abs(residual - bias))
  const size = sizeFor(heldOut, errors)
  const levels = levelsFor(heldOut, errors, size)
  const scores = heldOut.map((one) => (one.residual - bias) / expectedSizeOf({ size, levels }, one))
  const outer = Math.min(1, ((1 + COVERAGE) / 2) * (1 + 1 / heldOut.length))
  return {
    coverage: COVERAGE,
    bias,
    p10: -quantile(
      scores.map((score) => -score),
      outer,
      weights,
    ),
    p25: quantile(scores, 0.25, weights),
    p75: quantile(scores, 0.75, weights),
    p90: quantile(scores, outer, weights),
    size,
    levels,
    n: heldOut.length,
  }
}

/**
 * Coefficients of the size by grid search: those with the least pinball loss, that is the narrowest interval for its
 * coverage.
 */
function sizeFor(heldOut: readonly HeldOut[], errors: readonly number[]): Conformal['size'] {
  let best = { loss: Number.POSITIVE_INFINITY, size: FALLBACK.size }
  const weights = heldOut.map(({ weight }) => weight)
  const learnersDisagree = heldOut.some(({ disagreement }) => disagreement > 0)
  for (const byMissing of COEFFICIENTS) {
    for (const bySparsity of COEFFICIENTS) {
      for (const byDisagreement of learnersDisagree ? COEFFICIENTS : [0]) {
        const size: Conformal['size'] = [0, byMissing, bySparsity, byDisagreement]
        const sizes = heldOut.map((one) => expectedSizeOf({ size, levels: FALLBACK.levels }, one))
        const end = quantile(
          errors.map((error, i) => error / (sizes[i] ?? 1)),
          COVERAGE,
          weights,
        )
        const loss = sum(errors.map((error, i) => (weights[i] ?? 1) * pinball(error - end * (sizes[i] ?? 1))))
        if (loss < best.loss)
          best = { loss, size: [Math.log(Math.max(MIN_SIZE, end)), byMissing, bySparsity, byDisagreement] }
      }
    }
  }
  return best.size
}

const pinball = (over: number): number => (over > 0 ? COVERAGE * over : (COVERAGE - 1) * over)

/**
 * Group-conditional (Mondrian) calibration: the size of the errors in each quarter of the estimated price relative to
 * all, shrunk towards 1, so that cheap and expensive accounts are covered as often as the others (Vovk et al. 2003).
 */
function levelsFor(
  heldOut: readonly HeldOut[],
  errors: readonly number[],
  size: Conformal['size'],
): Conformal['levels'] {
  if (heldOut.length < MIN_HELD_OUT_FOR_GROUPS) return FALLBACK.levels
  const logPricesOf = (rows: readonly number[]) => rows.map((i) => heldOut[i]?.logPrice ?? 0)
  const weightsOf = (rows: readonly number[]) => rows.map((i) => heldOut[i]?.weight ?? 1)
  const order = [...heldOut.keys()].sort((a, b) => (heldOut[a]?.logPrice ?? 0) - (heldOut[b]?.logPrice ?? 0))
  const all = sum(weightsOf(order))
  const groups: number[][] = Array.from({ length: GROUPS }, () => [])
  let below = 0
  for (const i of order) {
    groups[Math.min(GROUPS - 1, Math.floor((GROUPS * below) / all))]?.push(i)
    below += heldOut[i]?.weight ?? 1
  }
  const logPrices = groups.map((rows) => quantile(logPricesOf(rows), 0.5, weightsOf(rows)))
  let logFactors = groups.map(() => 0)
  // factors are interpolated between groups, so that those of one depend on the others'
  for (let round = 0; round < GROUP_ROUNDS; round++) {
    const levels = { logPrices, logFactors }
    const scores = heldOut.map((one, i) => (errors[i] ?? 0) / expectedSizeOf({ size, levels }, one))
    logFactors = groups.map((rows, k) => {
      const own = quantile(
        rows.map((i) => scores[i] ?? 0),
        COVERAGE,
        weightsOf(rows),
      )
      return clamp((logFactors[k] ?? 0) + Math.log(Math.max(MIN_SIZE, own)), -MAX_LOG_FACTOR, MAX_LOG_FACTOR)
    })
  }
  return {
    logPrices,
    logFactors: logFactors.map((factor, k) => {
      const n = sum(weightsOf(groups[k] ?? []))
      return (factor * n) / (n + GROUP_SHRINKAGE)
    }),
  }
}

/** Expected size of the log error. Difficulty multiplies it by four at most, before widening and price level. */
export function expectedSizeOf(
  { size, levels }: Pick<Conformal, 'size' | 'levels'>,
  { missingInflation, sparsity, disagreement, logPrice, lowConfidence }: Omit<HeldOut, 'residual' | 'weight'>,
): number {
  const [constant = Math.log(0.2), byMissing = 0, bySparsity = 0, byDisagreement = 0] = size
  const widening = lowConfidence ? LOW_CONFIDENCE_WIDENING : 1
  const harder = byMissing * missingInflation + bySparsity * sparsity + byDisagreement * disagreement
  const level = hatBasis(levels.logPrices, logPrice).map(({ at, x }) => x * (levels.logFactors[at] ?? 0))
  return widening * Math.exp(constant + clamp(harder, 0, Math.log(4)) + sum(level))
}
