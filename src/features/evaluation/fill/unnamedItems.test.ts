import type { Field, FormConfig } from '@/contract/form/types'
import { reduceForm } from './model'
import { unnamedItemWarnings } from './unnamedItems'

const field = (key: string, type: Field['type']): Field => ({
  ...{ key, type, label: key, group: 'g', role: 'value' as const, required: false, rules: { max: 500 }, sort: 1 },
  ...(type === 'roster' && {
    options: Array.from({ length: 20 }, (_, i) => ({ v: `c${i}`, t: `c${i}` })),
    roster: { dup: [0, 6] as [number, number], sig: false, refine: [1, 5] as [number, number] },
  }),
})
const config: FormConfig = {
  ...{ gameId: 'g', name: '试玩', schemaVersion: 1, status: 'ONLINE', aiMode: 'MANUAL_FORM', modes: ['AI'] },
  ...{ estSeconds: 20, readList: [], groups: [{ key: 'g', title: '资产' }], dicts: {} },
  fields: [field('yellow', 'int'), field('chars', 'roster'), field('weapon5', 'int')],
  crossChecks: [{ parts: ['chars', 'weapon5'], whole: 'yellow', msg: '超过了' }],
} as const
const rows = (n: number) => Array.from({ length: n }, (_, i) => ({ v: `c${i}`, dup: 1 }))

test('a number whose names are missing asks for them, and stops when enough are there', () => {
  expect(unnamedItemWarnings(config, { yellow: 60 })).toEqual({
    chars: expect.stringContaining('填了 60，这里还没有选'),
  })
  expect(unnamedItemWarnings(config, { yellow: 60, chars: rows(3), weapon5: 2 }).chars).toContain('只选了 3 个')
  // copies and what another part counts are named, too
  expect(unnamedItemWarnings(config, { yellow: 60, chars: rows(12), weapon5: 6 })).toEqual({})
  expect(unnamedItemWarnings(config, { yellow: 4 })).toEqual({})
  expect(unnamedItemWarnings(config, { chars: rows(3) })).toEqual({})
})

test('the warning appears on leaving the number, blocks nothing, and keeps counting', () => {
  const context = { config, mode: 'AI' as const }
  const start = { answers: { yellow: 60 }, errors: {}, warnings: {}, filled: {} }
  const left = reduceForm(context, start, { type: 'left', key: 'yellow' })
  expect(left.warnings.chars).toContain('还没有选')
  expect(left.errors).toEqual({})
  const named = reduceForm(context, left, { type: 'changed', key: 'chars', answer: rows(2) })
  expect(named.warnings.chars).toContain('只选了 2 个')
  expect(reduceForm(context, named, { type: 'changed', key: 'yellow', answer: 5 }).warnings).toEqual({})
})
