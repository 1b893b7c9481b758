import fc from 'fast-check'
import { cleanAnswers, labelOf, visibleFields } from './answers'
import type { Answer, Answers, Field, FieldType, FormConfig } from './types'
import { affectsPrice, pricedProgress, progress, unansweredFields, validateAnswers, validateField } from './validate'

let sort = 0
function field(key: string, label: string, type: FieldType, rest: Partial<Field> = {}): Field {
  return { key, label, type, group: 'base', role: 'value', required: false, rules: {}, sort: sort++, ...rest }
}

const config: FormConfig = {
  gameId: 'demo',
  name: '演示',
  schemaVersion: 1,
  status: 'ONLINE',
  aiMode: 'PUBLIC_ID',
  modes: ['AI', 'MANUAL'],
  estSeconds: 40,
  readList: [],
  groups: [{ key: 'base', title: '基础信息' }],
  fields: [
    field('server', '区服', 'select', {
      required: true,
      options: [
        { v: 'qq', t: '安卓QQ' },
        { v: 'wx', t: '安卓微信' },
      ],
    }),
    field('campId', '营地ID', 'text', { required: 'AI', role: 'lookup', rules: { pattern: '^\\d{6,12}$' } }),
    field('heroCount', '英雄数', 'int', { required: true, rules: { min: 0, max: 200 } }),
    field('epicCount', '史诗', 'int'),
    field('skinCount', '皮肤数', 'int'),
    field('assets', '总资产', 'decimal', { rules: { min: 0, scale: 1 }, unit: 'M' }),
    field('skins', '稀有皮肤', 'tags', { dict: 'skin', rules: { maxItems: 2 } }),
    field('bind', '绑定', 'multi', {
      options: [
        { v: 'mail', t: '邮箱' },
        { v: 'psn', t: 'PSN' },
      ],
    }),
    field('mailState', '邮箱状态', 'text', { required: true, visibleWhen: { field: 'bind', in: ['mail'] } }),
    field('mailNote', '邮箱说明', 'text', { visibleWhen: { field: 'mailState', in: ['verified'] } }),
    field('weapons', '典藏武器', 'tagsGrade', { dict: 'skin', grades: ['极品S', '极品A'] }),
    field('chars', '五星角色', 'roster', { dict: 'char', roster: { dup: [0, 6], sig: true, refine: [1, 5] } }),
    field('rank', '段位', 'cascader', { dict: 'rank' }),
    field('tap', 'TapTap 绑定', 'bool'),
    field('shots', '账号截图', 'image', { role: 'evidence', rules: { maxItems: 2 } }),
    field('remark', '补充说明', 'textarea', { role: 'none', rules: { maxLen: 5 } }),
  ],
  dicts: {
    skin: [
      { v: 's1', t: '凤求凰' },
      { v: 's2', t: '大圣娶亲' },
      { v: 's3', t: '武陵仙君' },
    ],
    char: [
      { v: 'c1', t: '芙宁娜' },
      { v: 'c2', t: '纳西妲' },
    ],
    rank: [
      {
        v: 'gold',
        t: '黄金',
        children: [
          { v: 'g1', t: '一' },
          { v: 'g2', t: '二' },
        ],
      },
      { v: 'king', t: '王者' },
    ],
  },
  crossChecks: [{ parts: ['epicCount', 'heroCount'], whole: 'skinCount', msg: '各品质之和大于皮肤数，请核对' }],
}
const good: Answers = { server: 'qq', campId: '548123090', heroCount: 100 }
const byKey = (key: string) => config.fields.find((field) => field.key === key) as Field
const issue = (key: string, answer: unknown) => validateField(config, byKey(key), answer, 'AI')

test('valid answers of every type pass', () => {
  const answers: Answers = {
    ...good,
    assets: 12.5,
    skins: ['s1', 's2'],
    bind: ['mail', 'psn'],
    mailState: 'verified',
    mailNote: '可换绑',
    weapons: [{ v: 's1', g: '极品A' }],
    chars: [
      { v: 'c1', dup: 6, sig: true, refine: 5 },
      { v: 'c2', dup: 0 },
    ],
    rank: ['gold', 'g2'],
    tap: false,
    shots: ['u/1/20250607/a-b.jpg'],
    remark: '😀😀😀😀😀',
  }
  expect(validateAnswers(config, answers, 'AI')).toEqual([])
  expect(validateAnswers(config, { ...answers, rank: ['king'] }, 'AI')).toEqual([])
})

test.each<[string, unknown, string, string?]>([
  ['server', undefined, '请选择区服'],
  ['server', 'ios', '区服的选项无效，请重新选择'],
  ['server', ['qq'], '区服的选项无效，请重新选择'],
  ['campId', '  ', '请填写营地ID'],
  ['campId', '12345', '营地ID格式不对，应为 6–12 位数字'],
  ['campId', 123456, '营地ID格式不对'],
  ['heroCount', undefined, '请填写英雄数'],
  ['heroCount', 201, '英雄数需在 0–200 之间'],
  ['heroCount', -1, '英雄数需在 0–200 之间'],
  ['heroCount', 1.5, '英雄数需填 0–200 的整数'],
  ['heroCount', '12', '英雄数需填 0–200 的整数'],
  ['heroCount', Number.NaN, '英雄数需填 0–200 的整数'],
  ['heroCount', '1234567890123456', '英雄数需填 0–200 的整数'],
  ['heroCount', '11010519491231002X', '英雄数需填 0–200 的整数'],
  ['assets', 1.25, '总资产最多 1 位小数'],
  ['assets', 1e-9, '总资产最多 1 位小数'],
  ['assets', -0.5, '总资产不能小于 0'],
  ['assets', true, '总资产需填数字'],
  ['skins', ['s9'], '稀有皮肤的选项无效，请重新选择', 'skins.0'],
  ['skins', ['s1', 's1'], '稀有皮肤里有重复的选项'],
  ['skins', ['s1', 's2', 's3'], '稀有皮肤最多 2 项'],
  ['skins', 's1', '稀有皮肤的选项无效，请重新选择'],
  ['bind', [1], '绑定的选项无效，请重新选择', 'bind.0'],
  ['weapons', [{ v: 's1', g: '差' }], '请选择凤求凰的品质', 'weapons.0.g'],
  ['weapons', [{ v: 's1', g: '极品S', x: 1 }], '典藏武器的选项无效，请重新选择', 'weapons.0'],
  ['chars', [{ v: 'c1', dup: 7 }], '芙宁娜的重复数需在 0–6 之间', 'chars.0.dup'],
  ['chars', [{ v: 'c1', dup: 0 }, { v: 'c2' }], '纳西妲的重复数需在 0–6 之间', 'chars.1.dup'],
  ['chars', [{ v: 'c1', dup: 0, sig: true, refine: 6 }], '芙宁娜的精炼需在 1–5 之间', 'chars.0.refine'],
  ['chars', [{ v: 'c1', dup: 0, refine: 1 }], '芙宁娜没有专武，不需要填精炼', 'chars.0.refine'],
  [
    'chars',
    [
      { v: 'c1', dup: 0 },
      { v: 'c1', dup: 1 },
    ],
    '五星角色里有重复的选项',
  ],
  ['chars', ['c1'], '五星角色的选项无效，请重新选择', 'chars.0'],
  ['rank', ['gold'], '请把段位选完整'],
  ['rank', ['gold', 'g9'], '段位的选项无效，请重新选择'],
  ['rank', ['king', 'g1'], '段位的选项无效，请重新选择'],
  ['tap', 'yes', 'TapTap 绑定的选项无效，请重新选择'],
  ['shots', ['a.jpg', 'b.jpg', 'c.jpg'], '账号截图最多 2 张'],
  ['shots', ['javascript:alert(1)'], '账号截图有一张没有上传成功，请重新上传', 'shots.0'],
  ['remark', '一二三四五六', '补充说明最多 5 字'],
])('%s = %j: %s', (key, answer, msg, path = key) => {
  expect(issue(key, answer)).toEqual({ path, msg, level: 'error' })
})

test('a field can be required in one mode only', () => {
  expect(validateAnswers(config, { server: 'qq', heroCount: 1 }, 'AI').map((issue) => issue.path)).toEqual(['campId'])
  expect(validateAnswers(config, { server: 'qq', heroCount: 1 }, 'MANUAL')).toEqual([])
})

test('hidden fields are neither required nor checked nor sent', () => {
  const hidden: Answers = { ...good, mailState: 'verified', mailNote: '旧' }
  expect(validateAnswers(config, hidden, 'AI')).toEqual([])
  expect(cleanAnswers(config, hidden)).toEqual(good)
  // mailNote depends on a field that is itself hidden
  expect(visibleFields(config, hidden).some((field) => field.key === 'mailNote')).toBe(false)
  expect(validateAnswers(config, { ...good, bind: ['mail'] }, 'AI')).toEqual([
    { path: 'mailState', msg: '请填写邮箱状态', level: 'error' },
  ])
})

test('report and form count the visible fields; 不清楚 says nothing about the price, but is an answer', () => {
  const counted = (answers: Answers) => [
    pricedProgress(config, answers),
    unansweredFields(config, answers, 'AI').filter(affectsPrice).length,
  ]
  const priced = config.fields.filter(affectsPrice).length
  const [first] = unansweredFields(config, {}, 'AI').filter(affectsPrice)
  // without 邮箱状态 and 邮箱说明, which are hidden
  expect(counted({})).toEqual([{ total: priced - 2, unanswered: priced - 2 }, priced - 2])
  expect(counted({ [first?.key ?? '']: 'unknown' })).toEqual([
    { total: priced - 2, unanswered: priced - 2 },
    priced - 3,
  ])
  expect(counted({ bind: ['mail'] })).toEqual([{ total: priced - 1, unanswered: priced - 2 }, priced - 2])
})

test('circular conditions hide their fields', () => {
  const circle = (key: string, on: string) => field(key, key, 'text', { visibleWhen: { field: on, in: ['x'] } })
  const looped = { ...config, fields: [circle('a', 'b'), circle('b', 'a')] }
  expect(visibleFields(looped, { a: 'x', b: 'x' })).toEqual([])
})

test('unknown keys are errors, cross-checks are warnings', () => {
  expect(validateAnswers(config, { ...good, hack: 1, none: undefined }, 'AI')).toEqual([
    { path: 'hack', msg: '表单里没有“hack”这一项', level: 'error' },
  ])
  const over = { ...good, epicCount: 50, skinCount: 120 }
  expect(validateAnswers(config, over, 'AI')).toEqual([
    { path: 'skinCount', msg: '各品质之和大于皮肤数，请核对', level: 'warning' },
  ])
  expect(validateAnswers(config, { ...over, skinCount: 150 }, 'AI')).toEqual([])
})

test('validation never throws, whatever is sent, and valid answers contain only known keys', () => {
  const keys = fc.constantFrom(...config.fields.map((field) => field.key), 'other', '__proto__')
  fc.assert(
    fc.property(fc.dictionary(keys, fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(undefined))), (sent) => {
      const issues = validateAnswers(config, sent as Answers, 'AI')
      if (issues.some((issue) => issue.level === 'error')) return
      const known = new Set(config.fields.map((field) => field.key))
      expect(Object.keys(cleanAnswers(config, sent as Answers)).every((key) => known.has(key))).toBe(true)
    }),
    { numRuns: 500, examples: [[{ mailState: { toString: null } }]] },
  )
})

test('progress counts questions, not pictures or remarks', () => {
  expect(progress(config, {}, 'AI')).toEqual({ done: 0, total: 12 })
  expect(progress(config, { ...good, tap: false, epicCount: 0, skins: [], remark: 'x' }, 'AI')).toEqual({
    // an empty list says that there are none
    done: 6,
    total: 12,
  })
  expect(progress(config, { bind: ['mail'] }, 'AI')).toEqual({ done: 1, total: 13 })
  // an appraiser reads the id, too
  expect(progress(config, {}, 'MANUAL')).toEqual({ done: 0, total: 12 })
  // an answer that the field does not accept
  expect(progress(config, { ...good, heroCount: 1e6 }, 'AI').done).toBe(progress(config, good, 'AI').done - 1)
})

test.each<[string, Answer | undefined, string]>([
  ['server', 'qq', '安卓QQ'],
  ['server', undefined, '未填'],
  ['heroCount', 0, '0'],
  ['assets', 12.5, '12.5M'],
  ['skins', ['s1', 'gone'], '凤求凰、gone'],
  ['weapons', [{ v: 's1', g: '极品A' }], '凤求凰(极品A)'],
  [
    'chars',
    [
      { v: 'c1', dup: 2, sig: true, refine: 1 },
      { v: 'c2', dup: 0 },
    ],
    '芙宁娜 2命 · 专武精1、纳西妲 0命',
  ],
  ['rank', ['gold', 'g2'], '黄金 / 二'],
  ['tap', false, '否'],
  ['shots', ['a.jpg'], '1 张'],
  ['remark', ' 急出 ', '急出'],
])('%s = %j reads %s', (key, answer, words) => expect(labelOf(config, byKey(key), answer)).toBe(words))

test('cross-checks compare in units and count lists with their copies', () => {
  const rich: FormConfig = {
    ...config,
    dicts: {
      char: [
        { v: 'a', t: '甲' },
        { v: 'b', t: '乙' },
      ],
    },
    fields: [
      field('assets', '总资产', 'decimal', { unit: 'M', rules: { scale: 1 } }),
      field('coins', '哈夫币', 'int', { unit: '万' }),
      field('yellow', '黄数', 'int'),
      field('chars', '角色', 'roster', { dict: 'char', roster: { dup: [0, 6], sig: true, refine: [1, 5] } }),
    ],
    crossChecks: [
      { parts: ['coins'], whole: 'assets', msg: '币' },
      { parts: ['chars'], whole: 'yellow', msg: '黄' },
    ],
  }
  const warned = (answers: Answers) => validateAnswers(rich, answers, 'AI').map(({ msg }) => msg)
  expect(warned({ assets: 1.5, coins: 150, yellow: 3, chars: [{ v: 'a', dup: 2 }] })).toEqual([])
  expect(
    warned({
      assets: 1.5,
      coins: 151,
      yellow: 3,
      chars: [
        { v: 'a', dup: 2 },
        { v: 'b', dup: 0 },
      ],
    }),
  ).toEqual(['币', '黄'])
})

test('a count that is smaller than the named items of its heading is a contradiction, and so are items without what they belong to', () => {
  const skins = ['a', 'b', 'c'].map((v) => ({ v, t: v, group: v === 'c' ? '史诗' : '典藏' }))
  const named: FormConfig = {
    ...config,
    dicts: { skin: skins },
    fields: [
      field('glory', '典藏', 'int'),
      field('heroes', '英雄数', 'int'),
      field('skins', '皮肤数', 'int'),
      field('rare', '稀有皮肤', 'tags', { dict: 'skin' }),
    ],
    crossChecks: [
      { parts: ['rare'], heading: '典藏', whole: 'glory', msg: '典藏' },
      { parts: ['skins'], times: 20, whole: 'heroes', msg: '英雄' },
    ],
  }
  const warned = (answers: Answers) => validateAnswers(named, answers, 'AI').map(({ msg }) => msg)
  expect(warned({ rare: ['a', 'c'], glory: 1, skins: 20, heroes: 1 })).toEqual([])
  expect(warned({ rare: ['a', 'c'], skins: 20 })).toEqual([])
  expect(warned({ rare: ['a', 'b'], glory: 1 })).toEqual(['典藏'])
  expect(warned({ skins: 300, heroes: 0 })).toEqual(['英雄'])
})

test('an optional list may be answered with none, which is another thing than no answer', () => {
  const list = { ...byKey('skins'), required: false, role: 'value*' } as Field
  const own = { ...config, fields: [list] }
  expect(unansweredFields(own, {}, 'AI')).toEqual([list])
  expect(unansweredFields(own, { [list.key]: [] }, 'AI')).toEqual([])
  expect(cleanAnswers(own, { [list.key]: [] })).toEqual({ [list.key]: [] })
  expect(labelOf(own, list, [])).toBe('没有')
  expect(pricedProgress(own, { [list.key]: [] })).toEqual({ total: 1, unanswered: 0 })
})
