import type { FormConfig } from '@/contract/form/types'
import { orderJobs } from '../domains/orders/deadline-jobs'
import { checkLedger } from '../domains/payments/accounting/check'
import { addStaff } from '../domains/staff/accounts'
import { signIn } from '../domains/staff/sessions'
import { insertGames } from './games'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'
import { adult, advance, paid } from './orders'
import { manualOrderRequest } from './pay/requests'

const HOUR = 3_600_000
const PRICE = 1990
let testDatabase: TestDatabase
let server: TestServer
let config: FormConfig
const lines: string[] = []
const db = () => server.database.db
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  const env = { DEMO_APPRAISER: '0', REFUND_BRAKE_COUNT: '2' }
  server = await startServer({ testDatabase, env, onLog: (line) => lines.push(line) })
  config = (await insertGames(db())).find(({ gameId }) => gameId === 'val') as FormConfig
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})

let numbers = 0
async function order() {
  await db().deleteFrom('sms_codes').execute()
  const user = await adult(server, `1330000${String(++numbers).padStart(4, '0')}`)
  const { token } = user
  const { orderId } = (await server.call('evaluation', 'submitManual', manualOrderRequest(config), { token })).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId: '' }, { token })
  await paid(server, orderId)
  return { ...user, orderId }
}
async function orders(n: number): Promise<string[]> {
  const made: string[] = []
  for (let i = 0; i < n; i += 1) made.push((await order()).orderId)
  return made
}
async function refundedOf(ids: readonly string[]): Promise<number> {
  const rows = await db().selectFrom('orders').select('status').where('id', 'in', ids).execute()
  expect(rows.every(({ status }) => status === 'PAID' || status === 'REFUNDED')).toBe(true)
  return rows.filter(({ status }) => status === 'REFUNDED').length
}
/** An admin who looks at the page of held refunds and releases them. */
async function admin(name: string) {
  const now = server.clock.now()
  const { password } = await db()
    .transaction()
    .execute(async (tx) => {
      const made = await addStaff(tx, { name, role: 'ADMIN' }, now)
      await tx.updateTable('staff_logins').set({ must_change: false }).where('staff_id', '=', made.staffId).execute()
      return made
    })
  // again each time: the clock ends sessions
  const signedIn = async () => ({
    cookie: `desk=${await signIn(server.lifecycle.deps as never, { name, password, ip: '10.0.0.1' })}`,
  })
  const page = async (headers: { cookie: string }) =>
    (await server.app.inject({ url: '/desk/operations', headers })).body
  const see = async () => page(await signedIn())
  /** Sends the form of a page that was loaded before, or now. */
  const send = async (seen?: string) => {
    const headers = await signedIn()
    const today = await page(headers)
    const fields = Object.fromEntries(
      ['csrf', 'count', 'fen', 'jumped'].map((name) => {
        const from = name === 'csrf' ? today : (seen ?? today)
        return [name, RegExp(`name="${name}" value="(\\w*)"`).exec(from)?.[1] ?? '']
      }),
    )
    return server.app.inject({
      ...{ method: 'POST', url: '/desk/operations/refunds', payload: new URLSearchParams(fields).toString() },
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    })
  }
  const press = async (seen?: string) =>
    expect((await send(seen)).headers.location).toBe('/desk/operations?done=allowed')
  return { see, send, press }
}
const alarms = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).includes('held back'))

test('refunds that are due while the clock advances evenly are not limited, only reported; of newer payments they are', async () => {
  await server.lifecycle.jobRunner?.runAll()
  const late = await orders(4)
  const wrong = await orders(3)
  const now = server.clock.now()
  const longAgo = now - 27 * HOUR
  const set = (ids: string[], patch: { due_at: number; paid_at?: number }) =>
    db().updateTable('orders').set(patch).where('id', 'in', ids).execute()
  await set(late, { paid_at: longAgo, due_at: longAgo + 2 * HOUR })
  // a limit of 0 stops these too
  for (const stopped of [{ count: 0 }, { fen: 0 }]) {
    const usual = { ...server.settings.refundLimit }
    Object.assign(server.settings.refundLimit, stopped)
    await server.lifecycle.jobRunner?.runAll()
    Object.assign(server.settings.refundLimit, usual)
    expect(await refundedOf(late)).toBe(0)
  }
  lines.length = 0
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(late)).toBe(4)
  const many = lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).includes('many orders are late'))
  expect(many).toMatchObject([{ alarm: true, count: 4, fen: 4 * PRICE }])
  // a payment of just now cannot be late
  await set(wrong, { due_at: 1 })
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(wrong)).toBe(0)
  // nor is what waits for its owner, for another delivery or for an answer: it was paid long ago anyway
  const statuses = ['WAIT_INFO', 'REVALUING', 'REFUNDING'] as const
  const is = (status: string, at: number) => ({ status, due_at: at, info_due_at: at, refund_due_at: at })
  for (const [i, status] of statuses.entries())
    await db()
      .updateTable('orders')
      .set({ ...is(status, 1), paid_at: longAgo })
      .where('id', '=', wrong[i] ?? '')
      .execute()
  await server.lifecycle.jobRunner?.runAll()
  const kept = db().selectFrom('orders').select('status').where('id', 'in', wrong)
  expect((await kept.execute()).map(({ status }) => status).sort()).toEqual([...statuses].sort())
  const back = { ...is('PAID', 1), info_due_at: null, refund_due_at: null }
  await db().updateTable('orders').set(back).where('id', 'in', wrong).execute()
  expect((await checkLedger(db())).differences).toEqual([])
  for (let i = 0; i < 2; i += 1) await advance(server, HOUR + 1)
  expect(await refundedOf(wrong)).toBe(3)
  await advance(server, 2 * HOUR)
})

test('a release is enough for what the page showed, whatever was refunded before, and for no more', async () => {
  await server.lifecycle.jobRunner?.runAll()
  // the tests before have moved the clock
  await db().updateTable('refund_limit').set({ jumped_at: null }).execute()
  const [late, held] = [await orders(4), await orders(2)]
  const longAgo = server.clock.now() - 27 * HOUR
  const set = (ids: string[], patch: { due_at: number; paid_at?: number }) =>
    db().updateTable('orders').set(patch).where('id', 'in', ids).execute()
  await set(late, { paid_at: longAgo, due_at: longAgo + 2 * HOUR })
  await server.lifecycle.jobRunner?.runAll()
  await set(held, { due_at: 1 })
  await server.lifecycle.jobRunner?.runAll()
  expect([await refundedOf(late), await refundedOf(held)]).toEqual([4, 0])
  const { see, send, press } = await admin('looks')
  const seen = await see()
  expect(seen).toContain('放行这 2 笔')
  // the clock jumps after the page was loaded
  await db().updateTable('refund_limit').set({ jumped_at: server.clock.now() }).execute()
  expect((await send(seen)).body).toContain('服务器时间刚刚跳变过')
  await db().updateTable('refund_limit').set({ jumped_at: null }).execute()
  const more = await orders(3)
  await set(more, { due_at: 2 })
  // a double tap allows the same ones
  await press(seen)
  await press(seen)
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf([...held, ...more])).toBe(2)
  for (let i = 0; i < 2; i += 1) await advance(server, HOUR + 1)
  expect(await refundedOf([...held, ...more])).toBe(5)
  await advance(server, 2 * HOUR)
})

test('automatic refunds stop at the hourly limit, log it once, and continue when the limit allows', async () => {
  const ids = await orders(5)
  lines.length = 0
  await advance(server, 72 * HOUR)
  expect(await refundedOf(ids)).toBe(2)
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(ids)).toBe(2)
  expect(alarms()).toMatchObject([{ alarm: true, held: 3 }])
  await advance(server, HOUR)
  expect(await refundedOf(ids)).toBe(4)
  await advance(server, HOUR)
  expect(await refundedOf(ids)).toBe(5)
  expect(alarms()).toHaveLength(2)
  expect((await checkLedger(db())).differences).toEqual([])
  await advance(server, 2 * HOUR)
})

test('the amount is limited too, and a smaller refund behind a larger one is executed', async () => {
  const [large = '', small = ''] = await orders(2)
  await db().updateTable('orders').set({ pay_fen: 100 }).where('id', '=', small).execute()
  server.settings.refundLimit.fen = PRICE - 1
  await advance(server, 72 * HOUR)
  expect([await refundedOf([large]), await refundedOf([small])]).toEqual([0, 1])
  server.settings.refundLimit.fen = 200_000
  await advance(server, 2 * HOUR)
  expect(await refundedOf([large])).toBe(1)
  await db().updateTable('orders').set({ pay_fen: PRICE }).where('id', '=', small).execute()
  await advance(server, 2 * HOUR)
})

test('concurrent processes do not exceed the limit together', async () => {
  const ids = await orders(6)
  server.clock.advance(72 * HOUR)
  const deps = { ...server.lifecycle.deps, db: server.database.background } as never
  const now = server.clock.now()
  await Promise.all([1, 2, 3].map(() => orderJobs[0]?.run(deps, now)))
  const rows = await db().selectFrom('orders').select('status').where('id', 'in', ids).execute()
  expect(rows.filter(({ status }) => status !== 'PAID')).toHaveLength(2)
  await advance(server, HOUR)
  await advance(server, HOUR)
  await advance(server, HOUR)
  expect(await refundedOf(ids)).toBe(6)
  await advance(server, 2 * HOUR)
})

test('a wrong clock that stays wrong is held by the limit, until an admin confirms it or it is right again', async () => {
  const ids = await orders(7)
  const jumpedAt = async () =>
    (await db().selectFrom('refund_limit').select('jumped_at').executeTakeFirstOrThrow()).jumped_at
  const { see, press } = await admin('clock')
  await press()
  expect(await jumpedAt()).toBeNull()
  const right = server.clock.now()
  await advance(server, 3 * 24 * HOUR)
  for (let minutes = 0; minutes < 72; minutes += 9) await advance(server, HOUR * 0.15)
  expect(await refundedOf(ids)).toBe(4)
  expect(await see()).toContain('管理员确认时间正常之前')
  // a little back is still wrong
  await advance(server, -HOUR)
  expect(await jumpedAt()).not.toBeNull()
  await advance(server, right + HOUR / 2 - server.clock.now())
  expect(await jumpedAt()).toBeNull()
  await advance(server, 3 * 24 * HOUR)
  expect(await jumpedAt()).not.toBeNull()
  await press()
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(ids)).toBe(7)
  expect(await see()).not.toContain('管理员确认时间正常之前')
  await advance(server, 2 * HOUR)
})

test('what a first pass cannot know is not assumed: payments are then limited until an admin confirms the clock', async () => {
  await db().updateTable('refund_limit').set({ seen_at: null, jumped_at: null }).execute()
  const ids = await orders(3)
  await db().updateTable('orders').set({ paid_at: 1, due_at: 1 }).where('id', 'in', ids).execute()
  for (let pass = 0; pass < 2; pass += 1) await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(ids)).toBe(2)
  await advance(server, HOUR)
  await advance(server, 2 * HOUR)
})

test('a refund by staff is not held back; an admin sees the held ones and releases them, which is logged', async () => {
  const ids = await orders(5)
  await advance(server, 72 * HOUR)
  expect(await refundedOf(ids)).toBe(2)
  const own = await order()
  const request = { orderId: own.orderId, reason: '等太久' }
  expect((await server.call('evaluation', 'applyCancel', request, { token: own.token })).body.code).toBe('OK')
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf([own.orderId])).toBe(1)
  const { see, press } = await admin('limit')
  expect(await see()).toContain('有 3 笔自动退款（共 ¥59.70）因超过上限而暂缓')
  await db().deleteFrom('desk_log').execute()
  await press()
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(ids)).toBe(5)
  const log = await db().selectFrom('desk_log').select('note').where('action', '=', 'REFUND_ALLOW').execute()
  expect(log).toEqual([{ note: '3 笔，共 ¥59.70，确认时间正常' }])
  // only these are released: the next ones are held back again
  const more = await orders(3)
  await db().updateTable('orders').set({ due_at: 1 }).where('id', 'in', more).execute()
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(more)).toBe(0)
})
