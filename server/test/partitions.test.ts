/** @group postgres */
/** Tables partitioned by month: their partitions come ahead and go when their rows have expired. */
import { setTimeout as delay } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { chinaDayStart } from '../clock'
import type { Deps } from '../context'
import { createPartitions } from '../db/partitions'
import type { DeskContext } from '../desk/auth'
import { loadOrder } from '../desk/order'
import { entitlementChecks } from '../domains/accounting/entitlements'
import { transitionOrder } from '../domains/orders/order-transitions'
import { handlePaymentWebhook } from '../domains/payments/payment-webhook'
import { partitions } from '../jobs/partitions'
import { createTestDatabase, onPostgres, startServer, type TestDatabase, type TestServer } from './harness'
import { adult, configOf, manualRequest } from './orders'
import { statementsOf, tablesRead } from './plans'

const DAY = 86_400_000
const messages = { table: 'messages', column: 'created_at' } as const
let testDatabase: TestDatabase
let server: TestServer
let userId: string
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['naraka'] })
  userId = (await server.login('13800000001')).userId
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})

const db = () => server.database.db
const run = () => server.lifecycle.jobRunner?.runAll()
const partitionsOf = async (table: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select inhrelid::regclass::text as name from pg_inherits
    where inhparent = ${table}::regclass order by 1`.execute(db())
  return rows.map(({ name }) => name)
}
/** `table_YYYYMM` of a moment in China. */
const monthOf = (table: string, at: number) =>
  `${table}_${new Date(at + 8 * 3_600_000).toISOString().slice(0, 7).replace('-', '')}`
/** The first moment of the next month in China. */
function nextMonth(at: number): number {
  const day = chinaDayStart(at)
  for (let next = day + DAY; ; next += DAY) if (monthOf('', next) !== monthOf('', at)) return next
}
const message = async (id: string, at: number): Promise<string> => {
  const { rows } = await sql<{ partition: string }>`
    insert into messages (id, user_id, type, title, summary, body, biz_type, created_at)
    values (${id}, ${userId}, 'SYSTEM', '', '', '', 'SYSTEM', ${at}) returning tableoid::regclass::text as partition`.execute(
    db(),
  )
  return rows[0]?.partition ?? ''
}
const left = async () => (await db().selectFrom('messages').select('id').orderBy('id').execute()).map(({ id }) => id)

test('months of China are created ahead, each row is kept until its month has expired, the default is purged by rows', async () => {
  // in the middle of a month, without rows that the login has left in the default partition
  await sql`delete from messages`.execute(db())
  server.clock.advance(nextMonth(server.clock.now()) + 14 * DAY - server.clock.now())
  const now = server.clock.now()
  await run()
  const [next, later] = [nextMonth(now), nextMonth(nextMonth(now))]
  const [first, second] = [monthOf('messages', now), monthOf('messages', next)]
  expect(await partitionsOf('messages')).toEqual([first, second, 'messages_default'])

  expect(await message('a-last-of-month', next - 1)).toBe(first)
  expect(await message('b-first-of-next', next)).toBe(second)
  // nobody has created this month: the insert succeeds, and the month stays in the default partition
  expect(await message('c-far-ahead', later)).toBe('messages_default')

  server.clock.advance(next + 91 * DAY - now)
  await run()
  const live = await partitionsOf('messages')
  expect(live).not.toContain(first)
  expect(live).toContain(second)
  expect(live).not.toContain(monthOf('messages', later))
  expect(await left()).toEqual(['b-first-of-next', 'c-far-ahead'])

  server.clock.advance(later + 91 * DAY - server.clock.now())
  await run()
  expect(await left()).toEqual([])
  expect(await partitionsOf('messages')).not.toContain(second)
})

test('a month to come is created beside a filled default partition, also after a process was killed before it', async () => {
  const far = nextMonth(server.clock.now() + 400 * DAY)
  await sql`alter table messages_default add constraint ${sql.ref(`messages_default_not${monthOf('', nextMonth(far))}`)}
    check (created_at < ${sql.lit(nextMonth(far))}) not valid`.execute(db())
  expect(await message('d-month-that-stays', far)).toBe('messages_default')
  expect(await createPartitions(db(), messages, far)).toBe(1)
  expect(await message('e-month-to-come', nextMonth(far))).toBe(monthOf('messages', nextMonth(far)))
  const { rows } = await sql`select from pg_constraint
    where conrelid = 'messages_default'::regclass and contype = 'c'`.execute(db())
  expect(rows).toEqual([])
  await sql`drop table ${sql.table(monthOf('messages', nextMonth(far)))}`.execute(db())
  await sql`delete from messages where id = 'd-month-that-stays'`.execute(db())
})

const withLocks = onPostgres ? test : test.skip
withLocks(
  'a month is created once a transaction that holds its table for longer than one attempt has ended',
  async () => {
    const far = nextMonth(server.clock.now() + 1200 * DAY)
    const client = new pg.Client(testDatabase.env.DATABASE_URL)
    await client.connect()
    await client.query('begin; lock table messages_default in row exclusive mode')
    const creation = createPartitions(db(), messages, far)
    /** whether a query waits behind this transaction */
    const isAwaited = async (): Promise<boolean> =>
      (await client.query('select from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid)) limit 1'))
        .rows.length > 0
    while (!(await isAwaited())) await delay(5)
    // the attempt gives up
    while (await isAwaited()) await delay(5)
    await client.query('commit')
    expect(await creation).toBe(2)
    await client.end()
    for (const name of [monthOf('messages', far), monthOf('messages', nextMonth(far))])
      await sql`drop table ${sql.table(name)}`.execute(db())
  },
)

test('a table whose months cannot be created keeps no other from its own', async () => {
  await sql`alter table messages_default rename to messages_lost`.execute(db())
  const far = server.clock.now() + 800 * DAY
  await expect(partitions.run(server.lifecycle.deps as Deps, far)).rejects.toThrow('messages_default')
  await sql`alter table messages_lost rename to messages_default`.execute(db())
  expect(await partitionsOf('desk_log')).toContain(monthOf('desk_log', far))
})

test('reads of messages look into no month that ended 90 days ago', async () => {
  const now = server.clock.now()
  for (let ago = 12; ago >= 0; ago -= 1) await createPartitions(db(), messages, now - ago * 30 * DAY)
  expect((await partitionsOf('messages')).length).toBeGreaterThan(12)
  const { token } = await server.login('13800000001')
  const asked = await statementsOf(db(), async () => {
    await server.call('user', 'messages', {}, { token })
    await server.call('user', 'get', {}, { token })
  })
  const reads = asked.filter(({ sql: text }) => /\bmessages\b/.test(text))
  expect(reads).toHaveLength(3)
  for (const one of reads) {
    const read = (await tablesRead(db(), one)).filter((name) => name.startsWith('messages_'))
    // the months of 90 days, the next one and the default
    expect(read.filter((name) => name < monthOf('messages', now - 90 * DAY))).toEqual([])
    expect(read.length).toBeLessThanOrEqual(6)
    expect(read.length).toBeGreaterThan(3)
  }
})

describe('records of orders and money', () => {
  const YEARS = 5 * 366 * DAY
  const deps = () => server.lifecycle.deps as Deps
  let orderId: string
  const rowsOf = async (table: string, condition: RawBuilder<unknown>): Promise<string[]> =>
    (
      await sql<{ partition: string }>`select tableoid::regclass::text as partition from ${sql.table(table)}
        where ${condition}`.execute(db())
    ).rows.map(({ partition }) => partition)
  const events = () => rowsOf('order_events', sql`order_id = ${orderId}`)
  const notices = () =>
    rowsOf('provider_notices', sql`subject in (select id from payments where order_id = ${orderId})`)
  const orderRow = () => db().selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()

  test('events are in the month of their order; a message repeated a month later is stored once', async () => {
    await run()
    const { token } = await adult(server, '13800000002')
    const config = await configOf(server, 'naraka')
    ;({ orderId } = (await server.call('evaluation', 'submitManual', manualRequest(config), { token })).body.data)
    await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP' }, { token })
    const payment = await db()
      .selectFrom('payments')
      .selectAll()
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    const month = monthOf('', server.clock.now())
    const told = { outTradeNo: payment.id, amountFen: payment.amount_fen }
    const [message] = deps().pay.sandbox?.act(told, 'SUCCESS') ?? []
    if (!message) throw new Error('no message')
    expect(await handlePaymentWebhook(deps(), 'sandbox', message)).toBe('DONE')
    expect(await events()).toEqual([`order_events${month}`, `order_events${month}`])
    expect(await notices()).toEqual([`provider_notices${month}`])

    server.clock.advance(31 * DAY)
    await partitions.run(deps(), server.clock.now())
    expect(await handlePaymentWebhook(deps(), 'sandbox', message)).toBe('DONE')
    expect(await notices()).toEqual([`provider_notices${month}`])
    const step = { orderId, from: 'PAID', to: 'ASSIGNED', actor: 'system', now: server.clock.now() } as const
    expect(await transitionOrder(db(), step)).toBe(true)
    expect(await events()).toEqual(Array(3).fill(`order_events${month}`))
  })

  test('the desk’s read of an order’s events looks into two partitions and finds all of them', async () => {
    // as an older release writes it
    await sql`insert into order_events (order_id, at, to_status) values (${orderId}, 1, 'PAID')`.execute(db())
    const desk = { deps: deps(), staff: { staffId: '', role: 'ADMIN' }, now: server.clock.now() }
    let read: Awaited<ReturnType<typeof loadOrder>> | undefined
    const asked = await statementsOf(db(), async () => {
      read = await loadOrder(desk as unknown as DeskContext, orderId)
    })
    expect(read?.events).toHaveLength(4)
    const reads = asked.filter(({ sql: text }) => /from "order_events"/.test(text))
    expect(reads).toHaveLength(1)
    const found = (await Promise.all(reads.map((one) => tablesRead(db(), one)))).flat()
    const { created_at } = await orderRow()
    expect(found).toEqual([monthOf('order_events', created_at), 'order_events_older', 'staff'])
  })

  test('a month is dropped after five years, once its orders have ended; so is a row in the default partition', async () => {
    const { created_at } = await orderRow()
    await sql`insert into order_events (order_id, order_at, at, to_status)
      values (${orderId}, 1, 1, 'PAID')`.execute(db())
    const month = monthOf('order_events', created_at)
    const later = nextMonth(created_at) + YEARS
    await partitions.run(deps(), later)
    expect(await partitionsOf('order_events')).toContain(month)
    expect([(await events()).length, (await notices()).length]).toEqual([5, 1])

    await sql`update orders set status = 'DONE' where id = ${orderId}`.execute(db())
    await partitions.run(deps(), later - 1)
    expect(await partitionsOf('order_events')).toContain(month)
    await partitions.run(deps(), later)
    expect(await partitionsOf('order_events')).not.toContain(month)
    expect([await events(), await notices()]).toEqual([['order_events_older'], []])

    // the ledger check does not miss what has expired
    await sql`delete from order_events where order_id = ${orderId}`.execute(db())
    const missed = async (now: number) => {
      const { PAID_EVENT_MISSING: event, LAST_EVENT_MISMATCH: status } = entitlementChecks(now)
      return [...(await event.execute(db())).rows, ...(await status.execute(db())).rows].length
    }
    expect(await missed(created_at + YEARS)).toBe(0)
    expect(await missed(created_at + YEARS - 1)).toBe(2)
  })
})
