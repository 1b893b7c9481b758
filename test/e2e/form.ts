/** Fills a game's form as a person does: by the visible labels. */
import type { Locator, Page } from 'playwright-core'
import { cascaderPath, isEmpty, optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig, RosterRow } from '@/contract/form/types'
import { generateSales } from '../../server/fixtures/synthetic/generate'

const asked = (f: Field) => f.required === true || f.required === 'AI'
const MANY_CHOICES = /^请选择/

/** A plausible account with every required answer, different for each seed. */
export function plausibleAccount(config: FormConfig, seed = 1): Answers {
  const until = Date.UTC(2026, 0, 1)
  for (const { attributes } of generateSales(config, { n: 200, seed, until }))
    if (config.fields.every((f) => f.required !== true || attributes[f.key] !== undefined))
      return { campId: '12345678', uid: '100000001', ...attributes }
  throw new Error(`no generated account of ${config.gameId} answers everything`)
}

/** Labels of the options to tap, from the first level down. */
function words(config: FormConfig, field: Field, answer: Answer | undefined): string[] {
  const options = optionsOf(config, field)
  if (field.type === 'cascader') return (cascaderPath(options, answer as string[]) ?? []).map((o) => o.t)
  return options.filter((o) => o.v === answer).map((o) => o.t)
}

/** Taps and key presses; a text field must be tapped before typing. */
export interface InputCount {
  taps: number
  keys: number
}

/** Time a person needs for this input, without waiting for the app. @returns s */
export const secondsOf = ({ taps, keys }: InputCount): number => 1.2 * taps + 0.3 * keys

/** How a form is filled: by taps, or by keyboard alone (test/e2e/keyboard.ts). */
export interface Input {
  tap(what: Locator): Promise<void>
  /** into an empty box */
  type(box: Locator, text: string): Promise<void>
}

/** Taps and types, and adds both to `count`. */
export const countedInput = (count: InputCount = { taps: 0, keys: 0 }): Input => ({
  async tap(what: Locator) {
    count.taps += 1
    await what.tap()
  },
  async type(box: Locator, text: string) {
    count.taps += 1
    count.keys += text.length
    await box.fill(text)
  },
})

async function chooseFrom(page: Page, config: FormConfig, field: Field, answer: Answer, input: Input) {
  const names = new Map(optionsOf(config, field).map(({ v, t }) => [v, t]))
  const sheet = page.getByRole('dialog')
  for (const item of answer as (string | { v: string; g?: string })[]) {
    const row = typeof item === 'string' ? { v: item } : item
    const name = names.get(row.v) ?? row.v
    await input.type(sheet.locator('input'), name)
    await input.tap(sheet.getByRole('checkbox', { name, exact: true }).first())
    if (row.g)
      await input.tap(sheet.getByRole('radiogroup', { name: `${name}的品质` }).getByText(row.g, { exact: true }))
  }
  await input.tap(sheet.getByText('完成', { exact: true }))
  await sheet.waitFor({ state: 'detached' })
}

const TYPED = ['int', 'decimal', 'text']
const LINES = ['textarea']
const LISTS = ['tags', 'tagsGrade', 'roster']

async function fillField(page: Page, config: FormConfig, field: Field, answer: Answer, input: Input) {
  const box = page.locator(`#field-${config.gameId}-${field.key}`)
  if (TYPED.includes(field.type)) return input.type(box.locator('input'), String(answer))
  if (LINES.includes(field.type)) return input.type(box.locator('textarea'), String(answer))
  if (LISTS.includes(field.type)) {
    await input.tap(box.getByRole('button', { name: /，搜索$/ }))
    return chooseFrom(page, config, field, answer, input)
  }
  // count() returns at once, without waiting for the form
  await box.waitFor()
  const path = words(config, field, answer)
  const chip = box.getByText(path[0] ?? '', { exact: true })
  if (field.type === 'select' && (await chip.count()) > 0) return input.tap(chip.first())
  await input.tap(box.getByText(MANY_CHOICES).first())
  for (const word of path) await input.tap(page.getByRole('dialog').getByText(word, { exact: true }).first())
}

interface Filling {
  config: FormConfig
  answers: Answers
}

/** Fields the account has answers for and a person can fill in, in the order of the form. */
export const answeredFields = ({ fields }: FormConfig, answers: Answers): Field[] =>
  fields.filter(
    ({ key, type, requiredForCollection }) => type !== 'image' && !requiredForCollection && !isEmpty(answers[key]),
  )

/** Defaults that `fillFields` leaves in the form: items of a roster are chosen, their details keep their defaults. */
export function filledAnswers(answers: Answers, fields: readonly Field[]): Answers {
  const asChosen = ({ key, roster }: Field): Answer | undefined =>
    roster ? (answers[key] as RosterRow[]).map(({ v }) => ({ v, dup: roster.dup[0] })) : answers[key]
  return Object.fromEntries(fields.map((field) => [field.key, asChosen(field)]))
}

/** Fills these fields in order. */
export async function fillFields(
  page: Page,
  { config, answers }: Filling,
  fields: readonly Field[],
  input = countedInput(),
) {
  for (const field of fields) await fillField(page, config, field, answers[field.key] ?? [], input)
}

interface Part extends Filling {
  from?: string
  until?: string
}

/** The required fields, from the field `from` on and before the field `until`. */
function requiredFields({ config, from, until }: Part): Field[] {
  const fields = config.fields.filter(asked)
  const indexOf = (key: string | undefined, otherwise: number) =>
    key === undefined ? otherwise : fields.findIndex((f) => f.key === key)
  return fields.slice(indexOf(from, 0), indexOf(until, fields.length))
}

/** The answers that `fillRequired` gives. */
export const requiredAnswers = (part: Part): Answers =>
  Object.fromEntries(requiredFields(part).map(({ key }) => [key, part.answers[key] ?? []]))

/** Fills every required field of the part. */
export const fillRequired = (page: Page, part: Part, input?: Input) =>
  fillFields(page, part, requiredFields(part), input)
