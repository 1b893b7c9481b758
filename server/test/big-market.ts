/** Tests only: a market of 30 fields whose prices also have steps and interactions, so that trees are used. */
import type { Answers, Field, FieldRole, FormConfig } from '@/contract/form/types'
import { DAY, randomOf } from '../engine/numbers'
import type { Sale } from '../engine/types'

const ROLES: readonly FieldRole[] = ['value*', 'value', 'value', 'value-']
const options = (names: readonly string[]) => names.map((v) => ({ v, t: v }))
const words = (count: number) => options(Array.from({ length: count }, (_, i) => `w${i}`))

const field = (key: string, type: Field['type'], role: FieldRole, more: Partial<Field>): Field => ({
  ...{ key, label: key, group: 'base', type, role, required: false, rules: {}, sort: 1 },
  ...more,
})

/** 14 amounts, four lists of 60 names, four ranks, four yes-or-no and four multipliers. */
const fields: Field[] = Array.from({ length: 30 }, (_, i) => {
  const role = ROLES[i % ROLES.length] as FieldRole
  if (i < 14) return field(`f${i}`, 'int', role, { rules: { min: 0, max: i % 3 === 0 ? 10_000 : 200 } })
  if (i < 18) return field(`f${i}`, 'tags', role, { options: words(60) })
  if (i < 22) return field(`f${i}`, 'select', role, { options: words(8) })
  if (i < 26) return field(`f${i}`, 'bool', role, {})
  return field(`f${i}`, 'select', 'factor', { options: words(6) })
})

export const bigForm: FormConfig = {
  ...{ gameId: 'big', name: 'big', schemaVersion: 1, status: 'ONLINE', aiMode: 'MANUAL_FORM', modes: ['AI'] },
  ...{ estSeconds: 10, readList: [], groups: [{ key: 'base', title: 'base' }], fields, dicts: {} },
}

export function bigMarket(n: number, until: number, seed = 1): { config: FormConfig; sales: Sale[]; truth: number[] } {
  const worth = randomOf(5)
  const names = fields.map(() => Array.from({ length: 60 }, () => 0.02 + 0.2 * worth() ** 3))
  const random = randomOf(seed)
  const truth: number[] = []
  const sales = Array.from({ length: n }, (_, i): Sale => {
    const rich = random()
    const level = fields.map(() => Math.min(0.999, 0.4 * rich + 0.6 * random()))
    const levelOf = (k: number) => level[k] ?? 0
    let log = 8
    const attributes: Answers = {}
    for (const [k, field] of fields.entries()) {
      const list = field.options ?? []
      const place = Math.floor(levelOf(k) * list.length)
      const open = random() < 0.02
      let answer: Answers[string]
      if (field.type === 'int') {
        answer = Math.floor(levelOf(k) ** 2 * (field.rules.max ?? 1))
        log +=
          k % 4 === 3
            ? 0
            : 0.12 * (levelOf(k) > 0.6 ? 1 : levelOf(k)) +
              (k % 2 === 0 && levelOf(k) > 0.5 && levelOf(k + 1) > 0.5 ? 0.15 : 0)
      } else if (field.type === 'tags') {
        const own = list.flatMap(({ v }, j) => (random() < 0.15 * levelOf(k) ? [{ v, j }] : []))
        answer = own.map(({ v }) => v)
        log += own.reduce((total, { j }) => total + (names[k]?.[j] ?? 0), 0)
      } else if (field.type === 'bool') {
        answer = levelOf(k) > 0.5
        log += answer ? 0.06 : 0
      } else {
        answer = list[place]?.v
        log += field.role === 'factor' ? 0.08 * Math.sin(7 * place + k) * (levelOf(0) > 0.5 ? 2 : 1) : 0.02 * place
      }
      if (!open) attributes[field.key] = answer
    }
    truth.push(log)
    const noise = 0.12 * (random() + random() + random() + random() - 2)
    const kind = random() < 0.15 ? 'ASKING' : 'SOLD'
    const priceFen = Math.round(100 * Math.exp(log + noise + (kind === 'ASKING' ? 0.15 : 0)))
    return { id: `big${i}`, gameId: 'big', kind, priceFen, at: until - Math.floor(random() * 300) * DAY, attributes }
  })
  return { config: bigForm, sales, truth }
}
