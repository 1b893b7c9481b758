/** Attempts to get more than was paid for, each found in a review. */
import { Registry } from 'prom-client'
import { calls } from '@/contract/calls'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { depsOf } from '../core/lifecycle'
import { createLog } from '../core/log'
import { registerDatabaseGauges } from '../core/observability/database-gauges'
import { decideRefund } from '../domains/orders/refunding/request-refund'
import { applyProviderRefund } from '../domains/payments/apply-refund-result'
import { addStaff } from '../domains/staff/accounts'
import { onCollected } from '../domains/valuations/collected/finish-task'
import { setupServer, someAnswers } from './harness'
import { adult, advance, configOf, manualRequest, paid, report } from './orders'
import { png } from './pictures'

const DAY = 86_400_000
let config: FormConfig
const server = setupServer({ games: ['val', 'hok'] })
beforeAll(async () => {
  config = await configOf(server, 'val')
})
beforeEach(() => server.clock.advance(2 * DAY))
const db = () => server.database.db
const deps = () => depsOf(server.lifecycle)

let next = 13_300_000_000
const submission = (skip = 0): Req<'evaluation', 'submitAi'> => ({
  gameId: config.gameId,
  schemaVersion: config.schemaVersion,
  answers: someAnswers(config, skip),
  source: 'TYPED',
})

test('a bad rating of a free report grants no further report', async () => {
  const { token } = await server.login(String(next++))
  const { orderId } = (await server.call('evaluation', 'submitAi', submission(), { token })).body.data
  await server.call('evaluation', 'saveEvaluation', { orderId, score: 1, accuracy: 'LOW' }, { token })
  const { list } = (await server.call('coupon', 'getByStatus', { status: 'UNUSED' }, { token })).body.data
  expect(list.filter(({ name }) => name.includes('复估'))).toEqual([])
})

/** A manual order of a new adult, paid for. */
async function paidManual() {
  const { token } = await adult(server, String(next++))
  const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true }, { token })
  await paid(server, orderId)
  return { token, orderId }
}
const waitForInfo = (orderId: string) =>
  db()
    .updateTable('orders')
    .set({ status: 'WAIT_INFO', info_due_at: server.clock.now() + DAY })
    .where('id', '=', orderId)
    .execute()
/** A collection of the user's that is under way. */
async function collecting(id: string, user_id: string) {
  const now = server.clock.now()
  const task = { login_type: 'QR', schema_version: 1, ref: null, lookup: '{}', created_at: now, changed_at: now }
  await db()
    .insertInto('collection_tasks')
    .values({ ...task, id, user_id, game_id: 'val', status: 'COLLECTING', expire_at: now + 60_000 })
    .execute()
}
const statusOf = async (token: string, orderId: string) =>
  (await server.call('pay', 'getInfo', { orderId }, { token })).body.data.status

/** An AI report bought for money, and a bad rating of it. */
async function unhappyBuyer() {
  const { token } = await server.login(String(next++))
  const as = { token }
  const { orderId } = (await server.call('evaluation', 'submitAi', submission(), as)).body.data
  // for money: no coupon
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId: '' }, as)
  await paid(server, orderId)
  await server.call('evaluation', 'saveEvaluation', { orderId, score: 1, accuracy: 'LOW' as const }, as)
  const tickets = async () =>
    (await server.call('coupon', 'getByStatus', { status: 'UNUSED' }, as)).body.data.list.filter(({ name }) =>
      name.includes('复估'),
    )
  const wantBack = async () =>
    (await server.call('evaluation', 'applyCancel', { orderId, reason: '价格不合适' }, as)).body
  const status = () => statusOf(token, orderId)
  /** what the page of the rating says of the coupon */
  const told = async () => (await server.call('evaluation', 'getEvaluation', { orderId }, as)).body.data?.coupon
  return { as, orderId, tickets, wantBack, status, told }
}

test('a revaluation coupon is revoked when its report is refunded, which only a decision does: it was read', async () => {
  const { orderId, tickets, wantBack, status, told } = await unhappyBuyer()
  expect([(await tickets()).length, await told()]).toEqual([1, 'GIVEN'])
  expect(await wantBack()).toMatchObject({ success: true })
  expect([await tickets(), await told()]).toEqual([[], 'REVOKED'])
  const overdue = async () => {
    const registry = new Registry()
    const log = createLog('silent')
    registerDatabaseGauges(registry, {
      db: db(),
      clock: server.clock,
      log,
      jobs: [],
    })
    return (await registry.getSingleMetric('valuation_refund_requests_overdue')?.get())?.values.map(
      ({ value }) => value,
    )
  }
  expect(await overdue()).toEqual([0])
  await advance(server, 2 * DAY)
  expect([await status(), await overdue()]).toEqual(['REFUNDING', [1]])
  await db()
    .transaction()
    .execute((tx) => decideRefund(tx, { orderId, grant: true, now: server.clock.now(), actor: 'staff:a' }))
  await server.lifecycle.jobRunner?.runAll()
  expect([await status(), await tickets(), await told()]).toEqual(['REFUNDED', [], 'REVOKED'])
  expect(await overdue()).toEqual([0])
})

test('a finished order that the provider pays back loses the coupon, and the rating’s page says so for good', async () => {
  const { orderId, status, tickets, told } = await unhappyBuyer()
  await db().updateTable('orders').set({ status: 'DONE' }).where('id', '=', orderId).execute()
  const payment = db().selectFrom('payments').select(['id', 'order_id', 'amount_fen']).where('order_id', '=', orderId)
  await applyProviderRefund(deps(), await payment.executeTakeFirstOrThrow(), `back-${orderId}`, server.clock.now())
  expect([await status(), await tickets(), await told()]).toEqual(['DONE', [], 'REVOKED'])
  // past its own time too
  await db().updateTable('user_coupons').set({ end_at: 1 }).where('status', '=', 'EXPIRED').execute()
  expect(await told()).toBe('REVOKED')
})

test('a refused refund restores the coupon; a used coupon prevents the refund', async () => {
  const { orderId, tickets, wantBack, status, told } = await unhappyBuyer()
  await wantBack()
  const refuse = { orderId, now: server.clock.now(), actor: 'staff:x', grant: false, answer: '报告无误' } as const
  await db()
    .transaction()
    .execute((tx) => decideRefund(tx, refuse))
  const [ticket] = await tickets()
  expect([await status(), ticket === undefined, await told()]).toEqual(['UNLOCKED', false, 'GIVEN'])

  const buyer = await unhappyBuyer()
  const [mine] = await buyer.tickets()
  const other = (await server.call('evaluation', 'submitAi', submission(1), buyer.as)).body.data.orderId
  const byCoupon = { payType: 'ALI_WAP', consent: true, couponId: mine?.couponId ?? '' } as const
  await server.call('pay', 'payment', { orderId: other, ...byCoupon }, buyer.as)
  expect(await buyer.tickets()).toEqual([])
  const msg = expect.stringContaining('复估体验券')
  expect(await buyer.wantBack()).toMatchObject({ code: 'ORDER_STATUS_CHANGED', msg })
  expect(await buyer.status()).toBe('UNLOCKED')
})

test('information that is asked for several times does not replace the account that was paid for step by step', async () => {
  const { token, orderId } = await paidManual()
  const paidFor = someAnswers(config)
  const supply = async (answers: Answers) => {
    await waitForInfo(orderId)
    return server.call('evaluation', 'submitManual', { ...manualRequest(config), orderId, answers }, { token })
  }
  // each step corrects a quarter of the numbers and choices that identify the account
  const other = Object.entries({ ...paidFor, ...someAnswers(config, 25) }).flatMap(([key, value]) => {
    const field = config.fields.find((candidate) => candidate.key === key)
    if (!field || field.role === 'none' || field.role === 'evidence') return []
    const changed = typeof value === 'number' ? value + 1 : value
    return JSON.stringify(changed) === JSON.stringify(paidFor[key]) ? [] : [{ [key]: changed }]
  })
  const size = Math.ceil(other.length / 4)
  const steps = [0, 1, 2, 3].map((i) => Object.assign({}, ...other.slice(i * size, (i + 1) * size)) as Answers)
  const answered: (string | number)[] = []
  for (const step of steps) {
    const { code, data } = (await supply(step)).body
    answered.push(/只能补充原来的账号/.exec(JSON.stringify(data))?.[0] ?? code)
  }
  const refused = '只能补充原来的账号'
  expect(answered).toEqual(['OK', refused, refused, refused])
})

test('a manual revaluation is for the account that was paid for', async () => {
  const { token, orderId } = await paidManual()
  await report(server, { orderId, priceFen: 100_000, comment: '按近期成交估价' })
  const text = config.fields.filter(({ type }) => type === 'int').map(({ key }) => key)
  const other = someAnswers(config, 25)
  const changed = Object.fromEntries(
    Object.entries(other).map(([key, value]) => [key, text.includes(key) ? Number(value ?? 0) + 1 : value]),
  )
  const request = { ...manualRequest(config, 25), orderId, answers: changed, remark: '价格偏低' }
  const again = await server.call('evaluation', 'submitManual', request, { token })
  expect(again.status).toBe(400)
  expect(JSON.stringify(again.body.data)).toContain('复估只针对原来的账号')
  await advance(server, 1)
  expect(await statusOf(token, orderId)).toBe('REPORTED')
})

test('an impossible sale price is refused instead of causing a server error', async () => {
  const { token } = await server.login(String(next++))
  const { orderId } = (await server.call('evaluation', 'submitAi', submission(1), { token })).body.data
  const said = { orderId, score: 5, accuracy: 'FAIR', tags: [], content: '', images: [], anonymous: false }
  const { path } = calls.evaluation.saveEvaluation
  const answer = await server.send('POST', path, { ...said, soldFen: 1e300 }, { token })
  expect(answer.status).toBe(400)
})

test("pictures among the answers of any valuation are the user's own", async () => {
  const field = config.fields.find(({ type }) => type === 'image')
  if (!field) throw new Error('no picture field')
  const { token, userId } = await adult(server, String(next++))
  const stranger = await server.login(String(next++))
  const theirs = await deps().providers.storage.put(stranger.userId, png, server.clock.now())
  await collecting('read', userId)
  const { answers } = submission(2)
  for (const key of ['../../../../etc/passwd', String(theirs)]) {
    const lying = { answers: { ...answers, [field.key]: [key] } }
    const refusals = [
      await server.call('evaluation', 'submitAi', { ...submission(2), ...lying }, { token }),
      await server.call('evaluation', 'submitAi', { ...submission(2), ...lying, taskId: 'read' }, { token }),
      await server.call('evaluation', 'submitManual', { ...manualRequest(config), ...lying }, { token }),
    ]
    for (const { status, body } of refusals) {
      expect(status).toBe(400)
      expect(body.data).toEqual({ fields: [expect.objectContaining({ path: expect.stringContaining(field.key) })] })
    }
  }
})

test('nobody has the storage read pictures without end by submissions that are refused', async () => {
  const { token, userId } = await server.login(String(next++))
  const { storage } = deps().providers
  const images = await Promise.all([1, 2, 3, 4].map(() => storage.put(userId, png, server.clock.now())))
  const checks = jest.spyOn(storage, 'typeOf')
  const submit = () =>
    server.call('user', 'submitFeedback', { type: 1, content: '每次打开都要等很久，请优化', images }, { token })
  for (let i = 0; i < 35; i++) await submit()
  expect(checks).toHaveBeenCalledTimes(120)
  checks.mockRestore()
})

test("a report's picture is the one its owner asked for, whatever host its reader names", async () => {
  const { token, userId } = await server.login(String(next++))
  const { orderId } = (await server.call('evaluation', 'submitAi', submission(3), { token })).body.data
  const ask = async () => (await server.call('evaluation', 'reportImage', { orderId }, { token })).body
  const { url } = (await ask()).data
  const [own, other] = await Promise.all(
    ['localhost:80', 'evil.example'].map((host) => server.app.inject({ url, headers: { host } })),
  )
  expect(own?.headers['content-type']).toBe('image/png')
  expect(other?.rawPayload.equals(own?.rawPayload as Buffer)).toBe(true)
  // and drawing is rate-limited per user, whoever asks; what is drawn already is not
  for (let i = 1; i < 30; i += 1) await deps().limits.enforce('draw', userId)
  expect((await ask()).code).toBe('OK')
  await deps().db.updateTable('users').set({ nickname: '改名' }).where('id', '=', userId).execute()
  expect((await ask()).code).toBe('REQUEST_TOO_BUSY_PLEASE_WAIT')
  expect((await server.app.inject(url)).statusCode).toBe(406)
  server.clock.advance(60_000)
  expect((await ask()).code).toBe('OK')
})

async function codeFor({ mobile, token }: { mobile: string; token: string }, scene: 3 | 5) {
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { scene }, { token })
  return server.sms.newestCode(mobile) ?? ''
}

test('correct passwords do not count against the limit of an address shared by many people', async () => {
  const mobile = String(next++)
  const { token } = await server.login(mobile)
  const code = await codeFor({ mobile, token }, 3)
  await server.call('user', 'updatePassword', { code, password: 'abcd1234' }, { token })
  const logIn = async (password: string) => (await server.call('user', 'login', { mobile, password })).body.code
  for (let i = 0; i < 55; i++) expect(await logIn('abcd1234')).toBe('OK')
  expect(await logIn('wrong1234')).toBe('PWD_WRONG')
  const row = await db().selectFrom('password_tries').select('wrong').where('key', 'like', 'ip:%').executeTakeFirst()
  expect(row).toEqual({ wrong: 1 })
})

test('parallel submissions do not exceed the daily limit', async () => {
  const { token } = await server.login(String(next++))
  const many = (say: (i: number) => Promise<{ body: { success: boolean } }>) =>
    Promise.all(Array.from({ length: 14 }, (_, i) => say(i)))
  const count = (said: Awaited<ReturnType<typeof many>>) => said.filter(({ body }) => body.success).length
  const content = '每次打开都要等很久，请优化'
  const opinions = await many(() => server.call('user', 'submitFeedback', { type: 1, content }, { token }))
  const requests = await many((i) =>
    server.call('evaluation', 'saveGameFeedback', { gameName: `没有的游戏${i}`, platform: '安卓' }, { token }),
  )
  expect([count(opinions), count(requests)]).toEqual([10, 5])
})

test('an account cannot be cancelled while it places an order', async () => {
  const mobile = String(next++)
  const { token, userId } = await adult(server, mobile)
  const code = await codeFor({ mobile, token }, 5)
  const three = () =>
    [0, 1, 2].map((i) => server.call('evaluation', 'submitManual', manualRequest(config, i), { token }))
  await Promise.all([
    ...three(),
    server.call('user', 'loginOff', { code }, { token }),
    ...three(),
    server.call('user', 'submitFeedback', { type: 5, content: '客服一直没有回复我的问题' }, { token }),
  ])
  const user = db().selectFrom('users').select('deletion_at').where('id', '=', userId)
  const { deletion_at } = await user.executeTakeFirstOrThrow()
  const orders = await db().selectFrom('orders').select('id').where('user_id', '=', userId).execute()
  const complaints = await db().selectFrom('feedback').select('id').where('user_id', '=', userId).execute()
  expect(deletion_at === null || orders.length + complaints.length === 0).toBe(true)
  // an account being cancelled starts nothing, even by requests already authenticated
  const late = await adult(server, String(next++))
  const deletion = { deletion_at: server.clock.now() + DAY }
  await db().updateTable('users').set(deletion).where('id', '=', late.userId).execute()
  const asked = await server.call('evaluation', 'submitManual', manualRequest(config), { token: late.token })
  expect([asked.status, asked.body.code]).toEqual([401, 'NOT_LOGGED_IN'])
})

test('a device named like an object property is shown by its name', async () => {
  const mobile = String(next++)
  await server.call('user', 'sendSmsCode', { mobile, scene: 1 })
  const enter = { mobile, code: server.sms.newestCode(mobile) ?? '' }
  const headers = { platform: 'constructor', os: '__proto__' }
  const { userId } = (await server.call('user', 'smsLogin', enter, { headers })).body.data
  const session = db().selectFrom('sessions').select('device').where('user_id', '=', userId)
  expect(await session.execute()).toEqual([{ device: '网页' }])
})

describe('at the desk', () => {
  const NAME = 'abuse-admin'
  let password = ''
  beforeAll(async () => {
    const add = db()
      .transaction()
      .execute((tx) => addStaff(tx, { name: NAME, role: 'ADMIN' }, server.clock.now()))
    password = (await add).password
  })
  const logIn = (fields: Record<string, string>, remoteAddress = '203.0.113.1') =>
    server.app.inject({
      ...{ method: 'POST', url: '/desk/login', remoteAddress, payload: new URLSearchParams(fields).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  test('wrong passwords from another network do not lock the owner out', async () => {
    for (let i = 0; i < 8; i++) await logIn({ name: NAME, password: 'wrong-pass-1' })
    expect((await logIn({ name: NAME, password })).body).toContain('密码错误次数过多')
    for (let i = 0; i < 3; i++)
      expect((await logIn({ name: NAME, password }, '198.51.100.1')).headers.location).toBe('/desk')
    // and limited across networks
    let tried = 0
    for (let place = 0; place < 40; place++)
      for (let i = 0; i < 5; i++) {
        const { body } = await logIn({ name: NAME, password: 'wrong-pass-1' }, `192.0.2.${place}`)
        if (body.includes('登录名或密码不正确')) tried += 1
      }
    expect(tried).toBe(95)
    server.clock.advance(DAY)
    expect((await logIn({ name: NAME, password })).headers.location).toBe('/desk')
  })

  test('NUL in a form or URL is refused instead of causing a server error', async () => {
    expect((await logIn({ name: 'x\0y', password: 'wrong-pass-1\0' })).statusCode).toBe(401)
    const login = await logIn({ name: NAME, password })
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
    await db().updateTable('staff_logins').set({ must_change: false }).where('name', '=', NAME).execute()
    for (const url of ['/desk/orders/%00', '/desk/feedback/a%00', '/desk/orders?q=%00', '/desk?done=%00'])
      expect((await server.app.inject({ url, headers: { cookie } })).statusCode).toBeLessThan(500)
  })
})

test('collector data is stored whatever characters a player name contains', async () => {
  await collecting('nul', (await server.login(String(next++))).userId)
  const raw = { nick: 'a\u0000b\ud800', 'k\u0000': 'back\\u0000slash' }
  expect(await onCollected(deps(), 'nul', { kind: 'SUCCESS', answers: submission().answers, raw })).toBe(true)
  const row = await db().selectFrom('collection_tasks').select('raw').where('id', '=', 'nul').executeTakeFirst()
  expect(row?.raw).toEqual({ nick: 'a\ufffdb\ufffd', 'k\ufffd': 'back\\u0000slash' })
})

test('an equal public id neither opens nor values the report of another account', async () => {
  const hok = await configOf(server, 'hok')
  const withId = (skip: number): Answers => ({ ...someAnswers(hok, skip), campId: '123456789' })
  // the account that is valued by a person, as it is, with one answer changed, and two others
  const level = hok.fields.find(({ type, role }) => type === 'int' && role !== 'none')?.key ?? ''
  const own = withId(0)
  const grown = { ...own, [level]: Number(own[level] ?? 0) + 1 }
  const { token } = await adult(server, String(next++))
  const { gameId, schemaVersion } = hok
  const ai: string[] = []
  for (const answers of [grown, withId(20), withId(40)]) {
    const request = { gameId, schemaVersion, answers, source: 'TYPED' as const }
    ai.push((await server.call('evaluation', 'submitAi', request, { token })).body.data.orderId)
  }
  await advance(server, 1)
  const manual = { ...manualRequest(hok), answers: own }
  const { orderId } = (await server.call('evaluation', 'submitManual', manual, { token })).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true }, { token })
  await paid(server, orderId)
  await report(server, { orderId, priceFen: 100_000, comment: '按近期成交估价' })
  expect(await Promise.all(ai.map((id) => statusOf(token, id)))).toEqual(['UNLOCKED', 'REPORTED', 'REPORTED'])
  const again = { ...manual, orderId, answers: withId(20), remark: '价格偏低' }
  expect((await server.call('evaluation', 'submitManual', again, { token })).status).toBe(400)
  await waitForInfo(orderId)
  expect(JSON.stringify((await server.call('evaluation', 'submitManual', again, { token })).body)).toContain(
    '只能补充原来的账号',
  )
})
