/**
 * What is fitted to few sales believes them too much: the items of a list take up the errors of the very sales they were
 * learned from, so that fields with many unknowns look dearer than they are. Sales the formula has not seen tell by how
 * much, and each field's part is brought back by that (the shrinkage of Copas 1983 and van Houwelingen 1990, by field).
 */
import type { Answers } from '@/contract/form/types'
import { answerOf, isAnswered } from './encode'
import { applyHedonic } from './hedonic'
import { biweight, clamp, robustSpread } from './numbers'
import { ridgeFit } from './solve'
import type { Hedonic } from './types'

/** One unseen sale: its log error, and by field how much a change of its scale and of its power would move the price. */
export interface Missed {
  residual: number
  slopes: ReadonlyMap<string, readonly [scale: number, power: number]>
}

/** Logs by which the level is moved, and scale and power of each field multiplied. */
export interface Temper {
  level: number
  fields: ReadonlyMap<string, readonly [scale: number, power: number]>
}

/** fewer unseen sales than this say nothing */
const FEWEST = 50
/** standard deviation of the belief that the formula is right as it is, and the most it is ever moved (logs) */
const BELIEF = 0.3
const MOST = 0.7

export function missedBy(hedonic: Hedonic, answers: Answers, residual: number): Missed {
  const { c, index } = applyHedonic(hedonic, answers, 'expected')
  const slopes = new Map<string, readonly [number, number]>()
  for (const [f, code] of hedonic.fields.entries()) {
    const part = c[f] ?? 0
    if (part <= 0 || !isAnswered(code, answerOf(answers, code.key))) continue
    const share = (hedonic.power * part) / index
    slopes.set(code.key, [share, share * Math.log(part / code.scale)])
  }
  return { residual, slopes }
}

/** One step of ridge regression of the errors on the slopes, wrong rows left out. */
export function temperOf(missed: readonly Missed[]): Temper {
  if (missed.length < FEWEST) return { level: 0, fields: new Map() }
  // by name: formulas of other sales may have taken other fields for multipliers
  const keys = [...new Set(missed.flatMap(({ slopes }) => [...slopes.keys()]))].sort()
  const residuals = missed.map(({ residual }) => residual)
  const spread = robustSpread(residuals)
  const [level = 0, ...found] = ridgeFit(
    missed.map(({ slopes }) => [1, ...keys.flatMap((key) => slopes.get(key) ?? [0, 0])]),
    residuals,
    residuals.map((residual) => biweight(residual, spread)),
    [0, ...keys.flatMap(() => [(spread / BELIEF) ** 2, (spread / BELIEF) ** 2])],
  )
  const moved = (k: number) => clamp(found[k] ?? 0, -MOST, MOST)
  return { level, fields: new Map(keys.map((key, k) => [key, [moved(2 * k), moved(2 * k + 1)]])) }
}

/** Scales and powers stay positive, so more of a thing is still never worth less. */
export function tempered(hedonic: Hedonic, { level, fields }: Temper): Hedonic {
  return {
    ...hedonic,
    level: hedonic.level + level,
    fields: hedonic.fields.map((code) => {
      const [scale, power] = fields.get(code.key) ?? [0, 0]
      return { ...code, scale: code.scale * Math.exp(scale), power: code.power * Math.exp(power) }
    }),
  }
}
