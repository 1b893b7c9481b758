import { isEmpty, labelOf, visibleFields } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { isList, isPriced } from '../../../engine/encode'
import { titleOf } from '../../games/answers'

/** assets in the headline; more would not fit a marketplace's title */
const HEADLINE_ASSETS = 3
/** items named of one list; more would push the price out of a listing's first screen */
const MAX_ITEMS = 20
const ROLES: readonly Field['role'][] = ['value*', 'value', 'value-']
/** answers that no listing advertises: a buyer does not pay for what an account lacks */
const NOTHING = [0, 'none', 'unknown', false] as readonly unknown[]

/** `可二次实名`, `封禁/处罚：正常`: with the field's label where the answer does not name its subject. */
function term(config: FormConfig, field: Field, answers: Answers): string {
  const text = labelOf(config, field, answers[field.key])
  const names = [field.label, ...(field.alias ?? [])]
  return names.some((name) => text.includes(name)) ? text : `${field.label}：${text}`
}

function items(config: FormConfig, field: Field, answers: Answers): string {
  const answer = answers[field.key]
  const all = Array.isArray(answer) ? answer.length : 0
  const named = Array.isArray(answer) ? (answer.slice(0, MAX_ITEMS) as typeof answer) : answer
  return `${field.label}：${labelOf(config, field, named)}${all > MAX_ITEMS ? `等 ${all} 个` : ''}`
}

/**
 * What a buyer asks about an account, as lines of a listing: the headline, binding and penalties as the owner answered
 * them, items by name, ranks and counts. Without the account's id, pictures and the owner's remark.
 */
export function listingLines(config: FormConfig, answers: Answers): string[] {
  const answered = visibleFields(config, answers).filter(({ key }) => !isEmpty(answers[key]))
  const title = titleOf(config, answers)
  const assets = answered.filter((field) => isPriced(field) && !NOTHING.includes(answers[field.key]))
  const [lists, figures] = [assets.filter(isList), assets.filter((field) => !isList(field))]
  const counts = figures
    .sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role))
    .map((field) => `${field.label} ${labelOf(config, field, answers[field.key])}`)
  const terms = answered
    .filter(({ role }) => role === 'factor' || role === 'risk')
    // the title names the first factor
    .filter((field) => title !== `${config.name} · ${labelOf(config, field, answers[field.key])}`)
    .map((field) => term(config, field, answers))
  const rest = counts.slice(HEADLINE_ASSETS)
  return [
    `【${config.name}】${[...title.split(' · ').slice(1), ...counts.slice(0, HEADLINE_ASSETS)].join(' ')}`,
    ...(terms.length > 0 ? [`账号情况：${terms.join('、')}`] : []),
    ...lists.map((field) => items(config, field, answers)),
    ...(rest.length > 0 ? [`另有：${rest.join('、')}`] : []),
  ]
}
