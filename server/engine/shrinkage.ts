/**
 * What is fitted to few sales believes them too much: the items of a list take up the errors of the very sales they were
 * learned from, so that fields with many unknowns look dearer than they are. Sales the formula has not seen tell by how
 * much, and each field's part is brought back by that (the shrinkage of Copas 1983 and van Houwelingen 1990, by field).
 */
import type { Answers } from '@/contract/form/types'
import { answerOf, isAnswered } from './encode'
import { applyHedonic } from './hedonic'
import { biweight, clamp, quantile, robustSpread } from './numbers'
import { ridgeFit } from './solve'
import type { Hedonic } from './types'

/**
 * One unseen sale: its log error, and by field how much a dearer part and a steeper power would move its price. Powers turn
 * about an ordinary account's part: turned about anything else they would move all prices, by more than one step tells.
 */
export interface Missed {
  residual: number
  slopes: ReadonlyMap<string, readonly [part: number, power: number]>
}

/** By field: log by which the part of an ordinary account and its power are multiplied. */
export type Temper = ReadonlyMap<string, readonly [part: number, power: number]>

/** fewer unseen sales than this say nothing */
const MIN_UNSEEN_SALES = 50
/** standard deviation of the belief that the formula is right as it is, and the most it is ever moved (logs) */
const PRIOR_SD = 0.3
const MAX_SHIFT = 0.7

export function missedBy(hedonic: Hedonic, answers: Answers, residual: number): Missed {
  const { c, index } = applyHedonic(hedonic, answers, 'expected')
  const slopes = new Map<string, readonly [number, number]>()
  for (const [f, code] of hedonic.fields.entries()) {
    const part = c[f] ?? 0
    if (part <= 0 || code.mean <= 0 || !isAnswered(code, answerOf(answers, code.key))) continue
    const share = (hedonic.power * part) / index
    slopes.set(code.key, [share, share * Math.log(part / code.mean)])
  }
  return { residual, slopes }
}

/** One step of ridge regression of the errors on the slopes, wrong rows left out. */
export function temperOf(missed: readonly Missed[]): Temper {
  if (missed.length < MIN_UNSEEN_SALES) return new Map()
  // by name: formulas of other sales may have taken other fields for multipliers
  const keys = [...new Set(missed.flatMap(({ slopes }) => [...slopes.keys()]))].sort()
  const residuals = missed.map(({ residual }) => residual)
  const spread = robustSpread(residuals)
  const [, ...found] = ridgeFit(
    missed.map(({ slopes }) => [1, ...keys.flatMap((key) => slopes.get(key) ?? [0, 0])]),
    residuals,
    residuals.map((residual) => biweight(residual, spread)),
    [0, ...keys.flatMap(() => [(spread / PRIOR_SD) ** 2, (spread / PRIOR_SD) ** 2])],
  )
  const moved = (k: number) => clamp(found[k] ?? 0, -MAX_SHIFT, MAX_SHIFT)
  return new Map(keys.map((key, k) => [key, [moved(2 * k), moved(2 * k + 1)]]))
}

/**
 * The formula corrected, its level such that the median price of `accounts` stays where it was. Scales and powers stay
 * positive, so more of a thing is still never worth less.
 */
export function tempered(hedonic: Hedonic, temper: Temper, accounts: readonly Answers[]): Hedonic {
  if (temper.size === 0) return hedonic
  const fields = hedonic.fields.map((code) => {
    const [dearer, steeper] = temper.get(code.key) ?? [0, 0]
    if (code.mean <= 0) return code
    const bend = Math.exp(steeper)
    const scale = Math.exp(dearer) * code.mean * (code.scale / code.mean) ** bend
    return { ...code, scale, power: code.power * bend }
  })
  const bent = { ...hedonic, fields }
  const logOf = (formula: Hedonic, account: Answers) => applyHedonic(formula, account, 'expected').logValue
  const off = accounts.map((account) => logOf(hedonic, account) - logOf(bent, account))
  return { ...bent, level: hedonic.level + quantile(off, 0.5) }
}
