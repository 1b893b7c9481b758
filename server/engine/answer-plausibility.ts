/** Implausible answers of an account. They lower the confidence and never raise the price. */
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { validateAnswers } from '@/contract/form/validate'
import { answerKey, answerOf, isFactor, isKnown, isList, isNumber, isPriced, leafOptions } from './encode'
import type { FieldCode } from './types'

/** Contradictions as sentences; empty for a consistent account. */
function plausibilityIssues(config: FormConfig, answers: Answers): string[] {
  const fields = config.fields.filter((field) => isPriced(field) || isFactor(field))
  const strange = fields.filter((field) => isStrange(config, field, answerOf(answers, field.key)))
  const counts = fields.filter((field) => isPriced(field) && (isNumber(field) || isList(field)))
  const nothing = counts.length > 1 && counts.every((field) => amountOf(answerOf(answers, field.key)) === 0)
  return [
    ...strange.map((field) => `${field.label}的内容不在可选范围内，按不清楚处理`),
    ...contradictions(config, answers),
    ...(nothing ? ['几乎没有填写可估价的资产'] : []),
  ]
}

/** Numbers above the range of the sales: the excess adds nothing to the price, which the report states. */
function cappedAnswers(config: FormConfig, codes: readonly FieldCode[], answers: Answers): string[] {
  return codes.flatMap((code) => {
    const answer = answerOf(answers, code.key)
    if (code.kind !== 'number' || typeof answer !== 'number' || answer <= code.cap) return []
    const { label = code.key, unit = '' } = config.fields.find(({ key }) => key === code.key) ?? {}
    return [`${label} ${answer}${unit}超出成交过的范围，只按 ${Math.floor(code.cap)}${unit}计价`]
  })
}

function isStrange(config: FormConfig, field: Field, answer: Answer | undefined): boolean {
  if (!isKnown(answer)) return false
  if (isNumber(field)) {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field.rules
    return typeof answer !== 'number' || !(answer >= min && answer <= max)
  }
  if (field.type !== 'select' && field.type !== 'cascader') return false
  return !leafOptions(optionsOf(config, field)).includes(answerKey(answer))
}

/** Warnings of the form's own validation, such as parts that add up to more than their total. */
function contradictions(config: FormConfig, answers: Answers): string[] {
  const warnings = validateAnswers(config, answers, 'MANUAL').filter(({ level }) => level === 'warning')
  return warnings.map(({ msg }) => `资料前后不一致：${msg}`)
}

/** Amount of an answer: the number itself, or the items of a list including duplicates. */
function amountOf(answer: Answer | undefined): number {
  if (typeof answer === 'number') return answer
  if (!Array.isArray(answer)) return 0
  return answer.reduce((total, row) => total + 1 + (typeof row === 'object' && 'dup' in row ? row.dup : 0), 0)
}

/** Everything implausible about the answers, as sentences: the valuation and the calibration of its range both use this. */
export const implausibleAnswers = (config: FormConfig, codes: readonly FieldCode[], answers: Answers): string[] => [
  ...plausibilityIssues(config, answers),
  ...cappedAnswers(config, codes, answers),
]
