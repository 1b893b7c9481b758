/** Implausible answers of an account. They lower the confidence and never raise the price. */
import type { Answer, Answers, FormConfig } from '@/contract/form/types'
import { affectsPrice, validateAnswers } from '@/contract/form/validate'
import { answerOf, isKnown, isList, isNumber, isPriced } from './encode'
import type { FieldCode } from './types'

/** Everything implausible about the answers, as sentences. */
export function implausibleAnswers(config: FormConfig, codes: readonly FieldCode[], answers: Answers): string[] {
  const issues = validateAnswers(config, answers, 'MANUAL')
  const isRefused = (key: string) => issues.some(({ path, level }) => level === 'error' && path.split('.')[0] === key)
  const strange = config.fields.filter(
    (field) => affectsPrice(field) && isKnown(answerOf(answers, field.key)) && isRefused(field.key),
  )
  const counts = config.fields.filter((field) => isPriced(field) && (isNumber(field) || isList(field)))
  const nothing = counts.length > 1 && counts.every(({ key }) => isNothing(answerOf(answers, key)))
  return [
    ...strange.map(({ label }) => `${label}的内容不在可选范围内，按不清楚处理`),
    ...issues.flatMap(({ level, msg }) => (level === 'warning' ? [`资料前后不一致：${msg}`] : [])),
    ...(nothing ? ['几乎没有填写可估价的资产'] : []),
    ...cappedAnswers(config, codes, answers),
  ]
}

const isNothing = (answer: Answer | undefined): boolean =>
  !isKnown(answer) || answer === 0 || (Array.isArray(answer) && answer.length === 0)

/** Numbers above the range of the sales: the excess adds nothing to the price, which the report states. */
function cappedAnswers(config: FormConfig, codes: readonly FieldCode[], answers: Answers): string[] {
  return codes.flatMap((code) => {
    const answer = answerOf(answers, code.key)
    if (code.kind !== 'number' || typeof answer !== 'number' || answer <= code.cap) return []
    const { label = code.key, unit = '' } = config.fields.find(({ key }) => key === code.key) ?? {}
    return [`${label} ${answer}${unit}超出成交过的范围，只按 ${Math.floor(code.cap)}${unit}计价`]
  })
}
