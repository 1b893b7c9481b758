/** What an account's answers say about binding and recovery, by the items that the form's fields name. */
import { isEmpty, labelOf, optionsOf, visibleFields } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import type { BindingItem } from '@/contract/labels'

const UNKNOWN = 'unknown'
const isKnown = (answer: Answer | undefined) => !isEmpty(answer) && answer !== UNKNOWN

/** Fields of the form that ask about an item. */
export const bindingFields = (config: FormConfig, answers: Answers, item: BindingItem): Field[] =>
  visibleFields(config, answers).filter(({ binding }) => binding === item)

/** Whether the account's answers say all that the form asks about an item. */
export function isBindingKnown(config: FormConfig, answers: Answers, item: BindingItem): boolean {
  const fields = bindingFields(config, answers, item)
  return fields.length > 0 && fields.every(({ key }) => isKnown(answers[key]))
}

/** The answers about an item in words; empty where the form does not ask. */
export const bindingFactsText = (config: FormConfig, answers: Answers, item: BindingItem): string =>
  bindingFields(config, answers, item)
    .map((field) => `${field.label}：${labelOf(config, field, answers[field.key])}`)
    .join('、')

/** Options are ordered from the best. */
const isBest = (config: FormConfig, field: Field, answer: Answer | undefined) =>
  answer === optionsOf(config, field).find(({ v }) => v !== UNKNOWN)?.v

/** Whether the owner can change none of the answers about an item to a better one: nothing is gained by advising it. */
export function isBindingFixed(config: FormConfig, answers: Answers, item: BindingItem): boolean {
  const fields = bindingFields(config, answers, item)
  const changeable = fields.filter((field) => field.changeable)
  return fields.length > 0 && changeable.every((field) => isBest(config, field, answers[field.key]))
}
