import type { FormConfig } from '@/contract/form/types'
import {
  answerOriginOf,
  type FormContext,
  type FormEvent,
  type FormState,
  fieldRows,
  firstError,
  nextMissing,
  previewAnswers,
  reduceForm,
  restoreForm,
  visibleSections,
} from './model'

const config: FormConfig = {
  gameId: 'g',
  name: '试玩',
  schemaVersion: 2,
  status: 'ONLINE',
  aiMode: 'MANUAL_FORM',
  modes: ['AI'],
  estSeconds: 20,
  readList: [],
  groups: [
    { key: 'asset', title: '资产' },
    { key: 'base', title: '基础' },
  ],
  fields: [
    {
      key: 'server',
      label: '区服',
      group: 'base',
      type: 'select',
      role: 'factor',
      required: true,
      rules: {},
      sort: 1,
      options: [
        { v: 'a', t: '安卓' },
        { v: 'i', t: '苹果' },
      ],
    },
    {
      key: 'skins',
      label: '皮肤数',
      group: 'asset',
      type: 'int',
      role: 'value',
      required: true,
      rules: { min: 0, max: 100 },
      sort: 2,
    },
    {
      key: 'gold',
      label: '典藏',
      group: 'asset',
      type: 'int',
      role: 'value*',
      required: false,
      rules: { min: 0, max: 60 },
      sort: 3,
    },
    {
      key: 'note',
      label: '备注',
      group: 'base',
      type: 'text',
      role: 'none',
      required: true,
      rules: { maxLen: 4 },
      sort: 4,
      visibleWhen: { field: 'server', in: ['i'] },
    },
    {
      key: 'shots',
      label: '截图',
      group: 'base',
      type: 'image',
      role: 'evidence',
      required: false,
      rules: {},
      sort: 5,
    },
    {
      key: 'chars',
      label: '角色',
      group: 'asset',
      type: 'roster',
      role: 'value*',
      required: false,
      rules: {},
      sort: 6,
      dict: 'd',
      roster: { dup: [0, 6], sig: false, refine: [1, 5] },
    },
  ],
  dicts: { d: [{ v: 'q', t: '琴' }] },
  crossChecks: [{ parts: ['gold'], whole: 'skins', msg: '典藏超过了皮肤数' }],
}
const context: FormContext = { config, mode: 'AI' }
const start: FormState = { answers: {}, errors: {}, warnings: {}, filled: {} }
const run = (...events: FormEvent[]) => events.reduce((state, event) => reduceForm(context, state, event), start)

it('says what is wrong on leaving, and takes it back while it is put right', () => {
  const typed = run({ type: 'changed', key: 'skins', answer: 500 })
  expect(typed.errors).toEqual({})
  const left = reduceForm(context, typed, { type: 'left', key: 'skins' })
  expect(left.errors.skins).toContain('0–100')
  expect(reduceForm(context, left, { type: 'changed', key: 'skins', answer: 50 }).errors).toEqual({})
})

it('a wrong choice is reported at once, as on leaving a field', () => {
  expect(run({ type: 'changed', key: 'server', answer: 'gone' }).errors.server).toBeDefined()
})

it('submitting names everything that is missing, first in reading order first', () => {
  const state = run({ type: 'submitted' })
  expect(Object.keys(state.errors).sort()).toEqual(['server', 'skins'])
  // the group 资产 is above 基础, whatever `sort` says across groups
  expect(firstError(config, state, 'AI')?.key).toBe('skins')
})

it('a hidden field loses its error; one that appears is asked', () => {
  const shown = run({ type: 'changed', key: 'server', answer: 'i' }, { type: 'submitted' })
  expect(shown.errors.note).toBeDefined()
  const hidden = reduceForm(context, shown, { type: 'changed', key: 'server', answer: 'a' })
  expect(hidden.errors).not.toHaveProperty('note')
  expect(visibleSections(config, hidden.answers, 'AI').flatMap((s) => s.fields.map((f) => f.key))).toEqual([
    'skins',
    'gold',
    'chars',
    'server',
    'shots',
  ])
})

it('the next field is the first required one, then the first that affects the price, in reading order', () => {
  const next = (answers: FormState['answers']) => nextMissing(config, answers, 'AI')?.key
  expect(next({})).toBe('skins')
  expect(next({ skins: 3 })).toBe('server')
  expect(next({ skins: 3, server: 'i' })).toBe('note')
  expect(next({ skins: 3, server: 'a' })).toBe('gold')
  expect(next({ skins: 3, server: 'a', gold: 0, chars: [{ v: 'q', dup: 0 }] })).toBeUndefined()
})

it('neighbouring numbers share a row', () => {
  const rows = fieldRows(config.fields.filter(({ group }) => group === 'asset'))
  expect(rows.map((row) => row.map(({ key }) => key))).toEqual([['skins', 'gold'], ['chars']])
})

it('the id of an account is asked for where it is used: by an appraiser, not for typed answers', () => {
  const withId: FormConfig = {
    ...config,
    fields: [
      ...config.fields,
      { key: 'id', label: '编号', group: 'base', type: 'text', role: 'lookup', required: false, rules: {}, sort: 9 },
    ],
  }
  const asked = (answers: FormState['answers'], mode: 'AI' | 'MANUAL') =>
    visibleSections(withId, answers, mode).some(({ fields }) => fields.some(({ key }) => key === 'id'))
  expect([asked({}, 'AI'), asked({ id: '1' }, 'AI'), asked({}, 'MANUAL')]).toEqual([false, true, true])
  expect(previewAnswers(withId, { id: '1', skins: 3 })).toEqual({ skins: 3 })
})

it('a range is asked for with what the server would accept and what affects the price', () => {
  expect(previewAnswers(config, {})).toBeUndefined()
  expect(previewAnswers(config, { shots: ['k'] })).toBeUndefined()
  expect(previewAnswers(config, { skins: 500, server: 'a', gold: 2, note: 'hidden', shots: ['k'] })).toEqual({
    server: 'a',
    gold: 2,
  })
  // nothing but an answer that the field refuses
  expect(previewAnswers(config, { skins: 500 })).toBeUndefined()
})

it('a warning waits for the end of typing, never blocks, and leaves on its own', () => {
  const typing = run({ type: 'changed', key: 'skins', answer: 2 }, { type: 'changed', key: 'gold', answer: 5 })
  expect(typing.warnings).toEqual({})
  const left = reduceForm(context, typing, { type: 'left', key: 'gold' })
  expect(left).toMatchObject({ warnings: { skins: '典藏超过了皮肤数' }, errors: {} })
  expect(reduceForm(context, left, { type: 'changed', key: 'skins', answer: 20 }).warnings).toEqual({})
})

it('puts the server’s words at their fields', () => {
  const state = run({
    type: 'refused',
    fields: [
      { path: 'answers.skins', msg: '皮肤数不对' },
      { path: 'chars.0.dup', msg: '星魂不对' },
      { path: 'schemaVersion', msg: '不是字段' },
    ],
  })
  expect(state.errors).toEqual({ skins: '皮肤数不对', chars: '星魂不对' })
})

it('a draft of an older form keeps what still fits and names what does not', () => {
  const answers = { skins: 12, server: 'a', old: 'x', chars: ['q'], gold: '5' }
  const filled = { skins: { from: 'READ', answer: 11 }, old: { from: 'READ', answer: 'x' } } as const
  expect(restoreForm(config, { answers, labels: { old: '旧字段', chars: '角色', gold: '典藏' }, filled })).toEqual({
    answers: { skins: 12, server: 'a', gold: 5 },
    filled: { skins: { from: 'READ', answer: 11 } },
    dropped: ['旧字段', '角色'],
  })
})

it('a draft keeps what was typed for a number, also what the form refuses', () => {
  const answers = { skins: '3e5', gold: '1234567890123456' }
  expect(restoreForm(config, { answers, labels: {}, filled: {} })).toEqual({ answers, filled: {}, dropped: [] })
})

it('prefills only valid answers into empty fields, marks them, and undoes all but corrected ones', () => {
  const typed = run({ type: 'changed', key: 'skins', answer: 7 }, { type: 'submitted' })
  const given = { skins: 50, gold: 3, server: 'a', note: 'zu lang', old: 1, chars: [{ v: 'nobody', dup: 0 }] }
  const filled = reduceForm(context, typed, { type: 'filled', answers: given, from: 'PASTED' })
  expect(filled.answers).toEqual({ skins: 7, gold: 3, server: 'a' })
  expect(filled.errors).toEqual({})
  expect(filled.fresh?.keys).toEqual(['server', 'gold'])
  expect([answerOriginOf(filled, 'gold'), answerOriginOf(filled, 'skins')]).toEqual(['PASTED', undefined])
  const corrected = reduceForm(context, filled, { type: 'changed', key: 'gold', answer: 4 })
  expect(answerOriginOf(corrected, 'gold')).toBeUndefined()
  const back = reduceForm(context, corrected, { type: 'unfilled' })
  expect(back).toMatchObject({ answers: { skins: 7, gold: 4 }, fresh: undefined })
  expect(back.answers).not.toHaveProperty('server')
})
