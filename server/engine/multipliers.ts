/** What multiplies a price: one effect per answer of each factor field, and the market over time. */
import { optionsOf } from '@/contract/form/answers'
import type { FormConfig } from '@/contract/form/types'
import { isFactor, paths } from './encode'
import { answerKey } from './hedonic'
import { clamp, DAY, sum } from './numbers'
import type { FactorCode, Observed } from './types'

const MARKET_STEP = 45 * DAY

/** Multipliers: one column per answer of each factor, a line through the market, the asking markup. */
export interface Plan {
  factors: { key: string; answers: string[] }[]
  /** start of the market line and its knots, ms */
  knots: number[]
  /** by sale: its columns */
  rows: number[][]
}

export function multiplierPlan(config: FormConfig, sales: readonly Observed[]): Plan {
  const factors = config.fields.filter(isFactor).map((field) => {
    const known = field.type === 'bool' ? ['true', 'false'] : paths(optionsOf(config, field))
    return { key: field.key, answers: [...new Set([...known, 'unknown'])] }
  })
  const times = sales.map((sale) => sale.at)
  const start = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const end = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const steps = clamp(Math.round((end - start) / MARKET_STEP), 1, 40)
  const knots = Array.from({ length: steps + 1 }, (_, k) => start + ((end - start) * k) / steps)
  const rows = sales.map((sale) => [
    ...factors.flatMap(({ key, answers }) =>
      answers.map((answer) => (answerKey(sale.attributes[key]) === answer ? 1 : 0)),
    ),
    ...ramps(knots, sale.at),
  ])
  return { factors, knots, rows }
}

/** The market as a path of steps: column k is how far between knot k−1 and k the moment lies. */
function ramps(knots: readonly number[], at: number): number[] {
  return knots.slice(1).map((knot, k) => {
    const from = knots[k] ?? knot
    return knot > from ? clamp((at - from) / (knot - from), 0, 1) : 0
  })
}

/**
 * Effects relative to the first option, the plain case (安卓QQ, 可二次实名, 无防沉迷): the base then is the price with
 * nothing special. Unknown is never better than the average of what is known (product 2.3).
 */
export function factorCode(
  config: FormConfig,
  key: string,
  answers: readonly string[],
  effects: readonly number[],
): { code: FactorCode; mean: number } {
  const known = answers.flatMap((answer, i) => (answer === 'unknown' ? [] : [{ answer, effect: effects[i] ?? 0 }]))
  const mean = known[0]?.effect ?? 0
  const average = sum(known.map(({ effect }) => effect)) / Math.max(1, known.length)
  const fitted = effects[answers.indexOf('unknown')] ?? average
  const field = config.fields.find((candidate) => candidate.key === key)
  const order = field ? known : []
  return {
    code: {
      key,
      effects: Object.fromEntries(order.map(({ answer, effect }) => [answer, effect - mean])),
      unknown: Math.min(fitted, average) - mean,
    },
    mean,
  }
}
