/** Features of the trees: amounts, levels and lists of the form, and the formula's values of lists and choices. */
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { answerKey, answerOf, indexByWord, isAnswered, scoreIn } from './encode'
import type { Point } from './gradient-boosting'
import { effectOf, isUnanswered, type MissingValues } from './hedonic'
import { clamp } from './numbers'
import type { FactorCode, FieldCode, Hedonic } from './types'

/** One feature and the field it belongs to. */
export interface Feature {
  key: string
  /** monotone constraint: 1 rising, −1 falling, 0 none */
  monotone: -1 | 0 | 1
}

/** numbers beyond this are input errors */
const LARGEST = 1e15

/** Roles with a guaranteed direction: more of a main or secondary value driver never lowers the price. */
const isMonotone = (field: Field | undefined): boolean => field?.role === 'value*' || field?.role === 'value'

/**
 * The features for a formula, by field. A field that the sales reversed (more is worth less) is constrained to fall, as in the
 * formula.
 */
export function featuresOf(config: FormConfig, { fields, factors }: Hedonic): Feature[] {
  const promised = (key: string) => isMonotone(config.fields.find((field) => field.key === key))
  return [
    ...fields.flatMap((code): Feature[] => {
      const up: Feature['monotone'] = promised(code.key) ? 1 : 0
      if (code.kind === 'list') return new Array(widthOf(code)).fill({ key: code.key, monotone: up })
      return [{ key: code.key, monotone: code.kind === 'number' && code.down && up ? -1 : up }]
    }),
    ...factors.flatMap((factor): Feature[] => new Array(widthOf(factor)).fill({ key: factor.key, monotone: 0 })),
  ]
}

/**
 * The features of an account. @param formula defines the columns @param scores the formula that values lists and
 * choices; out of fold it is another one
 */
export function featureVector(
  formula: Hedonic,
  scores: Hedonic,
  answers: Answers,
  missingValues: MissingValues,
): Point {
  const fields = formula.fields.flatMap((code) => ofField(code, sameField(scores.fields, code), answers))
  const factors = formula.factors.flatMap((factor) =>
    ofFactor(factor, sameField(scores.factors, factor) ?? factor, answers),
  )
  const x = Float64Array.from([...fields, ...factors])
  const unanswered = Uint8Array.from(x, (value) => (missingValues === 'worst' && Number.isNaN(value) ? 1 : 0))
  return { x, unanswered }
}

const widthOf = ({ kind }: FieldCode | FactorCode): number => (kind === 'list' || kind === 'choice' ? 2 : 1)

const sameField = <Code extends { key: string }>(codes: readonly Code[], { key }: Code): Code | undefined =>
  codes.find((code) => code.key === key)

/** The values of a field's columns, NaN where it is unanswered. @param scored the formula that values lists */
export function ofField(code: FieldCode, scored: FieldCode | undefined, answers: Answers): number[] {
  const answer = answerOf(answers, code.key)
  const known = isAnswered(code, answer)
  if (code.kind === 'list')
    return known && Array.isArray(answer)
      ? [answer.length, Math.log1p(scored?.kind === 'list' ? (scoreIn(answers, scored) ?? 0) : 0)]
      : [Number.NaN, Number.NaN]
  if (!known) return [Number.NaN]
  if (code.kind === 'number') return [clamp(Number(answer), -LARGEST, LARGEST)]
  if (code.kind === 'flag') return [(answer === true) !== code.down ? 1 : 0]
  return [indexByWord(code.ranks).get(answerKey(answer)) ?? 0]
}

/** A choice as its effect in the formula and as its index, so that trees can distinguish answers of equal effect. */
function ofFactor(factor: FactorCode, scored: FactorCode, answers: Answers): number[] {
  const answer = answerOf(answers, factor.key)
  if (isUnanswered(factor, answer)) return new Array(widthOf(factor)).fill(Number.NaN)
  if (factor.kind === 'number') return [clamp(Number(answer), -LARGEST, LARGEST)]
  return [effectOf(scored, answer, 'average'), indexByWord(factor.answers).get(answerKey(answer)) ?? 0]
}

/** First column and number of columns of each field: those of the index first, then the multipliers. */
export function columnsOf({ fields, factors }: Hedonic): { first: number; count: number }[] {
  let next = 0
  return [...fields, ...factors].map(widthOf).map((count) => {
    const first = next
    next += count
    return { first, count }
  })
}
