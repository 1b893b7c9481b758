/** Answers → the numbers the trees see: amounts, levels and lists of the form, and what the formula makes of them. */
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { answerKey, answerOf, isAnswered, placesOf, scoreIn } from './encode'
import type { Point } from './forest'
import { type Blanks, effectOf, isOpen, type Parts } from './hedonic'
import { clamp } from './numbers'
import type { FactorCode, FieldCode, Hedonic } from './types'

/** One column of the trees' table and the field it is about; that of the formula's own price is about none. */
export interface Feature {
  key: string | undefined
  /** 1: the price may only rise with it, −1: only fall */
  monotone: -1 | 0 | 1
}

/** beyond this a number is a mistake */
const LARGEST = 1e15

/** What the form promises: more of a main or second driver is never worth less; the rest promises nothing. */
const isPromised = (field: Field | undefined): boolean => field?.role === 'value*' || field?.role === 'value'

/**
 * The columns by a formula: each field's own, then the formula's price. A field which the sales turned round (more is worth
 * less) points down, as in the formula.
 */
export function featuresOf(config: FormConfig, { fields, factors }: Hedonic): Feature[] {
  const promised = (key: string) => isPromised(config.fields.find((field) => field.key === key))
  return [
    ...fields.flatMap((code): Feature[] => {
      const up: Feature['monotone'] = promised(code.key) ? 1 : 0
      if (code.kind === 'list') return new Array(widthOf(code)).fill({ key: code.key, monotone: 1 })
      return [{ key: code.key, monotone: code.kind === 'number' && code.down && up ? -1 : up }]
    }),
    ...factors.flatMap((factor): Feature[] => new Array(widthOf(factor)).fill({ key: factor.key, monotone: 0 })),
    { key: undefined, monotone: 1 },
  ]
}

/**
 * The features of an account. @param shape the formula whose fields the columns stand for @param scores the formula that
 * says what lists and choices are worth: out of fold it is another one than `shape`
 */
export function pointOf(shape: Hedonic, scores: Hedonic, answers: Answers, parts: Parts, blanks: Blanks): Point {
  const fields = shape.fields.flatMap((code) => ofField(code, partner(scores.fields, code), answers))
  const factors = shape.factors.flatMap((factor) =>
    ofFactor(factor, partner(scores.factors, factor) ?? factor, answers),
  )
  const x = Float64Array.from([...fields, ...factors, parts.logValue])
  const open = Uint8Array.from(x, (value) => (blanks === 'nothing' && Number.isNaN(value) ? 1 : 0))
  return { x, open }
}

const widthOf = ({ kind }: FieldCode | FactorCode): number => (kind === 'list' || kind === 'choice' ? 2 : 1)

const partner = <Code extends { key: string }>(codes: readonly Code[], { key }: Code): Code | undefined =>
  codes.find((code) => code.key === key)

function ofField(code: FieldCode, scored: FieldCode | undefined, answers: Answers): number[] {
  const answer = answerOf(answers, code.key)
  const known = isAnswered(code, answer)
  if (code.kind === 'list')
    return known && Array.isArray(answer)
      ? [answer.length, Math.log1p(scored?.kind === 'list' ? (scoreIn(answers, scored) ?? 0) : 0)]
      : [Number.NaN, Number.NaN]
  if (!known) return [Number.NaN]
  if (code.kind === 'number') return [clamp(Number(answer), -LARGEST, LARGEST)]
  if (code.kind === 'flag') return [(answer === true) !== code.down ? 1 : 0]
  return [placesOf(code.ranks).get(answerKey(answer)) ?? 0]
}

/** A choice by what the formula makes of it, and by its place, so that trees may also tell apart what costs the same. */
function ofFactor(factor: FactorCode, scored: FactorCode, answers: Answers): number[] {
  const answer = answerOf(answers, factor.key)
  if (isOpen(factor, answer)) return new Array(widthOf(factor)).fill(Number.NaN)
  if (factor.kind === 'number') return [clamp(Number(answer), -LARGEST, LARGEST)]
  return [effectOf(scored, answer, 'expected'), placesOf(factor.answers).get(answerKey(answer)) ?? 0]
}

/** Where the columns of each field begin and how many there are: those of the index first, then the multipliers. */
export function columnsOf({ fields, factors }: Hedonic): { first: number; count: number }[] {
  let next = 0
  return [...fields, ...factors].map(widthOf).map((count) => {
    const first = next
    next += count
    return { first, count }
  })
}
