/** Applies the price formula (see `Hedonic`) to one account. */
import type { Answer, Answers } from '@/contract/form/types'
import { answerKey, answerOf, indexByWord, isKnown, partOf, scoreIn } from './encode'
import { imputedOf, zScoresOf } from './imputation'
import { clamp, DAY, sum } from './numbers'
import type { Coordinates } from './similarity'
import type { FactorCode, FieldCode, Hedonic } from './types'

/** The formula's prediction for one account, by part. */
export interface Parts extends Coordinates {
  c: number[]
  /** interaction of each field with the rest (log) */
  lifts: number[]
  factors: { key: string; effect: number; answer: Answer | undefined }[]
  /** log price without market, asking and comparables */
  logValue: number
  /** log error due to blanks */
  gap: number
}

/**
 * How a blank field is valued. `nothing`: like the worst answer, so that omitting an answer never raises the price; for
 * accounts to be valued. `expected`: imputed from such accounts' average; for records of sales, where a blank is a
 * property of the record and not of the account.
 */
export type MissingValues = 'expected' | 'nothing'

const NOTHING = { part: 0, lift: 0 }

export function applyHedonic(model: Hedonic, answers: Answers, blanks: MissingValues): Parts {
  const known = model.fields.map((code) => {
    const score = scoreIn(answers, code)
    return score === undefined ? undefined : { part: partOf(code, score), lift: code.lift * Math.log1p(score) }
  })
  const marks = zScoresOf(
    model.fields.map(({ mean }) => mean),
    known.map((one) => one?.part),
  )
  const had = known.map((one, f) => one ?? (blanks === 'expected' ? expected(model.fields[f], marks, f) : NOTHING))
  const c = had.map(({ part }) => part)
  const lifts = had.map(({ lift }) => lift)
  const index = model.base + sum(c)
  const factors = model.factors.map((factor) => {
    const answer = answerOf(answers, factor.key)
    return { key: factor.key, answer, effect: effectOf(factor, answer, blanks) }
  })
  const f = sum(lifts) + sum(factors.map(({ effect }) => effect))
  const logValue = model.scale + model.level + model.power * Math.log(index) + f
  const gap = Math.hypot(
    ...model.fields.map(({ gap }, i) => (known[i] ? 0 : gap)),
    ...model.factors.map((factor) => (isUnanswered(factor, answerOf(answers, factor.key)) ? factor.gap : 0)),
  )
  return { c, index, lifts, factors, f, logValue, gap }
}

function expected(field: FieldCode | undefined, marks: readonly number[], f: number): { part: number; lift: number } {
  if (!field) return NOTHING
  const { part, alike, lift } = field.missing
  return { part: part[0] + part[1] * imputedOf(alike, marks, f), lift }
}

/** True if the factor has no effect for this answer. */
export const isUnanswered = (factor: FactorCode, answer: Answer | undefined): boolean =>
  factor.kind === 'choice'
    ? !isKnown(answer) || !indexByWord(factor.answers).has(answerKey(answer))
    : typeof answer !== 'number' || !Number.isFinite(answer)

/** Log ratio of the expected error to that of an account without blanks. */
export const logErrorInflation = (model: Hedonic, { gap }: Pick<Parts, 'gap'>): number =>
  Math.log(Math.hypot(1, gap / model.spread))

/** Log effect of an answer. */
export function effectOf(factor: FactorCode, answer: Answer | undefined, blanks: MissingValues): number {
  const unknown = blanks === 'expected' ? factor.unknown : factor.worst
  if (factor.kind === 'choice') {
    const place = isKnown(answer) ? indexByWord(factor.answers).get(answerKey(answer)) : undefined
    return place === undefined ? unknown : (factor.effects[place] ?? 0)
  }
  if (typeof answer !== 'number' || !Number.isFinite(answer)) return unknown
  return hatBasis(factor.knots, answer).reduce((total, { at, x }) => total + x * (factor.effects[at] ?? 0), 0)
}

/** Linear interpolation weights of a number between its two neighbouring knots. */
export function hatBasis(knots: readonly number[], value: number): { at: number; x: number }[] {
  const last = knots.length - 1
  const inside = clamp(value, knots[0] ?? 0, knots[last] ?? 0)
  const right = knots.findIndex((knot) => knot >= inside)
  if (right <= 0) return [{ at: 0, x: 1 }]
  const [from = 0, to = 0] = [knots[right - 1], knots[right]]
  const x = (inside - from) / (to - from)
  return [
    { at: right - 1, x: 1 - x },
    { at: right, x },
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
