/** What makes an account hard to believe as it was given. Never a reason to pay more for it. */
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { validateAnswers } from '@/contract/form/validate'
import { answerKey, answerOf, isFactor, isKnown, isList, isNumber, isPriced, paths } from './encode'
import type { FieldCode } from './types'

/** Sentences; none for an account that hangs together. */
export function doubtsAbout(config: FormConfig, answers: Answers): string[] {
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

/** Numbers beyond what any sale shows a price for: what is more than that adds nothing, and the owner is told. */
export function beyondSales(config: FormConfig, codes: readonly FieldCode[], answers: Answers): string[] {
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
  return !paths(optionsOf(config, field)).includes(answerKey(answer))
}

/** What the form itself would warn of: parts that add up to more than their whole. */
function contradictions(config: FormConfig, answers: Answers): string[] {
  const warnings = validateAnswers(config, answers, 'MANUAL').filter(({ level }) => level === 'warning')
  return warnings.map(({ msg }) => `资料前后不一致：${msg}`)
}

/** Numbers as they are, lists with their copies. */
function amountOf(answer: Answer | undefined): number {
  if (typeof answer === 'number') return answer
  if (!Array.isArray(answer)) return 0
  return answer.reduce((total, row) => total + 1 + (typeof row === 'object' && 'dup' in row ? row.dup : 0), 0)
}
