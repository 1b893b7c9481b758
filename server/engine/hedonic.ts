/** Applying the price formula (see `Hedonic`) to one account. */
import type { Answer, Answers } from '@/contract/form/types'
import { contributions, encode, fillMissing, isKnown, richness } from './encode'
import { clamp, sum } from './numbers'
import type { Hedonic } from './types'

/** An answer as a key of `FactorCode.effects`. */
export const answerKey = (answer: Answer | undefined): string =>
  isKnown(answer) ? (Array.isArray(answer) ? answer.join('/') : String(answer)) : 'unknown'

/** What the formula says about one account, in parts. */
export interface Parts {
  /** contribution to the index by field */
  c: number[]
  index: number
  /** share of index fields that are answered */
  known: boolean[]
  factors: { key: string; effect: number; answer: Answer | undefined }[]
  /** log price without market, asking and comparables */
  logValue: number
}

export function applyHedonic(model: Hedonic, answers: Answers): Parts {
  const row = encode(model.fields, answers)
  const known = contributions(model.fields, row, model.weights)
  const filled = fillMissing(model.fields, row, richness(row, known, model.means))
  const c = contributions(model.fields, filled, model.weights)
  const index = model.base + sum(c)
  const factors = model.factors.map((factor) => {
    const answer = answers[factor.key]
    return { key: factor.key, answer, effect: factor.effects[answerKey(answer)] ?? factor.unknown }
  })
  const logValue = model.scale + model.level + model.power * Math.log(index) + sum(factors.map(({ effect }) => effect))
  return { c, index, known: row.known, factors, logValue }
}

/** Log of the market at a moment, relative to its average over the sales. */
export function marketAt({ start, step, values }: Hedonic['market'], at: number): number {
  const place = step > 0 ? clamp((at - start) / step, 0, values.length - 1) : 0
  const left = Math.min(Math.floor(place), Math.max(0, values.length - 2))
  const from = values[left] ?? 0
  return from + (place - left) * ((values[left + 1] ?? from) - from)
}
