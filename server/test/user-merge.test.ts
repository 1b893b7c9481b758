import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { socialTypes } from '@/contract/labels'
import { createEncryption } from '../core/encryption'
import { insertSales, type SaleRow, storeSales } from '../db/sales'
import { revokeAccess } from '../domains/accounts/login/revoke-access'
import { mergeUsers } from '../domains/accounts/merge'
import { rehashReporters, reporterOf } from '../domains/accounts/reporter-hashes'
import { logInitialStatus } from '../domains/orders/order-transitions'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { configOf } from './orders'
import { readWhole, statementsOf } from './plans'

/** Calls that run while their account is merged or deleted. */
const DAY = 86_400_000
let testDatabase: TestDatabase
let server: TestServer
let config: FormConfig
/** the server's errors, to explain a failed test */
const failures: string[] = []
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({
    testDatabase,
    games: ['ys'],
    onLog: (line) => {
      if (line.includes('request failed')) failures.push(line.slice(0, 1000))
    },
  })
  config = await configOf(server, 'ys')
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})
// limits per address and day start again
beforeEach(() => server.clock.advance(2 * DAY))

interface Login {
  token: string
  userId: string
}
type Answer = { status: number; body: { code?: unknown; success: boolean } }

let mobiles = 13_500_000_000
let nonces = 0
const newMobile = () => String(mobiles++)
const fresh = (who: string) => `sandbox.${who}.j${String(nonces++).padStart(6, '0')}`
const web = (who: string, token?: string) =>
  server.call(
    'user',
    'socialLogin',
    { type: socialTypes.WECHAT_WEB, code: fresh(who), state: 's', ...(token && { bind: true }) },
    token ? { token } : {},
  )
const quick = (who: string, mobile: string) =>
  server.call('user', 'weixinMiniAppLogin', { loginCode: fresh(who), phoneCode: fresh(mobile), state: 's' })
const codeFor = async (mobile: string, scene: 1 | 5, token: string) => {
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { mobile, scene }, { token })
  return server.sms.newestCode(mobile) ?? ''
}
const bindByCode = async (token: string, mobile: string) =>
  server.call('user', 'smsLogin', { mobile, code: await codeFor(mobile, 1, token), bind: true }, { token })
const say = (token: string, clientId: string, content: string) =>
  server.call('chat', 'send', { clientId, type: 'TEXT', content }, { token })
const heard = async (token: string) =>
  (await server.call('chat', 'messages', {}, { token })).body.data.list.filter(({ from }) => from === 'USER')

describe('two accounts whose devices gave a message the same name', () => {
  const ways = {
    'sms-login with bind': async (guest: Login, _owner: Login, mobile: string) => bindByCode(guest.token, mobile),
    'social-login with bind': async (_guest: Login, owner: Login, _mobile: string, who: string) =>
      web(who, owner.token),
    'weixin-mini-app-login': async (_guest: Login, _owner: Login, mobile: string, who: string) => quick(who, mobile),
  }
  test.each(Object.entries(ways))('are merged by %s, and both messages stay', async (name, join) => {
    const who = `same${name.length}`
    const mobile = newMobile()
    const owner = await server.login(mobile)
    const guest = (await web(who)).body.data
    for (const [{ token }, words] of [
      [owner, '号主说的'],
      [guest, '访客说的'],
    ] as const)
      for (const clientId of ['m-1', 'm-2']) await say(token, clientId, words)
    const joined = await join(guest, owner, mobile, who)
    expect(joined).toMatchObject({ status: 200, body: { success: true, data: { userId: owner.userId } } })
    const { token } = joined.body.data
    expect((await heard(token)).map(({ text }) => text)).toEqual(['号主说的', '号主说的', '访客说的', '访客说的'])
    // the client id still identifies the remaining account's message
    expect((await say(token, 'm-1', '号主说的')).body.data).toMatchObject({ seq: 1, clientId: 'm-1' })
  })
})

/** An order with a locked report, without a model. */
async function reportOf({ userId }: Login, id: string) {
  const { db } = server.database
  const now = server.clock.now()
  await sql`insert into orders (id, order_no, user_id, game_id, mode, status, pay_status, title, source, schema_version,
      request_key, answers, created_at, reported_at, report_no, origin_fen, discount_fen, pay_fen)
    values (${id}, ${`NO${id}`}, ${userId}, ${config.gameId}, 'AI', 'REPORTED', 'UNPAID', '账号', 'TYPED', 1,
      ${`${userId}:${id}`}, '{}', ${now}, ${now}, ${`R${id}`}, 390, 0, 390)`.execute(db)
  await db
    .insertInto('reports')
    .values({
      report_no: `R${id}`,
      order_id: id,
      user_id: userId,
      game_id: config.gameId,
      version: 1,
      status: 'PARTIAL',
      model_id: null,
      account_id: '',
      inputs: '{}',
      body: '{}',
      digest: '',
      predict_fen: 1,
      created_at: now,
      valid_until: now + DAY,
    })
    .execute()
  return id
}

test('the events of the merged account’s orders name the other one, and are found by the orders', async () => {
  const owner = await server.login(newMobile())
  const guest = (await web('events')).body.data
  const { db } = server.database
  const orderId = await reportOf(guest, 'event1')
  const now = server.clock.now()
  await logInitialStatus(db, { orderId, to: 'REPORTED', now, actor: `user:${guest.userId}` })
  const { encryption } = server.lifecycle.deps ?? {}
  if (!encryption) throw new Error('no server')
  const asked = await statementsOf(db, () =>
    db.transaction().execute((tx) => mergeUsers(tx, { from: guest.userId, into: owner.userId, encryption, now })),
  )
  const events = db.selectFrom('order_events').select('actor').where('order_id', '=', orderId)
  expect(await events.execute()).toEqual([{ actor: `user:${owner.userId}` }])
  const changes = asked.filter(({ sql: text }) => text.startsWith('update order_events'))
  expect([changes.length, await readWhole(db, changes)]).toEqual([1, []])
})

test('help between two accounts of one person no longer counts after their merge', async () => {
  const mobile = newMobile()
  const owner = await server.login(mobile)
  const guest = (await web('selfhelp')).body.data
  const stranger = await server.login(newMobile())
  const [own, theirs] = [await reportOf(owner, 'self1'), await reportOf(stranger, 'self2')]
  const { db } = server.database
  const now = server.clock.now()
  const ask = async (user: Login, orderId: string, id: string, helpers: Login[]) => {
    await sql`insert into unlock_records (id, order_id, user_id, nth, need, got, created_at, expire_at)
      values (${id}, ${orderId}, ${user.userId}, 1, 3, ${helpers.length}, ${now}, ${now + DAY})`.execute(db)
    for (const { userId } of helpers)
      await db
        .insertInto('unlock_helps')
        .values({ record_id: id, user_id: userId, owner_id: user.userId, at: now })
        .execute()
  }
  await ask(owner, own, 'help1', [guest, stranger])
  await ask(stranger, theirs, 'help2', [guest, owner])
  const joined = await quick('selfhelp', mobile)
  expect(joined).toMatchObject({ status: 200, body: { data: { userId: owner.userId } } })
  const rows = await db
    .selectFrom('unlock_records')
    .select(['id', 'got'])
    .where('id', 'like', 'help%')
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { id: 'help1', got: 1 },
    { id: 'help2', got: 1 },
  ])
})

test('sales that the merged account reported, held ones too, count with those of the account that stays', async () => {
  const mobile = newMobile()
  const owner = await server.login(mobile)
  const guest = (await web('teller')).body.data
  const { db } = server.database
  const encryption = server.lifecycle.deps?.encryption
  if (!encryption) throw new Error('no encryption')
  const sale = (externalId: string, who: Login): SaleRow => ({
    ...{ gameId: config.gameId, kind: 'ASKING', priceFen: 1000, at: 1, source: 'merge-test', externalId },
    ...{ attributes: {}, channel: 'LISTING', reporter: reporterOf(encryption, who.userId) },
  })
  const [first] = server.settings.identityKeys
  const rotated = createEncryption([{ id: 'k9', secret: Buffer.alloc(32, 9) }, first])
  await insertSales(db, [sale('1', owner), sale('2', guest)])
  await storeSales(db, [{ ...sale('3', guest), reason: 'OUTLIER' }], 1)
  expect(await quick('teller', mobile)).toMatchObject({ status: 200, body: { data: { userId: owner.userId } } })
  const marks = (table: 'sales' | 'held_sales') =>
    db.selectFrom(table).select('reporter').where('source', '=', 'merge-test').execute()
  const reporter = reporterOf(encryption, owner.userId)
  expect([...(await marks('sales')), ...(await marks('held_sales'))]).toEqual(Array(3).fill({ reporter }))
  // the limit of one per cent is for a person, not for each of their hashes
  expect(await rehashReporters(db, rotated)).toBeGreaterThanOrEqual(3)
  const fresh = { reporter: reporterOf(rotated, owner.userId) }
  expect([...(await marks('sales')), ...(await marks('held_sales'))]).toEqual(Array(3).fill(fresh))
  expect(await rehashReporters(db, rotated)).toBe(0)
  // back to the key of this server
  await rehashReporters(db, createEncryption([first, { id: 'k9', secret: Buffer.alloc(32, 9) }]))
})

/** Calls of every kind that write for the caller. */
async function callsOf(user: Login, tag: string, reads = true): Promise<(() => Promise<Answer>)[]> {
  const as = { token: user.token }
  const orderId = await reportOf(user, `o${tag}`)
  const [coupon] = (await server.call('coupon', 'canReceive', {}, as)).body.data
  const task = { gameId: config.gameId, loginType: 'QR' }
  return [
    () => say(user.token, `c${tag}`, '在吗'),
    () => server.call('user', 'updateSettings', { pushReport: false }, as),
    () => server.call('coupon', 'receive', { templateId: coupon?.templateId ?? '' }, as),
    () =>
      server.call('user', 'realNameAuth', { name: '欧阳小乙', idNo: '11010519491231002X', consent: true } as never, as),
    () => server.call('evaluation', 'reportImageShare', { orderId }, as),
    () => server.call('evaluation', 'unlockRecord', { orderId }, as),
    () => server.call('user', 'submitFeedback', { type: 4, content: '登录以后看不到我的订单和报告了' }, as),
    // accounts with running collections of the same game cannot be merged, so only one starts one
    ...(reads ? [() => server.call('evaluation', 'taskCreate', task, as)] : []),
  ]
}

/** Waits until each call is answered or waits for a lock; the embedded engine queues whole transactions instead. */
async function untilStuck(running: readonly Promise<unknown>[]) {
  let settled = 0
  for (const call of running) void call.finally(() => (settled += 1))
  for (let looks = 0; looks < 500; looks += 1) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(server.database.db)
    if (settled + Number(rows[0]?.n) >= running.length) return
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const faults = (answers: readonly Answer[]) =>
  answers
    .filter(({ status }) => status >= 500)
    .map(({ status, body }) => `${status} ${JSON.stringify(body)} ${failures.join('\n')}`)

test('calls in progress during a merge are answered without a server error', async () => {
  const { db, lifecycle } = { db: server.database.db, lifecycle: server.lifecycle }
  const encryption = lifecycle.deps?.encryption
  if (!encryption) throw new Error('no encryption')
  for (let n = 0; n < 8; n += 1) {
    const owner = await server.login(newMobile())
    const guest = (await web(`flight${n}`)).body.data
    const calls = await callsOf(guest, `f${n}`)
    // one at a time on PostgreSQL, so that each coincides with the merge; there are ten connections
    const running: Promise<Answer>[] = []
    await db.transaction().execute(async (tx) => {
      await mergeUsers(tx, { from: guest.userId, into: owner.userId, encryption, now: server.clock.now() })
      running.push(...calls.slice(n, n + 1).map((call) => call()))
      await untilStuck(running)
    })
    const answers = await Promise.all(running)
    expect(faults(answers)).toEqual([])
    expect(answers.map(({ status, body }) => [n, status, body.code])).toEqual([[n, 401, 'NOT_LOGGED_IN']])
  }
})

test('concurrent merges, calls and staff actions cause no visible deadlock', async () => {
  for (let n = 0; n < 6; n += 1) {
    const mobile = newMobile()
    const owner = await server.login(mobile)
    const guest = (await web(`storm${n}`)).body.data
    await say(guest.token, 'begin', '开始')
    await say(owner.token, 'begin', '开始')
    const code = await codeFor(mobile, 1, guest.token)
    const calls = [...(await callsOf(guest, `g${n}`)), ...(await callsOf(owner, `h${n}`, false))]
    const join = () => server.call('user', 'smsLogin', { mobile, code, bind: true }, { token: guest.token })
    const started = calls.slice(0, 5).map((call) => call())
    const joining = [join(), web(`storm${n}`, owner.token), quick(`storm${n}`, mobile)]
    const answers = await Promise.all([...started, ...joining, ...calls.slice(5).map((call) => call())])
    expect(faults(answers as Answer[])).toEqual([])
    const left = await server.database.db.selectFrom('users').select('id').where('id', '=', guest.userId).execute()
    expect(left).toEqual([])
  }
})

test('no report can be shared while its owner’s account is being cancelled', async () => {
  const mobile = newMobile()
  const owner = await server.login(mobile)
  const orderId = await reportOf(owner, 'leaving')
  await sql`update orders set status = 'DONE' where id = ${orderId}`.execute(server.database.db)
  const { db } = server.database
  const running: Promise<Answer>[] = []
  // what loginOff does, held open before its commit
  await db.transaction().execute(async (tx) => {
    await sql`select id from users where id = ${owner.userId} for no key update`.execute(tx)
    await sql`update users set deletion_at = ${server.clock.now() + 15 * DAY} where id = ${owner.userId}`.execute(tx)
    running.push(server.call('evaluation', 'reportImageShare', { orderId }, { token: owner.token }))
    await untilStuck(running)
    await sql`update report_shares set revoked_at = 1 where user_id = ${owner.userId}`.execute(tx)
    await sql`delete from sessions where user_id = ${owner.userId}`.execute(tx)
  })
  const [answer] = await Promise.all(running)
  expect(answer).toMatchObject({ status: 401, body: { code: 'NOT_LOGGED_IN' } })
  const live = await db
    .selectFrom('report_shares')
    .select('token')
    .where('user_id', '=', owner.userId)
    .where('revoked_at', 'is', null)
    .execute()
  expect(live).toEqual([])
})

test('a login during the deletion leaves the account deleted; the next login creates a new one', async () => {
  const { db } = server.database
  const owner = await server.login(newMobile())
  await web('left', owner.token)
  await db
    .updateTable('users')
    .set({ deletion_at: server.clock.now() - 1 })
    .where('id', '=', owner.userId)
    .execute()
  const running: Promise<Answer>[] = []
  // what deleteAccounts does, held open before its commit
  await db.transaction().execute(async (tx) => {
    await sql`select id from users where id = ${owner.userId} for update`.execute(tx)
    for (const table of ['sessions', 'wechat_logins'] as const)
      await tx.deleteFrom(table).where('user_id', '=', owner.userId).execute()
    running.push(web('left'))
    await untilStuck(running)
    await sql`update users set erased = true, mobile = ${`off:${owner.userId}`} where id = ${owner.userId}`.execute(tx)
  })
  expect(faults(await Promise.all(running))).toEqual([])
  for (const table of ['sessions', 'wechat_logins'] as const)
    expect(await db.selectFrom(table).select('user_id').where('user_id', '=', owner.userId).execute()).toEqual([])
  const next = (await web('left')).body
  expect(next).toMatchObject({ success: true })
  expect(next.data.userId).not.toBe(owner.userId)
})

test('a login by WeChat that meets a reset of the password does not open the account', async () => {
  const { db } = server.database
  const owner = await server.login(newMobile())
  await web('meets', owner.token)
  const running: Promise<Answer>[] = []
  // what resetPassword does, held open before its commit
  await db.transaction().execute(async (tx) => {
    await sql`update users set password_hash = 'new' where id = ${owner.userId}`.execute(tx)
    running.push(web('meets'))
    await untilStuck(running)
    await revokeAccess(tx, { userId: owner.userId, now: server.clock.now() })
  })
  expect(faults(await Promise.all(running))).toEqual([])
  for (const table of ['sessions', 'wechat_logins'] as const)
    expect(await db.selectFrom(table).select('user_id').where('user_id', '=', owner.userId).execute()).toEqual([])
})
