/** Fills a game's form as a person does: by the words on the screen, from the config the server sends. */
import type { Page } from 'playwright-core'
import type { Field, FormConfig } from '@/contract/form/types'

const isNumber = (f: Field) => f.type === 'int' || f.type === 'decimal'
const asked = (f: Field) => f.required === true || f.required === 'AI'

/** A plausible answer inside the rules: part of the range for numbers, something that fits the pattern for ids. */
function textFor(field: Field): string {
  const { min = 0, max = 100, pattern } = field.rules
  if (isNumber(field)) return String(Math.round(min + (Math.min(max, 300) - min) * 0.3))
  return pattern?.includes('9,10') ? '100000001' : '12345678'
}

async function pickFromSheet(page: Page, texts: string[]) {
  for (const text of texts) await page.getByRole('dialog').getByText(text, { exact: true }).first().tap()
}

async function fillField(page: Page, config: FormConfig, field: Field) {
  const box = page.locator(`#field-${config.gameId}-${field.key}`)
  if (isNumber(field) || field.type === 'text') {
    await box.locator('input').fill(textFor(field))
    return
  }
  if (field.type === 'select') {
    const option = field.options?.[0]?.t ?? ''
    const chip = box.getByText(option, { exact: true })
    if ((await chip.count()) > 0) return chip.first().tap()
    await box
      .getByText(/^请选择/)
      .first()
      .tap()
    return pickFromSheet(page, [option])
  }
  if (field.type === 'cascader') {
    await box
      .getByText(/^请选择/)
      .first()
      .tap()
    const path: string[] = []
    let level = config.dicts[field.dict ?? '']
    while (level?.[0]) {
      path.push(level[0].t)
      level = level[0].children
    }
    return pickFromSheet(page, path)
  }
  throw new Error(`no way to fill a required ${field.type} (${field.key})`)
}

/** Everything required, from the field `from` on and before the field `until`. */
export async function fillRequired(
  page: Page,
  config: FormConfig,
  { from, until }: { from?: string; until?: string } = {},
) {
  const fields = config.fields.filter(asked)
  const indexOf = (key: string | undefined, otherwise: number) =>
    key === undefined ? otherwise : fields.findIndex((f) => f.key === key)
  for (const field of fields.slice(indexOf(from, 0), indexOf(until, fields.length)))
    await fillField(page, config, field)
}
