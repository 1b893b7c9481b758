/**
 * Corrects overfitting: the weights of list items absorb the errors of the few sales they were fitted to, so that
 * fields with many parameters seem more valuable than they are. Out-of-fold residuals show by how much, and each
 * field's part is shrunk accordingly (Copas 1983 and van Houwelingen 1990, here by field).
 */
import type { Answers } from '@/contract/form/types'
import { answerOf, isAnswered } from './encode'
import { applyHedonic } from './hedonic'
import { biweight, clamp, quantile, robustSpread } from './numbers'
import { ridgeFit } from './solve'
import type { Hedonic, Observed } from './types'

/**
 * One out-of-fold sale: its log residual, and by field the derivatives of its log price with respect to the logs of the
 * part and of the power. The power varies about the mean part: about any other point it would shift all prices by more
 * than one linear step can correct.
 */
export interface HeldOutResidual {
  residual: number
  weight: number
  derivatives: ReadonlyMap<string, readonly [part: number, power: number]>
}

/** By field: logs of the factors for an average account's part and for its power. */
export type FieldShrinkage = ReadonlyMap<string, readonly [part: number, power: number]>

/** with fewer out-of-fold sales nothing is corrected */
const MIN_UNSEEN_SALES = 50
/** prior standard deviation of the corrections, and their limit (logs) */
const PRIOR_SD = 0.3
const MAX_SHIFT = 0.7

export function residualGradient(hedonic: Hedonic, answers: Answers, residual: number, weight = 1): HeldOutResidual {
  const { contributions, index } = applyHedonic(hedonic, answers, 'average')
  const derivatives = new Map<string, readonly [number, number]>()
  for (const [f, code] of hedonic.fields.entries()) {
    const part = contributions[f] ?? 0
    if (part <= 0 || code.mean <= 0 || !isAnswered(code, answerOf(answers, code.key))) continue
    const share = (hedonic.power * part) / index
    derivatives.set(code.key, [share, share * Math.log(part / code.mean)])
  }
  return { residual, weight, derivatives }
}

/** One step of ridge regression of the residuals on the slopes; outliers get no weight. */
export function fitFieldShrinkage(heldOut: readonly HeldOutResidual[]): FieldShrinkage {
  if (heldOut.length < MIN_UNSEEN_SALES) return new Map()
  // by key: the formulas of other folds may treat other fields as multipliers
  const keys = [...new Set(heldOut.flatMap(({ derivatives }) => [...derivatives.keys()]))].sort()
  const residuals = heldOut.map(({ residual }) => residual)
  const weights = heldOut.map(({ weight }) => weight)
  const spread = robustSpread(residuals, weights)
  const [, ...found] = ridgeFit(
    heldOut.map(({ derivatives }) => [1, ...keys.flatMap((key) => derivatives.get(key) ?? [0, 0])]),
    residuals,
    residuals.map((residual, i) => (weights[i] ?? 1) * biweight(residual, spread)),
    [0, ...keys.flatMap(() => [(spread / PRIOR_SD) ** 2, (spread / PRIOR_SD) ** 2])],
  )
  const moved = (k: number) => clamp(found[k] ?? 0, -MAX_SHIFT, MAX_SHIFT)
  return new Map(keys.map((key, k) => [key, [moved(2 * k), moved(2 * k + 1)]]))
}

/**
 * The corrected formula, its level adjusted so that the median price change of `sales` is 0. Scales and powers stay
 * positive, so the price stays monotone.
 */
export function applyFieldShrinkage(
  hedonic: Hedonic,
  shrinkage: FieldShrinkage,
  sales: readonly Pick<Observed, 'attributes' | 'weight'>[],
): Hedonic {
  if (shrinkage.size === 0) return hedonic
  const fields = hedonic.fields.map((code) => {
    const [logScale, logPower] = shrinkage.get(code.key) ?? [0, 0]
    if (code.mean <= 0) return code
    const powerFactor = Math.exp(logPower)
    const scale = Math.exp(logScale) * code.mean * (code.scale / code.mean) ** powerFactor
    return { ...code, scale, power: code.power * powerFactor }
  })
  const corrected = { ...hedonic, fields }
  const logOf = (formula: Hedonic, account: Answers) => applyHedonic(formula, account, 'average').logValue
  const shifts = sales.map(({ attributes }) => logOf(hedonic, attributes) - logOf(corrected, attributes))
  const weights = sales.map(({ weight = 1 }) => weight)
  return { ...corrected, level: hedonic.level + quantile(shifts, 0.5, weights) }
}
