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
  const press = async (seen?: string) => {
    const headers = await signedIn()
    const today = await page(headers)
    const fields = Object.fromEntries(
      ['csrf', 'count', 'fen'].map((name) => {
        const from = name === 'csrf' ? today : (seen ?? today)
        return [name, RegExp(`name="${name}" value="(\\w*)"`).exec(from)?.[1] ?? '']
      }),
    )
    const answer = await server.app.inject({
      ...{ method: 'POST', url: '/desk/operations/refunds', payload: new URLSearchParams(fields).toString() },
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(answer.headers.location).toBe('/desk/operations?done=allowed')
  }
  return { see, press }
}
const alarms = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).includes('held back'))

test('a release is enough for what the page showed, whatever was refunded before, and for no more', async () => {
  const [first, held] = [await orders(2), await orders(2)]
  const due = (ids: string[], due_at: number) =>
    db().updateTable('orders').set({ due_at }).where('id', 'in', ids).execute()
  await due(first, 1)
  await server.lifecycle.jobRunner?.runAll()
  await due(held, 1)
  await server.lifecycle.jobRunner?.runAll()
  expect([await refundedOf(first), await refundedOf(held)]).toEqual([2, 0])
  const { see, press } = await admin('looks')
  const seen = await see()
  expect(seen).toContain('放行这 2 笔')
  const more = await orders(3)
  await due(more, 2)
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
  expect(log).toEqual([{ note: '3 笔，共 ¥59.70' }])
  // only these are released: the next ones are held back again
  const more = await orders(3)
  await db().updateTable('orders').set({ due_at: 1 }).where('id', 'in', more).execute()
  await server.lifecycle.jobRunner?.runAll()
  expect(await refundedOf(more)).toBe(0)
})
