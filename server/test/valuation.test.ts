import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { CallGroup, CallOf } from '@/contract/calls'
import type { FormConfig } from '@/contract/form/types'
import { schemas } from '@/contract/schemas'
import type { Req } from '@/contract/types'
import { sameAccount } from '../domains/games/account-identity'
import { readModel } from '../domains/models/model-text'
import type { StoredReport } from '../domains/reports/store'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer, untilNoon } from './harness'

const DAY = 86_400_000
let testDatabase: TestDatabase
let server: TestServer
let config: FormConfig
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['naraka'] })
  const row = await server.database.db.selectFrom('games').select('config').executeTakeFirstOrThrow()
  config = row.config
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})
// limits count per day, and a test must not reach the next one
beforeEach(() => server.clock.advance(untilNoon(server, 2)))

let numbers = 0
const newUser = () => {
  numbers += 1
  return server.login(`1390000${String(numbers).padStart(4, '0')}`)
}
const submission = (skip = 0): Req<'evaluation', 'submitAi'> => ({
  gameId: config.gameId,
  schemaVersion: config.schemaVersion,
  answers: someAnswers(config, skip),
  source: 'TYPED',
})
const submit = (token: string, skip = 0) => server.call('evaluation', 'submitAi', submission(skip), { token })
const setConfig = (change: Partial<FormConfig>) =>
  server.database.db
    .updateTable('games')
    .set({ config: JSON.stringify({ ...config, ...change }) })
    .where('game_id', '=', config.gameId)
    .execute()

/** Responses match the contract exactly; the serializer would silently drop undeclared fields. */
const fits = <R extends CallGroup>(group: R, name: CallOf<R>, data: unknown) => {
  const { res } = (schemas[group] as unknown as Record<CallOf<R>, { res: TSchema }>)[name]
  expect([...Value.Errors(res, data)]).toEqual([])
}

test('an unusable account gets no price, with the reason at the field', async () => {
  const { token } = await newUser()
  const banned = { ...submission(), answers: { ...submission().answers, banStatus: 'perm' } }
  const { status, body } = await server.call('evaluation', 'submitAi', banned, { token })
  expect(status).toBe(400)
  expect(body.data).toEqual({ fields: [{ path: 'answers.banStatus', msg: expect.stringContaining('永久封禁') }] })
})

test('a report says how many answers screenshots show, and that they are no proof', async () => {
  const { token, userId } = await newUser()
  const plain = (await submit(token)).body.data
  const reasonsOf = async (orderId: string) =>
    (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data.confidence?.reasons ?? []
  const now = server.clock.now()
  const read = { answers: someAnswers(config, 1), sources: [], ask: [] }
  await server.database.db
    .insertInto('screenshot_tasks')
    .values({
      ...{ id: 'shown', user_id: userId, game_id: config.gameId, keys: '[]', status: 'DONE' },
      ...{ result: JSON.stringify(read), created_at: now, expire_at: now + DAY },
    })
    .execute()
  const shown = (await submit(token, 1)).body.data
  expect((await reasonsOf(plain.orderId)).join()).not.toContain('截图')
  expect((await reasonsOf(shown.orderId)).join()).toMatch(/截图核对 \d+ 项，截图由本人提供，不作为证明/)
  const { inputs } = await server.database.db
    .selectFrom('reports')
    .select('inputs')
    .where('order_id', '=', shown.orderId)
    .executeTakeFirstOrThrow()
  expect(inputs.shown).toBeGreaterThan(5)
})

test('a locked report has price, range, confidence, two lines, one comparable and counts, nothing else', async () => {
  const { token } = await newUser()
  const { data } = (await submit(token)).body
  expect(data.status).toBe('REPORTED')
  const { body } = await server.call('evaluation', 'reportGet', { orderId: data.orderId }, { token })
  const report = body.data
  fits('evaluation', 'reportGet', report)
  expect(report.reportNo).toMatch(/^GZ\d{8}-[0-9A-Z]{6}$/)
  expect(report.status).toBe('LOCKED')
  expect(report.price.lowFen).toBeLessThan(report.price.predictFen)
  expect(report.price.highFen).toBeGreaterThan(report.price.predictFen)
  expect(report.breakdown).toHaveLength(2)
  expect(report.counts.breakdown).toBeGreaterThan(2)
  expect(report.counts.comparables).toBeGreaterThanOrEqual(3)
  // the number of sales per game in prepare.ts
  expect(report.model).toMatchObject({ sampleN: 600, synthetic: true })
  const about = ['account', 'aiGenerated', 'createdAt', 'gameId', 'mine', 'mode', 'orderId', 'reportNo', 'status']
  const known = ['title', 'validUntil', 'version', 'verifyUrl', 'signature', 'inputs', 'listing']
  expect(report.comparables).toHaveLength(1)
  const parts = ['breakdown', 'comparables', 'confidence', 'counts', 'model', 'price']
  expect(Object.keys(report).sort()).toEqual([...about, ...known, ...parts].sort())
  const byNumber = await server.call('evaluation', 'reportGet', { reportNo: report.reportNo }, { token })
  expect(byNumber.body.data).toEqual(report)
})

test('an unlocked report adds up to the fen', async () => {
  const { token } = await newUser()
  const { orderId } = (await submit(token)).body.data
  const { db } = server.database
  await db.updateTable('reports').set({ status: 'UNLOCKED' }).where('order_id', '=', orderId).execute()
  const report = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  fits('evaluation', 'reportGet', report)
  expect(report.breakdown.reduce((sum, line) => sum + line.amountFen, 0)).toBe(report.price.predictFen)
  expect(report.comparables).toHaveLength(report.counts.comparables)
})

test('the stored inputs and model reproduce the price', async () => {
  const { valuate } = await import('../engine/valuate')
  const { token } = await newUser()
  const { orderId } = (await submit(token)).body.data
  const { db } = server.database
  const row = await db.selectFrom('reports').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
  const model = await db.selectFrom('models').select('body').where('id', '=', row.model_id).executeTakeFirstOrThrow()
  const { answers, now } = row.inputs
  const again = valuate(await readModel(model.body), config, answers, { now, source: 'TYPED' })
  expect(again).toMatchObject({ price: (row.body as unknown as StoredReport).price })
})

test('twenty parallel submits of the same answers are one order; other answers are another', async () => {
  const { token, userId } = await newUser()
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(token)))
  expect(new Set(answers.map((a) => a.body.data.orderId)).size).toBe(1)
  await submit(token, 1)
  const { db } = server.database
  expect(await db.selectFrom('orders').select('id').where('user_id', '=', userId).execute()).toHaveLength(2)
  expect(await db.selectFrom('reports').select('order_id').where('user_id', '=', userId).execute()).toHaveLength(2)
})

test('a draft is one order however late it is sent again; other tags make another order, their sequence does not', async () => {
  const { token, userId } = await newUser()
  const tags = config.fields.find((f) => f.type === 'tags')
  const [a, b] = config.dicts[tags?.dict ?? '']?.map(({ v }) => v) ?? []
  const send = async (chosen: (string | undefined)[], requestId?: string) => {
    const answers = { ...submission().answers, [tags?.key ?? '']: chosen.flatMap((v) => v ?? []) }
    const req = { ...submission(), answers, ...(requestId && { requestId }) }
    return (await server.call('evaluation', 'submitAi', req, { token })).body.data.orderId
  }
  const first = await send([a, b], 'draft-1')
  expect(await send([b, a], 'draft-1')).toBe(first)
  expect(await send([b, a])).toBe(first)
  server.clock.advance(3_600_000)
  expect(await send([a, b], 'draft-1')).toBe(first)
  expect(await send([a], 'draft-1')).not.toBe(first)
  expect(await send([a, b], 'draft-2')).not.toBe(first)
  const other = await newUser()
  const theirs = { ...submission(), requestId: 'draft-1' }
  const { orderId } = (await server.call('evaluation', 'submitAi', theirs, { token: other.token })).body.data
  expect(orderId).not.toBe(first)
  const { db } = server.database
  expect(await db.selectFrom('orders').select('id').where('user_id', '=', userId).execute()).toHaveLength(3)
})

test('a draft whose order was closed, cancelled or refunded begins a new order when it is sent again', async () => {
  const { db } = server.database
  for (const status of ['CLOSED', 'CANCELED', 'REFUNDED']) {
    const { token } = await newUser()
    const req = { ...submission(), requestId: `draft-${status}` }
    const send = async () => (await server.call('evaluation', 'submitAi', req, { token })).body.data
    const { orderId } = await send()
    await db.updateTable('orders').set({ status }).where('id', '=', orderId).execute()
    const next = await send()
    expect([next.status, next.orderId === orderId]).toEqual(['REPORTED', false])
  }
})

test('three free valuations per calendar day in China, then FREE_QUOTA_USED', async () => {
  const { token, userId } = await newUser()
  for (const skip of [0, 1, 2]) expect((await submit(token, skip)).body.success).toBe(true)
  const fourth = await submit(token, 3)
  expect([fourth.status, fourth.body.code]).toEqual([200, 'FREE_QUOTA_USED'])
  const offer = async (who?: string) => {
    const req = { gameId: config.gameId, mode: 'AI' as const }
    const { freeLeft, last } = (await server.call('evaluation', 'gameConfig', req, who ? { token: who } : {})).body.data
    return { freeLeft, last: last?.answers }
  }
  expect(await offer(token)).toEqual({ freeLeft: 0, last: submission(2).answers })
  expect(await offer((await newUser()).token)).toEqual({ freeLeft: 3, last: undefined })
  expect(await offer()).toEqual({ freeLeft: undefined, last: undefined })
  expect((await submit(token, 2)).body.success).toBe(true)
  // those of a time when the clock was ahead
  const ahead = server.clock.now() + DAY
  await server.database.db
    .updateTable('orders')
    .set({ created_at: ahead, reported_at: ahead })
    .where('user_id', '=', userId)
    .execute()
  expect((await offer(token)).freeLeft).toBe(3)
  server.clock.advance(DAY)
  expect((await submit((await newUser()).token, 3)).body.success).toBe(true)
})

test('an expired report is renewed for free once, which the form announces', async () => {
  const { token, userId } = await newUser()
  const offer = async () => {
    const req = { gameId: config.gameId, mode: 'AI' as const }
    const { data } = (await server.call('evaluation', 'gameConfig', req, { token })).body
    return [data.freeLeft, data.freeAgain]
  }
  const accounts: number[] = []
  for (let n = 0; accounts.length < 4; n++)
    if (accounts.every((m) => !sameAccount(config, submission(m).answers, submission(n).answers))) accounts.push(n)
  const send = async (nth: number) => (await submit(token, accounts[nth])).body.code
  expect(await send(0)).toBe('OK')
  await server.database.db.updateTable('reports').set({ valid_until: 0 }).where('user_id', '=', userId).execute()
  expect([await send(1), await send(2)]).toEqual(['OK', 'OK'])
  expect(await offer()).toEqual([0, true])
  expect(await send(3)).toBe('FREE_QUOTA_USED')
  // later than the window for repeated submissions
  server.clock.advance(700_000)
  expect(await send(0)).toBe('OK')
  expect(await offer()).toEqual([0, undefined])
})

test('a game without sales: INSUFFICIENT, no report, and no free valuation used', async () => {
  const { db } = server.database
  await db
    .insertInto('games')
    .values({
      game_id: 'empty',
      config: JSON.stringify({ ...config, gameId: 'empty', name: '新游戏' }),
      icon: '',
      letter: 'X',
      search: 'xyx',
      hot: 0,
      sort: 9,
      updated_at: 0,
    })
    .execute()
  const { token } = await newUser()
  for (const skip of [0, 1, 2, 3]) {
    const req = { ...submission(skip), gameId: 'empty' }
    expect((await server.call('evaluation', 'submitAi', req, { token })).body.data.status).toBe('INSUFFICIENT')
  }
  // free attempts are limited too
  const codes: string[] = []
  for (let n = 0; n <= 26; n++) {
    const req = { ...submission(), gameId: 'empty', answers: { ...submission().answers, remark: `第 ${n} 次` } }
    codes.push((await server.call('evaluation', 'submitAi', req, { token })).body.code as string)
  }
  expect([codes.lastIndexOf('OK'), codes[26]]).toEqual([25, 'FREE_QUOTA_USED'])
  const list = (await server.call('evaluation', 'orderList', { tab: 'DONE', pageSize: 4 }, { token })).body.data
  fits('evaluation', 'orderList', list)
  expect(list.list.map((o) => o.statusText)).toEqual(Array(4).fill('样本不足'))
  const none = await server.call('evaluation', 'reportGet', { orderId: list.list[0]?.orderId ?? '' }, { token })
  expect(none.body.code).toBe('SAMPLE_INSUFFICIENT')
})

test('missing, impossible and unknown answers are reported by field, and nothing is stored', async () => {
  const { token, userId } = await newUser()
  const { heroCount: _gone, ...rest } = submission().answers
  const req = { ...submission(), answers: { ...rest, redCount: -5, hacked: 1 } }
  const answer = await server.call('evaluation', 'submitAi', req, { token })
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  const { fields } = answer.body.data as unknown as { fields: { path: string }[] }
  expect(fields.map((f) => f.path).sort()).toEqual(['answers.hacked', 'answers.heroCount', 'answers.redCount'])
  const { db } = server.database
  expect(await db.selectFrom('orders').select('id').where('user_id', '=', userId).execute()).toEqual([])
})

test('another form version, a suspended game and an unknown game have different errors', async () => {
  const { token } = await newUser()
  const codeOf = async (req: Req<'evaluation', 'submitAi'>) =>
    (await server.call('evaluation', 'submitAi', req, { token })).body.code
  expect(await codeOf({ ...submission(), schemaVersion: config.schemaVersion + 1 })).toBe('FORM_CHANGED')
  await setConfig({ status: 'MAINTAIN' })
  expect(await codeOf(submission())).toBe('GAME_OFFLINE')
  await setConfig({})
  expect(await codeOf({ ...submission(), gameId: 'nothing' })).toBe('NOT_FOUND')
  expect(await codeOf({ ...submission(), taskId: 't1' })).toBe('AUTH_TASK_EXPIRED')
})

test("another user's order and report are 404 like missing ones, without asking for a login", async () => {
  const [owner, other] = [await newUser(), await newUser()]
  const { orderId } = (await submit(owner.token)).body.data
  const { reportNo } = (await server.call('evaluation', 'reportGet', { orderId }, { token: owner.token })).body.data
  for (const req of [{ orderId }, { reportNo }, { orderId: 'nothing' }]) {
    const answer = await server.call('evaluation', 'reportGet', req, { token: other.token })
    expect([answer.status, answer.body]).toEqual([
      404,
      { success: false, msg: '没有找到这份报告', data: null, code: 'NOT_FOUND' },
    ])
    expect((await server.call('evaluation', 'reportGet', req)).status).toBe(401)
  }
  expect((await server.call('pay', 'getInfo', { orderId }, { token: other.token })).status).toBe(404)
  expect((await server.call('evaluation', 'orderList', { tab: 'ALL' }, { token: other.token })).body.data.total).toBe(0)
})

test('orders are listed newest first, by page, tab, game and search text; counted; read individually', async () => {
  const { token } = await newUser()
  for (const skip of [0, 1, 2]) {
    await submit(token, skip)
    server.clock.advance(1000)
  }
  const list = async (req: Req<'evaluation', 'orderList'>) =>
    (await server.call('evaluation', 'orderList', req, { token })).body.data
  const first = await list({ tab: 'ALL', pageSize: 2 })
  fits('evaluation', 'orderList', first)
  expect([first.total, first.list.length, (await list({ tab: 'ALL', pageSize: 2, pageNo: 2 })).list.length]).toEqual([
    3, 2, 1,
  ])
  const times = first.list.map((o) => o.createdAt)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  expect(first.list[0]).toMatchObject({
    status: 'REPORTED',
    statusText: '待解锁',
    actions: ['VIEW', 'UNLOCK', 'EVALUATE', 'COMPARE'],
    gameName: config.name,
  })
  expect(first.list[0]?.orderNo).toMatch(/^E\d{20}$/)
  expect((await list({ tab: 'ING' })).total).toBe(0)
  expect((await list({ tab: 'DONE', gameId: config.gameId, mode: 'AI' })).total).toBe(3)
  expect((await list({ tab: 'ALL', keyword: first.list[0]?.orderNo ?? '' })).total).toBe(1)
  expect((await list({ tab: 'ALL', keyword: '%' })).total).toBe(0)
  const counts = (await server.call('pay', 'orderCount', {}, { token })).body.data
  expect(counts).toEqual({ unpaid: 0, ing: 0, done: 3, refund: 0 })
  const info = await server.call('pay', 'getInfo', { orderId: first.list[0]?.orderId ?? '' }, { token })
  expect(info.body.data).toEqual(first.list[0])
})

test('after seven days order and report are expired', async () => {
  const { token } = await newUser()
  const { orderId } = (await submit(token)).body.data
  server.clock.advance(7 * DAY)
  expect((await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data.status).toBe('EXPIRED')
  expect((await server.call('pay', 'getInfo', { orderId }, { token })).body.data.statusText).toBe('已过期')
})

test('home shows real counts, and a ticker of consenting users only, masked and rounded', async () => {
  const before = (await server.call('app', 'homeDataCount', {})).body.data
  const { token, userId } = await newUser()
  await submit(token)
  const after = (await server.call('app', 'homeDataCount', {})).body.data
  fits('app', 'homeDataCount', after)
  expect([after.users, after.reports]).toEqual([(before.users ?? 0) + 1, (before.reports ?? 0) + 1])
  expect((await server.call('app', 'lastFifteenOrder', {})).body.data).toEqual([])
  await server.call('user', 'updateSettings', { showAsExample: true }, { token })
  const [shown, ...others] = (await server.call('app', 'lastFifteenOrder', {})).body.data
  expect(others).toEqual([])
  fits('app', 'lastFifteenOrder', [shown])
  expect(shown).toMatchObject({ gameName: config.name, minutesAgo: 0 })
  expect((shown?.priceFen ?? 1) % 10_000).toBe(0)
  expect(shown?.nickMasked).toContain('**')
  const { db } = server.database
  const ticker = async () => (await server.call('app', 'lastFifteenOrder', {})).body.data.length
  const off = (deletion_at: number | null) =>
    db.updateTable('users').set({ deletion_at }).where('id', '=', userId).execute()
  await off(server.clock.now() + 15 * DAY)
  expect(await ticker()).toBe(0)
  await off(null)
  const report = (status: string) => db.updateTable('reports').set({ status }).where('user_id', '=', userId).execute()
  await report('REVOKED')
  expect(await ticker()).toBe(0)
  await report('LOCKED')
  expect(await ticker()).toBe(1)
  // when few agree, the newest reports are searched and not all of them
  const other = await newUser()
  await sql`insert into reports select made.* from reports r, generate_series(1, 10000) n,
    jsonb_populate_record(r, jsonb_build_object('report_no', 'newer' || n, 'user_id', ${other.userId}::text,
      'created_at', r.created_at + n, 'version', n + 1)) made where r.user_id = ${userId}`.execute(db)
  expect(await ticker()).toBe(0)
  await db.deleteFrom('reports').where('user_id', '=', other.userId).execute()
  expect(await ticker()).toBe(1)
  await db.updateTable('orders').set({ deleted_at: server.clock.now() }).where('user_id', '=', userId).execute()
  expect(await ticker()).toBe(0)
})

test('all data are kept when the server is restarted on the same store', async () => {
  const { token } = await newUser()
  const { orderId } = (await submit(token)).body.data
  const before = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  await server.close()
  server = await startServer({ testDatabase, games: ['naraka'] })
  const after = await server.call('evaluation', 'reportGet', { orderId }, { token })
  // the sandbox's clock is reset with the process
  expect({ ...after.body.data, status: '' }).toEqual({ ...before, status: '' })
})
