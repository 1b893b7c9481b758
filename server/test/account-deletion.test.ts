import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { deleteAccounts, deletePersonalData, userDataTables } from '../domains/accounts/account-deletion'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from './harness'
import { adult, advance, manualRequest, paid, report } from './orders'
import { jpeg } from './pictures'
import { readWhole, statementsOf } from './plans'
import { uploadPicture } from './upload-picture'

const DAY = 86_400_000
const REAL = { name: '欧阳小乙', idNo: '11010519491231002X', consent: true } as const
let testDatabase: TestDatabase
let server: TestServer
let config: FormConfig
let base: string
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['naraka'] })
  config = (await server.database.db.selectFrom('games').select('config').executeTakeFirstOrThrow()).config
  base = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})
beforeEach(() => server.clock.advance(2 * DAY))

let next = 13_500_000_000
const newUser = async () => {
  const mobile = String(next++)
  return { mobile, ...(await server.login(mobile)) }
}
async function codeFor(token: string, mobile: string) {
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { scene: 5 }, { token })
  return server.sms.newestCode(mobile) ?? ''
}
const isIn = async (token: string) => (await server.call('user', 'get', {}, { token })).status === 200
const leave = async ({ token, mobile }: { token: string; mobile: string }) =>
  server.call('user', 'loginOff', { code: await codeFor(token, mobile), reason: '不用了' }, { token })

const upload = (token: string) => uploadPicture(server, base, token)

/** Every row of every table as text. */
async function everything(): Promise<string> {
  const { db } = server.database
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const texts = await Promise.all(
    rows.map(({ name }) =>
      sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t
        where ${sql.lit(!['sales', 'models'].includes(name))}`.execute(db),
    ),
  )
  return texts.flatMap(({ rows: all }) => all.map(({ row }) => row)).join('\n')
}

function files(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const file = path.join(folder, name)
    return statSync(file).isDirectory() ? files(file) : [file]
  })
}

test('every table with rows of a user is deleted or kept on purpose', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'user_id' order by 1`.execute(server.database.db)
  expect(rows.map(({ name }) => name)).toEqual([...userDataTables.deleted, ...userDataTables.kept].sort())
})

test('unsettled matters block the account deletion, each with a way to settle it, and nothing changes', async () => {
  const user = await newUser()
  const { token } = user
  await server.call('user', 'realNameAuth', REAL, { token })
  await server.call('evaluation', 'submitManual', manualRequest(config), { token })
  await server.call('user', 'submitFeedback', { type: 5, content: '客服一直没有回复我的问题' }, { token })
  const check = (await server.call('user', 'checkLoginOff', {}, { token })).body.data
  expect(check).toMatchObject({ canOff: false, blockers: [{ type: 'ORDER' }, { type: 'COMPLAINT' }] })
  expect((await leave(user)).body.data).toEqual(check)
  expect(await isIn(token)).toBe(true)
})

test('money on its way blocks the account deletion until it has come and gone', async () => {
  const { token } = await newUser()
  await server.call('user', 'realNameAuth', REAL, { token })
  const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true }, { token })
  await server.call('pay', 'closeOrder', { orderId }, { token })
  const check = async () => (await server.call('user', 'checkLoginOff', {}, { token })).body.data
  const blocked = (type: string, text: string) => ({
    canOff: false,
    blockers: [expect.objectContaining({ type, text })],
  })
  expect(await check()).toEqual(blocked('ORDER', '有 1 笔支付还没有结果，请稍后再试'))
  // too late for the order: it is returned
  await server.app.inject({ method: 'POST', url: '/sandbox/pay', payload: { orderId, result: 'SUCCESS' } })
  expect(await check()).toEqual(blocked('REFUND', '有 1 笔退款处理中'))
  await server.lifecycle.jobRunner?.runAll()
  expect(await check()).toEqual({ canOff: true, blockers: [] })
})

test('a payment that a provider no longer in use cannot end blocks the account deletion for a day only', async () => {
  const { token, userId } = await adult(server, '13400000001')
  const { orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true }, { token })
  await server.call('pay', 'closeOrder', { orderId }, { token })
  const canOffAfter = async (ms: number) => {
    await server.database.db
      .updateTable('payments')
      .set({ provider: 'alipay', expire_at: server.clock.now() - ms })
      .where('user_id', '=', userId)
      .execute()
    await server.lifecycle.jobRunner?.runAll()
    return (await server.call('user', 'checkLoginOff', {}, { token })).body.data.canOff
  }
  expect([await canOffAfter(DAY / 2), await canOffAfter(2 * DAY)]).toEqual([false, true])
})

test('a wrong code or one of another purpose cancels nothing', async () => {
  const user = await newUser()
  const wrong = await server.call('user', 'loginOff', { code: '000000' }, { token: user.token })
  expect(wrong.body.code).toBe('SMS_CODE_EXPIRED')
  expect(await isIn(user.token)).toBe(true)
})

test('a login within 15 days revokes the account deletion and says so', async () => {
  const user = await newUser()
  const off = (await leave(user)).body.data
  expect(Math.abs((off.effectiveAt ?? 0) - server.clock.now() - 15 * DAY)).toBeLessThan(60_000)
  expect(await isIn(user.token)).toBe(false)
  server.clock.advance(14 * DAY)
  const back = await server.login(user.mobile)
  expect(back).toMatchObject({ userId: user.userId, newUser: false })
  const box = (await server.call('user', 'messages', {}, { token: back.token })).body.data
  expect(box.list[0]).toMatchObject({ title: '注销已撤回' })
  server.clock.advance(2 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect(await isIn(back.token)).toBe(true)
})

test('after 15 days no data identifies the person; paid orders stay for accounting', async () => {
  const user = await newUser()
  const { token, mobile, userId } = user
  await server.call('user', 'realNameAuth', REAL, { token })
  const picture = await upload(token)
  await server.call(
    'user',
    'submitFeedback',
    { type: 4, content: '暗号：月下独酌的反馈', images: [picture], contact: '微信 yuexia' },
    { token },
  )
  const answers = { ...someAnswers(config), remark: '暗号：月下独酌的备注' }
  await server.call(
    'evaluation',
    'submitAi',
    { gameId: config.gameId, schemaVersion: config.schemaVersion, answers, source: 'TYPED' },
    { token },
  )
  const request = { ...manualRequest(config, 1), remark: '暗号：月下独酌的订单' }
  const { orderId } = (await server.call('evaluation', 'submitManual', request, { token })).body.data
  await server.call(
    'pay',
    'payment',
    { orderId, payType: 'ALI_WAP', consent: true, returnUrl: 'http://localhost:3000/?note=yuexia-note' },
    { token, headers: { host: 'localhost:3000' } },
  )
  expect((await paid(server, orderId)).statusCode).toBe(200)
  expect((await report(server, { orderId, priceFen: 100_000, comment: '按近期成交估价' })).statusCode).toBe(200)
  await advance(server, 8 * DAY)
  // free-text notes of the staff
  await sql`update orders set refund_answer = '月下独酌要求退款，未同意' where id = ${orderId}`.execute(
    server.database.db,
  )
  await sql`update order_events set note = '月下独酌来过电话' where order_id = ${orderId}`.execute(server.database.db)
  const before = await everything()
  for (const secret of [mobile, '月下独酌', picture, 'yuexia-note']) expect(before).toContain(secret)

  const again = { mobile, ...(await server.login(mobile)) }
  const { shareToken } = (await server.call('evaluation', 'reportImageShare', { orderId }, { token: again.token })).body
    .data
  const embed = await server.call('evaluation', 'reportImageShare', { orderId, embed: true }, { token: again.token })
  const { reportNo } = (await server.call('evaluation', 'reportGet', { shareToken })).body.data
  const embedded = { reportNo, shareToken: embed.body.data.shareToken }
  const codeOf = async (req: Req<'evaluation', 'reportGet'>) =>
    (await server.call('evaluation', 'reportGet', req)).body.code
  const shared = () => Promise.all([codeOf({ shareToken }), codeOf(embedded)])
  expect(await shared()).toEqual(['OK', 'OK'])
  expect((await leave(again)).body.data).toMatchObject({ canOff: true })
  // no collection continues during the cooling-off period
  expect(await shared()).toEqual(['SHARE_REVOKED', 'SHARE_REVOKED'])
  server.clock.advance(15 * DAY)
  await server.lifecycle.jobRunner?.runAll()

  const after = await everything()
  for (const secret of [mobile, '月下独酌', picture, '欧阳', 'yuexia']) expect(after).not.toContain(secret)
  expect(files(path.join(testDatabase.where.dataDir, 'uploads')).filter((f) => f.includes(userId))).toEqual([])
  for (const file of files(path.join(testDatabase.where.dataDir, 'uploads')))
    expect(readFileSync(file).equals(jpeg)).toBe(false)
  const { db } = server.database
  const orders = await db.selectFrom('orders').selectAll().where('user_id', '=', userId).execute()
  expect(orders).toMatchObject([
    { id: orderId, status: 'DONE', pay_status: 'PAID', answers: {}, remark: '', title: '', request_key: '' },
  ])
  expect(await db.selectFrom('ledger').selectAll().where('order_id', '=', orderId).execute()).toHaveLength(1)
  expect(await deleteAccounts.run(server.lifecycle.deps as never, server.clock.now())).toBe(0)
  // the number can be registered again
  expect(await server.login(mobile)).toMatchObject({ newUser: true })
})

test('deleting an account finds all rows by an index, however many there are of others', async () => {
  const { userId, mobile } = await newUser()
  const { db } = server.database
  const { encryption } = server.lifecycle.deps ?? {}
  if (!encryption) throw new Error('no server')
  const now = server.clock.now()
  const asked = await statementsOf(db, () =>
    db.transaction().execute((tx) => deletePersonalData(tx, encryption, { userId, mobile, now })),
  )
  expect(asked.length).toBeGreaterThan(userDataTables.deleted.length)
  expect(await readWhole(db, asked)).toEqual([])
  // the database looks for rows that refer to a deleted one
  const { rows } = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid::regclass::text = any(${[...userDataTables.deleted, ...userDataTables.kept]}::text[])
      and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`.execute(db)
  expect(rows).toEqual([])
})

test('a returning number gets no newcomer coupon; after a year its hash is deleted', async () => {
  const couponsOf = async (token: string) =>
    (await server.call('coupon', 'getByStatus', { status: 'UNUSED' }, { token })).body.data.list.map(({ name }) => name)
  const user = await newUser()
  expect(await couponsOf(user.token)).toEqual(['新人体验券'])
  await leave(user)
  server.clock.advance(15 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  const back = { mobile: user.mobile, ...(await server.login(user.mobile)) }
  expect([back.newUser, await couponsOf(back.token)]).toEqual([true, []])
  await leave(back)
  server.clock.advance(15 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  server.clock.advance(365 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect(await server.database.db.selectFrom('left_mobiles').selectAll().execute()).toEqual([])
  expect(await couponsOf((await server.login(user.mobile)).token)).toEqual(['新人体验券'])
})

test('the collector is told to delete its data, and again after a failure', async () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('no server')
  const told: string[] = []
  const { collector } = deps.providers
  deps.providers.collector = {
    ...collector,
    deleteCollection: async (ref) => {
      told.push(ref)
      if (told.length === 1) throw new Error('nobody is there')
    },
  }
  const user = await newUser()
  await deps.db
    .insertInto('collection_tasks')
    .values({
      ...{
        id: 'read-1',
        user_id: user.userId,
        game_id: config.gameId,
        login_type: 'QR',
        schema_version: 1,
        status: 'SUCCESS',
      },
      ...{ ref: 'at-the-collector', lookup: '{}', created_at: 0, changed_at: 0, expire_at: 0 },
    })
    .execute()
  await leave(user)
  server.clock.advance(15 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect(told).toEqual(['at-the-collector'])
  server.clock.advance(60_000)
  await server.lifecycle.jobRunner?.runAll()
  server.clock.advance(DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect(told).toEqual(['at-the-collector', 'at-the-collector'])
  deps.providers.collector = collector
})

test('unreferenced pictures are deleted after a month; those of an order stay', async () => {
  const { token, userId } = await newUser()
  const used = await upload(token)
  await server.call(
    'user',
    'submitFeedback',
    { type: 4, content: '界面很清楚，建议加深色模式', images: [used] },
    { token },
  )
  server.clock.advance(DAY)
  const lost = await upload(token)
  const kept = () => files(path.join(testDatabase.where.dataDir, 'uploads')).filter((f) => f.includes(userId))
  server.clock.advance(30 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect(kept()).toHaveLength(2)
  server.clock.advance(2 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect(kept().map((f) => f.includes(used))).toEqual([true])
  const rows = await server.database.db.selectFrom('uploads').select('key').where('user_id', '=', userId).execute()
  expect([rows.map(({ key }) => key), lost]).toEqual([[used], expect.not.stringContaining(used)])
})
