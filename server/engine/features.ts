/** Features of the trees: amounts, levels and lists of the form, and the formula's values of lists and choices. */
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { answerKey, answerOf, indexByWord, isAnswered, namesIn, scoreIn } from './encode'
import { LARGEST } from './feature-layout'
import type { Point } from './gradient-boosting'
import { basisOf, effectOf, type MissingValues } from './hedonic'
import { clamp, placesOf } from './numbers'
import type { FactorCode, FieldCode, Hedonic } from './types'

/** Roles with a guaranteed direction: more of a main or secondary value driver never lowers the price. */
const isMonotone = (field: Field | undefined): boolean => field?.role === 'value*' || field?.role === 'value'

/**
 * The monotone constraint of each feature of a formula: 1 rising, −1 falling, 0 none. A field that the sales reversed (more is
 * worth less) is constrained to fall, as in the formula.
 */
export function monotoneFeatures(config: FormConfig, { fields, factors }: Hedonic): number[] {
  return [...fields, ...factors].flatMap((code) => {
    const sign = code.kind === 'number' && 'down' in code && code.down ? -1 : 1
    const isPromised = 'scale' in code && isMonotone(config.fields.find(({ key }) => key === code.key))
    return new Array<number>(widthOf(code)).fill(isPromised ? sign : 0)
  })
}

/** The features of an account, with lists and choices as the formula values them. */
export function featureVector({ fields, factors }: Hedonic, answers: Answers, missingValues: MissingValues): Point {
  const x = Float64Array.from([
    ...fields.flatMap((code) => ofField(code, answers)),
    ...factors.flatMap((factor) => ofFactor(factor, answers)),
  ])
  const unanswered = Uint8Array.from(x, (value) => (missingValues === 'worst' && Number.isNaN(value) ? 1 : 0))
  return { x, unanswered }
}

const widthOf = ({ kind }: FieldCode | FactorCode): number => (kind === 'list' || kind === 'choice' ? 2 : 1)

/** The values of a field's columns, NaN where it is unanswered. */
function ofField(code: FieldCode, answers: Answers): number[] {
  const answer = answerOf(answers, code.key)
  const known = isAnswered(code, answer)
  if (code.kind === 'list')
    return known && Array.isArray(answer)
      ? [answer.length, Math.log1p(scoreIn(answers, code) ?? 0)]
      : [Number.NaN, Number.NaN]
  if (!known) return [Number.NaN]
  if (code.kind === 'number') return [clamp(Number(answer), -LARGEST, LARGEST)]
  if (code.kind === 'flag') return [(answer === true) !== code.down ? 1 : 0]
  return [indexByWord(code.ranks).get(answerKey(answer)) ?? 0]
}

/** A choice as its effect in the formula and as its index, so that trees can distinguish answers of equal effect; a list with its length. */
function ofFactor(factor: FactorCode, answers: Answers): number[] {
  const answer = answerOf(answers, factor.key)
  if (!basisOf(factor, answer)) return new Array(widthOf(factor)).fill(Number.NaN)
  if (factor.kind === 'number') return [clamp(Number(answer), -LARGEST, LARGEST)]
  const place = indexByWord(factor.answers).get(answerKey(answer)) ?? 0
  return [effectOf(factor, answer, 'average'), factor.kind === 'list' ? namesIn(answer).length : place]
}

/** First column and number of columns of each field: those of the index first, then the multipliers. */
export const columnsOf = ({ fields, factors }: Hedonic) => placesOf([...fields, ...factors].map(widthOf))
