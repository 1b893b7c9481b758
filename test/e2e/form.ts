/** Fills a game's form as a person does: by the words on the screen. */
import type { Page } from 'playwright-core'
import { cascaderPath, optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { generateSales } from '../../server/fixtures/synthetic/generate'

const asked = (f: Field) => f.required === true || f.required === 'AI'
const MANY_CHOICES = /^请选择/

/** An account that could exist, with every required answer. */
export function plausibleAccount(config: FormConfig): Answers {
  const until = Date.UTC(2026, 0, 1)
  for (const { attributes } of generateSales(config, { n: 200, until }))
    if (config.fields.every((f) => f.required !== true || attributes[f.key] !== undefined))
      return { campId: '12345678', uid: '100000001', ...attributes }
  throw new Error(`no generated account of ${config.gameId} answers everything`)
}

/** The words to tap, one level after the other. */
function words(config: FormConfig, field: Field, answer: Answer | undefined): string[] {
  const options = optionsOf(config, field)
  if (field.type === 'cascader') return (cascaderPath(options, answer as string[]) ?? []).map((o) => o.t)
  return options.filter((o) => o.v === answer).map((o) => o.t)
}

async function fillField(page: Page, config: FormConfig, field: Field, answer: Answer | undefined) {
  const box = page.locator(`#field-${config.gameId}-${field.key}`)
  if (['int', 'decimal', 'text'].includes(field.type)) return box.locator('input').fill(String(answer))
  const path = words(config, field, answer)
  const chip = box.getByText(path[0] ?? '', { exact: true })
  if (field.type === 'select' && (await chip.count()) > 0) return chip.first().tap()
  await box.getByText(MANY_CHOICES).first().tap()
  for (const word of path) await page.getByRole('dialog').getByText(word, { exact: true }).first().tap()
}

/** Every required field, from the field `from` on and before the field `until`. */
export async function fillRequired(
  page: Page,
  { config, answers, from, until }: { config: FormConfig; answers: Answers; from?: string; until?: string },
) {
  const fields = config.fields.filter(asked)
  const indexOf = (key: string | undefined, otherwise: number) =>
    key === undefined ? otherwise : fields.findIndex((f) => f.key === key)
  for (const field of fields.slice(indexOf(from, 0), indexOf(until, fields.length)))
    await fillField(page, config, field, answers[field.key])
}
