import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type CallDef, type CallGroup, calls, specCalls } from './calls'
import { CHAT_TEXT_MAX } from './constants'
import { codes, codeText, httpErrors } from './errors'
import { orderStatusText } from './orderStatus'
import { schemas } from './schemas'
import { FormConfigSchema, OptionTree } from './schemas/form'
import type { Req, Res } from './types'

type Pair = { req: TSchema; res: TSchema }
const groups = Object.keys(calls) as CallGroup[]
const all = groups.flatMap((group) =>
  Object.entries(calls[group] as Record<string, CallDef>).map(([name, def]) => ({
    name: `${group}.${name}`,
    def,
    pair: (schemas[group] as Record<string, Pair>)[name] as Pair,
  })),
)

test('70 calls of the specification and ten of our own, each with its schemas, and no schema without a call', () => {
  expect(Object.values(specCalls).flatMap((group) => Object.keys(group))).toHaveLength(70)
  expect(all).toHaveLength(80)
  expect(Object.keys(schemas).sort()).toEqual([...groups].sort())
  for (const group of groups) expect(Object.keys(schemas[group]).sort()).toEqual(Object.keys(calls[group]).sort())
})

test('no two calls share method and path', () => {
  const ends = all.map(({ def }) => `${def.method} ${def.path}`)
  expect(new Set(ends).size).toBe(ends.length)
})

/** Visits all nested schemas, with their path. */
function walk(schema: unknown, path: string, visit: (node: Record<string, unknown>, path: string) => void): void {
  if (typeof schema !== 'object' || schema === null) return
  const node = schema as Record<string, unknown>
  if (!Array.isArray(schema) && ('type' in node || 'anyOf' in node)) visit(node, path)
  for (const [key, child] of Object.entries(node)) walk(child, `${path}/${key}`, visit)
}

test.each(all)('$name: objects are closed, requests are bounded', ({ pair }) => {
  const loose: string[] = []
  const isLooseObject = (node: Record<string, unknown>) =>
    node.type === 'object' && node.additionalProperties !== false && !node.patternProperties
  walk(pair, '', (node, path) => {
    if (isLooseObject(node)) loose.push(path)
    if (!path.startsWith('/req')) return
    if (node.type === 'string' && !node.enum && node.maxLength === undefined) loose.push(path)
    if (node.type === 'array' && node.maxItems === undefined) loose.push(path)
    if (node.patternProperties && node.maxProperties === undefined) loose.push(path)
  })
  expect(loose).toEqual([])
})

test.each(all.filter(({ def }) => def.method === 'GET'))('$name: a query holds single values only', ({ pair }) => {
  const { properties } = pair.req as unknown as { properties: Record<string, { type?: string }> }
  const types = Object.values(properties)
  expect(types.filter(({ type }) => !['string', 'integer', 'boolean'].includes(type ?? ''))).toEqual([])
})

const option = (v: string) => ({ v, t: v })
const formConfig: Res<'evaluation', 'gameConfig'> = {
  gameId: 'hok',
  name: '王者荣耀',
  schemaVersion: 7,
  status: 'ONLINE',
  aiMode: 'PUBLIC_ID',
  modes: ['AI', 'MANUAL'],
  estSeconds: 40,
  readList: ['段位'],
  groups: [{ key: 'base', title: '基础信息' }],
  fields: [
    {
      key: 'rank',
      label: '段位',
      group: 'base',
      type: 'cascader',
      role: 'value-',
      required: 'AI',
      rules: {},
      dict: 'rank',
      sort: 1,
    },
    {
      key: 'chars',
      label: '角色',
      group: 'base',
      type: 'roster',
      role: 'value*',
      required: true,
      rules: { maxItems: 80 },
      sort: 2,
      roster: { dup: [0, 6], sig: true, refine: [1, 5] },
    },
  ],
  dicts: { rank: [{ ...option('gold'), children: [{ ...option('g1'), children: [option('s1')] }] }] },
  crossChecks: [{ parts: ['a'], whole: 'b', msg: '请核对' }],
}
const userInfo: Res<'user', 'get'> = {
  userId: '1',
  nickname: '峡谷旅客',
  avatar: '',
  mobileMasked: '138****8000',
  realName: { status: 'NONE' },
  hasPassword: false,
  wxBound: false,
  unread: 0,
  couponCount: 1,
  settings: {
    pushReport: true,
    pushActivity: false,
    showAsExample: false,
    fontScale: 1.15,
    reduceMotion: false,
    personalised: true,
  },
}
const report: Res<'evaluation', 'reportGet'> = {
  reportNo: 'GZ20250607-8F3K2M',
  orderId: 'o1',
  gameId: 'hok',
  mode: 'AI',
  version: 1,
  status: 'LOCKED',
  title: '王者荣耀 · 安卓微信 · V8',
  account: { nickMasked: '峡**客', idMasked: '548***090' },
  price: { predictFen: 232269, lowFen: 193000, highFen: 279000, quickFen: 198000, listFen: 256000, coverage: 0.8 },
  confidence: { level: 'HIGH', score: 78, reasons: ['可比成交 42 个'], doubts: [], sold: 42 },
  breakdown: [{ type: 'FACTOR', label: '安卓微信', amountFen: -14100, items: [] }],
  counts: { breakdown: 12, comparables: 8, history: 0, raise: 2 },
  aiGenerated: false,
  createdAt: 1,
  validUntil: 2,
}
const orders: Res<'evaluation', 'orderList'> = {
  list: [
    {
      orderId: 'o1',
      orderNo: 'E20250607102400123456',
      mode: 'AI',
      gameId: 'hok',
      gameName: '王者荣耀',
      gameIcon: '',
      title: '王者荣耀',
      status: 'REPORTED',
      statusText: '待解锁',
      payStatus: 'UNPAID',
      originFen: 0,
      discountFen: 0,
      payFen: 0,
      createdAt: 1,
      reportNo: 'GZ1',
      evaluated: false,
      actions: ['VIEW', 'UNLOCK'],
    },
  ],
  total: 1,
  pageNo: 1,
  pageSize: 10,
}
const submit: Req<'evaluation', 'submitAi'> = {
  gameId: 'hok',
  schemaVersion: 7,
  source: 'TYPED',
  answers: { heroCount: 100, tap: true, rank: ['gold', 'g1'], chars: [{ v: 'c1', dup: 1, sig: true, refine: 2 }] },
}

describe.each<[string, TSchema, object]>([
  ['user.get answer', schemas.user.get.res, userInfo],
  ['evaluation.reportGet answer', schemas.evaluation.reportGet.res, report],
  ['evaluation.gameConfig answer', schemas.evaluation.gameConfig.res, formConfig],
  ['evaluation.orderList answer', schemas.evaluation.orderList.res, orders],
  ['evaluation.submitAi request', schemas.evaluation.submitAi.req, submit],
])('%s', (_name, schema, example) => {
  test('an example passes', () => expect([...Value.Errors(schema, example)]).toEqual([]))
  test('an unknown field does not', () => expect(Value.Check(schema, { ...example, extra: 1 })).toBe(false))
  test('a missing field does not either', () => {
    for (const key of Object.keys((schema as unknown as { required: object }).required ?? {})) {
      const name = (schema as unknown as { required: string[] }).required[Number(key)] as string
      expect(Value.Check(schema, { ...example, [name]: undefined })).toBe(false)
    }
  })
})

test('answers of a submission are values, lists and rows; deeper nesting is refused', () => {
  const check = (answers: unknown) => Value.Check(schemas.evaluation.submitAi.req, { ...submit, answers })
  expect(check({ a: { b: 1 } })).toBe(false)
  expect(check({ a: [{ b: { c: 1 } }] })).toBe(false)
  expect(check({ a: 'x'.repeat(2001) })).toBe(false)
  expect(check(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, 1])))).toBe(false)
})

test('options with more than four levels are refused instead of truncated', () => {
  const deep = (levels: number): object => ({ ...option('x'), ...(levels > 1 ? { children: [deep(levels - 1)] } : {}) })
  expect(Value.Check(OptionTree, [deep(4)])).toBe(true)
  expect(Value.Check(OptionTree, [deep(5)])).toBe(false)
  expect(Value.Check(FormConfigSchema, { ...formConfig, dicts: { rank: [deep(5)] } })).toBe(false)
})

test('the catalogue has the rows of the specification and every code the client must know', () => {
  expect(Object.keys(httpErrors).map(Number)).toEqual([400, 401, 403, 404, 405, 406, 460, 500, 502, 503, 504])
  const must =
    'OK NOT_LOGGED_IN REQUEST_TOO_BUSY_PLEASE_WAIT ORDER_STATUS_CHANGED COUPON_NOT_USABLE PAY_CLOSED REPORT_LOCKED ' +
    'AUTH_TASK_EXPIRED SAMPLE_INSUFFICIENT LINK_UNSUPPORTED GAME_OFFLINE HELP_SELF HELP_DUPLICATE HELP_LIMIT HELP_EXPIRED ' +
    'HELP_DONE HELP_RISK SMS_TOO_FAST SMS_DAILY_LIMIT SMS_CODE_WRONG SMS_CODE_EXPIRED PWD_WRONG ACCOUNT_LOCKED ' +
    'REALNAME_MISMATCH REALNAME_LIMIT MINOR_NOT_ALLOWED NOT_OPEN_YET'
  expect(Object.keys(codes)).toEqual(expect.arrayContaining(must.split(' ')))
  // those of the framework are not in the specification: clients handle them like other unknown statuses
  const statuses = [200, 412, 413, 415, 416, ...Object.keys(httpErrors).map(Number)]
  for (const { http } of Object.values(codes)) expect(statuses).toContain(http)
  expect(codeText('SMS_TOO_FAST', { n: 42 })).toBe('发送太频繁，请 42 秒后再试')
})

test('the label of a status depends on the mode', () => {
  expect(orderStatusText('AI', 'REPORTED')).toBe('待解锁')
  expect(orderStatusText('MANUAL', 'REPORTED')).toBe('已出报告')
  expect(orderStatusText('AI', 'WAIT_INFO')).toBe('—')
})

test('the length of a text is its number of characters, as text boxes count them: an emoji is one', () => {
  const { content } = schemas.chat.send.req.properties
  expect(Value.Check(content, '😀'.repeat(CHAT_TEXT_MAX))).toBe(true)
  expect(Value.Check(content, '😀'.repeat(CHAT_TEXT_MAX + 1))).toBe(false)
})
