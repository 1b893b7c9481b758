/** What the account of a comparable sale has and the order's has not, in full: the model names three differences only. */
import { isEmpty, labelOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { isFactor, isList, isPriced } from '../engine/encode'
import { type Html, html } from '../http/html'

/** Every item with its own details: the same character with another constellation is another item. */
const itemsOf = (config: FormConfig, field: Field, answer: Answer | undefined): string[] =>
  Array.isArray(answer) ? answer.map((item) => labelOf(config, field, [item] as Answer)) : []

function itemsApart(config: FormConfig, field: Field, own: Answer | undefined, other: Answer | undefined): string {
  if (isEmpty(other)) return '它未填'
  const [mine, theirs] = [itemsOf(config, field, own), itemsOf(config, field, other)]
  const more = theirs.filter((item) => !mine.includes(item))
  const less = mine.filter((item) => !theirs.includes(item))
  return [more.length > 0 && `它多 ${more.join('、')}`, less.length > 0 && `它没有 ${less.join('、')}`]
    .filter(Boolean)
    .join('\n')
}

/** The difference in one field; empty where both are the same. */
function apart(config: FormConfig, field: Field, own: Answer | undefined, other: Answer | undefined): string {
  if (isList(field)) return itemsApart(config, field, own, other)
  const [mine, theirs] = [labelOf(config, field, own), labelOf(config, field, other)]
  return mine === theirs ? '' : `它 ${theirs}，本号 ${mine}`
}

/** All differences in what the price depends on, folded, and what is the same. */
export function comparableFacts(config: FormConfig, own: Answers, other: Answers): Html {
  const fields = config.fields.filter((field) => isPriced(field) || isFactor(field))
  const rows = fields
    .filter(({ key }) => !isEmpty(own[key]) || !isEmpty(other[key]))
    .map((field) => ({ label: field.label, words: apart(config, field, own[field.key], other[field.key]) }))
  const same = rows.filter(({ words }) => words === '')
  return html`<details><summary>逐项对照</summary><dl>${rows
    .filter(({ words }) => words !== '')
    .map(({ label, words }) => html`<dt>${label}</dt><dd>${words}</dd>`)}</dl>
${same.length > 0 && html`<p class="hint">相同：${same.map(({ label }) => label).join('、')}</p>`}</details>`
}
