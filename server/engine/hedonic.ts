/** Applies the price formula (see `Hedonic`) to one account. */
import type { Answer, Answers } from '@/contract/form/types'
import { answerKey, answerOf, indexByWord, namesIn, scoreIn } from './encode'
import { clamp, DAY, sum } from './numbers'
import type { Coordinates } from './similarity'
import type { FactorCode, Hedonic, Multiplier, Observed } from './types'

/** The formula's prediction for one account, by part. */
export interface HedonicValue extends Coordinates {
  contributions: number[]
  /** interaction of each field with the rest (log) */
  interactions: number[]
  factors: { key: string; effect: number; answer: Answer | undefined }[]
  /** log price without market, asking and comparables */
  logValue: number
}

/**
 * How an unanswered field is valued. `worst`: like the worst answer, so that omitting an answer never raises the price; for
 * accounts to be valued. `average`: the average of such sales; for records of sales, where a missing answer is a
 * property of the record and not of the account.
 */
export type MissingValues = 'average' | 'worst'

export function applyHedonic(model: Hedonic, answers: Answers, missingValues: MissingValues): HedonicValue {
  const scores = model.fields.map((code) => scoreIn(answers, code))
  const contributions = model.fields.map((code, f) => {
    const score = scores[f]
    if (score === undefined) return missingValues === 'average' ? code.missing : 0
    return score > 0 ? code.scale * score ** code.power : 0
  })
  const interactions = model.fields.map((code, f) => code.interaction * Math.log1p(scores[f] ?? 0))
  const factors = model.factors.map((factor) => {
    const answer = answerOf(answers, factor.key)
    return { key: factor.key, answer, effect: effectOf(factor, answer, missingValues) }
  })
  return hedonicValueOf(model, { contributions, interactions, factors })
}

/** The value of an account with these parts. */
export function hedonicValueOf(
  { base, level, power }: Hedonic,
  parts: Pick<HedonicValue, 'contributions' | 'interactions' | 'factors'>,
): HedonicValue {
  const index = base + sum(parts.contributions)
  const logTerms = sum(parts.interactions) + sum(parts.factors.map(({ effect }) => effect))
  return { ...parts, index, logTerms, logValue: level + power * Math.log(index) + logTerms }
}

/** Log effect of an answer. */
export function effectOf(factor: FactorCode, answer: Answer | undefined, missingValues: MissingValues): number {
  const basis = basisOf(factor, answer)
  if (!basis) return missingValues === 'average' ? factor.unknown : factor.worst
  return basis.reduce((total, { index, x }) => total + x * (factor.effects[index] ?? 0), 0)
}

type Basis = { index: number; x: number }[]

/** The effects that make up that of an answer, and how often each counts; undefined without a known answer. */
export function basisOf(factor: Multiplier, answer: Answer | undefined): Basis | undefined {
  if (factor.kind === 'number')
    return typeof answer === 'number' && Number.isFinite(answer) ? hatBasis(factor.knots, answer) : undefined
  const isList = factor.kind === 'list'
  const words = isList ? namesIn(answer) : [answerKey(answer)]
  const basis = words.flatMap((word) => {
    const index = indexByWord(factor.answers).get(word)
    return index === undefined ? [] : { index, x: 1 }
  })
  return basis.length > 0 || (isList && Array.isArray(answer)) ? basis : undefined
}

/** Linear interpolation weights of a number between its two neighbouring knots. */
export function hatBasis(knots: readonly number[], value: number): Basis {
  const last = knots.length - 1
  const inside = clamp(value, knots[0] ?? 0, knots[last] ?? 0)
  const right = knots.findIndex((knot) => knot >= inside)
  if (right <= 0) return [{ index: 0, x: 1 }]
  const [from = 0, to = 0] = [knots[right - 1], knots[right]]
  const x = (inside - from) / (to - from)
  return [
    { index: right - 1, x: 1 - x },
    { index: right, x },
  ]
}

/** limit of extrapolating the long-term drift beyond the newest sale */
const MAX_DRIFT = 60 * DAY

/** Log market level at a time, relative to its average over the sales. */
export function marketAt({ start, step, values, drift }: Hedonic['market'], at: number): number {
  const last = values.length - 1
  const place = step > 0 ? clamp((at - start) / step, 0, last) : 0
  const left = Math.min(Math.floor(place), Math.max(0, last - 1))
  const from = values[left] ?? 0
  const beyond = clamp(at - (start + step * last), 0, MAX_DRIFT)
  return from + (place - left) * ((values[left + 1] ?? from) - from) + drift * beyond
}

/** Log residual of the formula: positive if the sale went for more than predicted. */
export function residualOf(hedonic: Hedonic, logValue: number, sale: Observed): number {
  const askingPremium = sale.kind === 'ASKING' ? hedonic.ask : 0
  return Math.log(sale.priceFen) - logValue - marketAt(hedonic.market, sale.at) - askingPremium
}
