import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { depsOf } from '../core/lifecycle'
import { deleteAccounts } from '../domains/accounts/account-deletion'
import { checkLedger, type DifferenceKind } from '../domains/payments/accounting/check'
import { nightlyLedgerCheck } from '../domains/payments/accounting/jobs'
import { checkBooks } from '../domains/payments/accounting/provider-figures'
import { type PaidTrade, ProviderUnavailable, type Trade } from '../providers/pay/port'
import { createPayProviders, type PayProviders } from '../providers/pay/providers'
import { createTestDatabase, setupServer, startServer, type TestDatabase, untilNoon } from './harness'
import { ledgerOrders, type Made } from './ledger-orders'
import { advance } from './orders'
import { startProcess } from './process'

const DAY = 86_400_000
let testDatabase: TestDatabase
const lines: string[] = []
const server = setupServer({ games: ['naraka'], onLog: (line) => lines.push(line) }, async () => {
  testDatabase = await createTestDatabase('market')
  return testDatabase
})
const orders = ledgerOrders(server)
const { begun, bought, locked, unlocked, watched, refunding, refunded, reviewed, surplus } = orders
const withCoupon = { begun: () => begun({ coupon: true }), bought: () => bought({ coupon: true }) }
const db = () => server.database.db
const deps = () => depsOf(server.lifecycle)
const alarms = () => lines.map((line) => JSON.parse(line)).filter(({ alarm }) => alarm === true)

const run = (statement: string, { orderId, userId }: Made) =>
  sql.raw(statement.replaceAll('$order', `'${orderId}'`).replaceAll('$user', `'${userId}'`)).execute(db())

const quarantine = `insert into job_failures (job, row_id, attempts, reason, first_at, last_at, next_at, quarantined_at)`

/** For each check, a change that violates it and no other. */
const corruptions: Readonly<Record<DifferenceKind, [of: () => Promise<Made>, ...by: string[]]>> = {
  PAYMENT_NOT_BOOKED: [bought, 'delete from ledger where order_id = $order'],
  PAYMENT_BOOKED_TWICE: [
    bought,
    `insert into ledger (kind, order_id, payment_id, provider, txn, amount_fen, at)
        select 'SURPLUS', order_id, payment_id, provider, txn, amount_fen, at from ledger where order_id = $order`,
  ],
  LEDGER_WITHOUT_PAYMENT: [bought, `update payments set status = 'CLOSED', txn = null where order_id = $order`],
  LEDGER_PAYMENT_MISMATCH: [bought, 'update ledger set amount_fen = amount_fen - 1 where order_id = $order'],
  PAYMENT_NOT_ASKED: [begun, 'update payments set next_ask_at = null where order_id = $order'],
  PAYMENT_QUARANTINED: [
    begun,
    `${quarantine} select 'payments that wait', id, 3, '', 0, 0, 0, 0 from payments where order_id = $order`,
  ],
  ORDER_STATUS_CONTRADICTS: [bought, `update orders set pay_status = 'UNPAID' where id = $order`],
  ORDER_WITHOUT_PAYMENT: [
    bought,
    'delete from ledger where order_id = $order',
    `update payments set status = 'CLOSED', txn = null where order_id = $order`,
  ],
  PAYMENT_WITHOUT_ORDER: [unlocked, `update orders set pay_status = 'UNPAID' where id = $order`],
  ORDER_AMOUNT: [bought, 'update orders set pay_fen = pay_fen + 1 where id = $order'],
  ORDER_PRICE: [bought, 'update orders set discount_fen = 1 where id = $order'],
  REFUND_NOT_BOOKED: [refunded, `delete from ledger where order_id = $order and kind = 'REFUND'`],
  LEDGER_WITHOUT_REFUND: [refunded, `delete from refunds where order_id = $order`],
  REFUND_AMOUNT: [refunded, 'update refunds set amount_fen = amount_fen - 1 where order_id = $order'],
  REFUND_AT_PROVIDER: [refunded, 'update payments set refunded_fen = 1 where order_id = $order'],
  ORDER_WITHOUT_REFUND: [
    refunded,
    `delete from ledger where order_id = $order and kind = 'REFUND'`,
    'delete from refunds where order_id = $order',
  ],
  REFUND_WITHOUT_ORDER: [
    refunded,
    `update orders set status = 'PAID', pay_status = 'PAID' where id = $order`,
    `insert into order_events (order_id, at, from_status, to_status) values ($order, 0, 'REFUNDED', 'PAID')`,
  ],
  REFUND_NOT_STARTED: [reviewed, 'update orders set refund_due_at = null where id = $order'],
  REFUND_NOT_TRIED: [refunding, 'update refunds set next_at = null where order_id = $order'],
  REFUND_QUARANTINED: [
    refunding,
    `${quarantine} select 'refunds', id, 3, '', 0, 0, 0, 0 from refunds where order_id = $order`,
  ],
  DEADLINE_QUARANTINED: [bought, `${quarantine} values ('order deadlines', $order, 3, '', 0, 0, 0, 0)`],
  SURPLUS_NOT_RETURNED: [surplus, 'delete from refunds where order_id = $order'],
  REPORT_LOCKED: [unlocked, `update reports set status = 'LOCKED' where order_id = $order`],
  REPORT_UNLOCKED: [locked, `update reports set status = 'UNLOCKED' where order_id = $order`],
  REPORT_MISSING: [unlocked, 'delete from reports where order_id = $order'],
  PAID_EVENT_MISSING: [
    bought,
    `update order_events set from_status = null where order_id = $order and to_status = 'PAID'`,
  ],
  PAID_EVENT_TWICE: [
    bought,
    `insert into order_events (order_id, at, from_status, to_status)
        select order_id, at, from_status, to_status from order_events where order_id = $order and to_status = 'PAID'`,
  ],
  PAID_EVENT_WITHOUT_PAYMENT: [
    watched,
    `update order_events set note = 'PAY' where order_id = $order and to_status = 'UNLOCKED'`,
  ],
  LAST_EVENT_MISMATCH: [bought, `update orders set status = 'ASSIGNED' where id = $order`],
  PAID_MESSAGE_MISSING: [bought, `delete from messages where biz_id = $order and type = 'PAID'`],
  PAID_MESSAGE_TWICE: [
    bought,
    `insert into messages (id, user_id, type, title, summary, body, biz_type, biz_id, created_at)
        select id || '2', user_id, type, title, summary, body, biz_type, biz_id, created_at from messages
        where biz_id = $order and type = 'PAID'`,
  ],
  COUPON_NOT_USED: [
    withCoupon.bought,
    `update user_coupons set status = 'UNUSED', order_id = null, used_at = null where order_id = $order`,
  ],
  COUPON_NOT_LOCKED: [
    withCoupon.begun,
    `update user_coupons set status = 'UNUSED', order_id = null where order_id = $order`,
  ],
  COUPON_USED_WITHOUT_ORDER: [withCoupon.bought, 'update orders set coupon_id = null where id = $order'],
  COUPON_LOCKED_WITHOUT_ORDER: [withCoupon.begun, 'update orders set coupon_id = null where id = $order'],
  COUPON_OWNER: [
    withCoupon.bought,
    `update user_coupons set user_id = (select id from users where id <> $user order by created_at limit 1), nth = 77
      where order_id = $order`,
  ],
}

const found = async () => (await checkLedger(db())).differences.map(({ kind, orderId }) => `${kind} ${orderId}`)
/** What is found of one order. */
const kindsOf = async ({ orderId }: Made) =>
  (await checkLedger(db())).differences.flatMap((difference) =>
    difference.orderId === orderId ? [difference.kind] : [],
  )

test('orders in every payment state agree with the ledger; deleted orders and those of deleted accounts cause no difference', async () => {
  const all = [begun, bought, locked, unlocked, watched, refunding, refunded, reviewed, surplus]
  for (const make of all) await make()
  for (const make of Object.values(withCoupon)) await make()
  const receipt = await bought()
  const box = await server.call('user', 'messages', { type: 'PAID' }, { token: receipt.token })
  await server.call('user', 'messages', { remove: box.body.data.list[0]?.id ?? '' }, { token: receipt.token })
  const gone = await unlocked()
  expect((await checkLedger(db())).orders).toBe(all.length + 4)
  await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', gone.userId).execute()
  expect(await deleteAccounts.run(deps(), server.clock.now())).toBe(1)
  expect((await checkLedger(db())).differences).toEqual([])
  // unpaid orders are closed, late ones refunded, reports expire, old messages are deleted
  for (const days of [1, 2, 8, 85]) {
    await advance(server, days * DAY)
    expect((await checkLedger(db())).differences).toEqual([])
  }
})

test.each(Object.keys(corruptions) as DifferenceKind[])(
  '%s is reported where it is, and nothing else is',
  async (kind) => {
    const [of, ...by] = corruptions[kind]
    const made = await of()
    const before = await found()
    for (const statement of by) await run(statement, made)
    const after = await found()
    expect(after.filter((difference) => !before.includes(difference))).toEqual([`${kind} ${made.orderId}`])
    expect(before.filter((difference) => !after.includes(difference))).toEqual([])
  },
)

test('a refund granted by its time limit that could not be started is reported too', async () => {
  const made = await reviewed()
  await run(`${quarantine} values ('unanswered refunds', $order, 3, '', 0, 0, 0, 0)`, made)
  expect(await kindsOf(made)).toEqual(['REFUND_QUARANTINED'])
})

test('docs/ledger.md describes the repair of each kind', () => {
  const sections = readFileSync('docs/ledger.md', 'utf8').match(/(?<=^### )[A-Z_]+$/gm)
  expect(sections?.sort()).toEqual(Object.keys(corruptions).sort())
})

test('the coupon locked by a payment is released when the report is unlocked without it', async () => {
  const made = await locked()
  const template = { template_id: 'off', name: '立减 1 元', type: 'DIRECT', amount_fen: 100, scope: 'ALL' }
  await db()
    .insertInto('coupon_templates')
    .values({ ...template, valid_type: 'DAYS', days: 30, per_user: 1, total: -1, listed: false } as never)
    .execute()
  const now = server.clock.now()
  const coupon = {
    coupon_id: 'off1',
    template_id: 'off',
    user_id: made.userId,
    nth: 1,
    received_at: now,
    used_at: null,
  }
  await db()
    .insertInto('user_coupons')
    .values({ ...coupon, status: 'UNUSED', start_at: now, end_at: now + DAY, order_id: null })
    .execute()
  await orders.pay(made, { couponId: 'off1' })
  await orders.watch(made)
  const held = await db().selectFrom('user_coupons').select('status').where('coupon_id', '=', 'off1').execute()
  expect([held, await kindsOf(made)]).toEqual([[{ status: 'UNUSED' }], []])
})

test('a half-committed payment, as left by a stall, is found', async () => {
  const made = await bought()
  // the order's state was kept, but the ledger entry rolled back and repeated for an already paid order
  await run(`update ledger set kind = 'SURPLUS' where order_id = $order`, made)
  expect((await kindsOf(made)).sort()).toEqual(['ORDER_WITHOUT_PAYMENT', 'SURPLUS_NOT_RETURNED'])
})

describe('the provider’s own figures', () => {
  /** Providers that answer every question about a payment like this. */
  const saying = (trade: Trade) =>
    ({ ...deps().providers.pay, get: async () => ({ query: async () => trade }) }) as unknown as PayProviders
  /** Differences of the order that only its provider shows. */
  const shown = async ({ orderId }: Made, pay = deps().providers.pay) => {
    const { differences } = await checkBooks(db(), pay, server.clock.now())
    return differences.filter((difference) => difference.orderId === orderId).map(({ kind }) => kind)
  }

  test('a refund of ours, done or open, is no difference', async () => {
    expect(await shown(await refunded())).toEqual([])
    const open = await refunding()
    const pay = saying({ state: 'REFUNDED', refundId: 'R' })
    expect(await shown(open, pay)).toEqual([])
  })

  test.each<[string, (paid: PaidTrade) => Trade, 'BOOKED' | 'CLOSED', DifferenceKind[]]>([
    ['the payment', (paid) => paid, 'BOOKED', []],
    ['another amount', (paid) => ({ ...paid, amountFen: 1 }), 'BOOKED', ['LEDGER_PAYMENT_MISMATCH']],
    ['another number', (paid) => ({ ...paid, txn: 'other' }), 'BOOKED', ['LEDGER_PAYMENT_MISMATCH']],
    ['no payment', () => ({ state: 'UNKNOWN' }), 'BOOKED', ['LEDGER_WITHOUT_PAYMENT']],
    ['an unpaid one', () => ({ state: 'CLOSED' }), 'BOOKED', ['LEDGER_WITHOUT_PAYMENT']],
    ['one refunded', (paid) => ({ state: 'REFUNDED', refundId: 'R', paid }), 'BOOKED', ['REFUND_AT_PROVIDER']],
    ['a refund only', () => ({ state: 'REFUNDED', refundId: 'R' }), 'BOOKED', ['REFUND_AT_PROVIDER']],
    ['a payment that we closed', (paid) => paid, 'CLOSED', ['PAYMENT_NOT_BOOKED']],
    ['what we closed unpaid', () => ({ state: 'CLOSED' }), 'CLOSED', []],
  ])('a provider that knows of %s', async (_, tradeOf, ours, kinds) => {
    const made = ours === 'CLOSED' ? await begun() : await bought()
    if (ours === 'CLOSED')
      await run(`update payments set status = 'CLOSED', next_ask_at = null where order_id = $order`, made)
    for (const table of ['payments', 'ledger'])
      await run(`update ${table} set provider = 'alipay' where order_id = $order`, made)
    const payments = db().selectFrom('payments').select(['txn', 'amount_fen']).where('order_id', '=', made.orderId)
    const { txn, amount_fen } = await payments.executeTakeFirstOrThrow()
    const trade = tradeOf({ state: 'PAID', txn: txn ?? 'T', amountFen: amount_fen })
    const pay = { ...saying(trade), names: new Set(['alipay'] as const) }
    expect(await shown(made, pay)).toEqual(kinds)
    await run('update payments set created_at = 0 where order_id = $order', made)
  })

  test('payments whose provider does not answer are counted; it is asked no more than twice', async () => {
    let asked = 0
    const query = async () => {
      asked += 1
      throw new ProviderUnavailable('away')
    }
    const pay = { ...deps().providers.pay, get: async () => ({ query }) }
    const { unanswered } = await checkBooks(db(), pay as never, server.clock.now())
    expect([asked, unanswered > 5]).toEqual([2, true])
  })
})

test('the nightly check runs once a day for all processes and raises the alarm', async () => {
  const rows = () => db().selectFrom('ledger_checks').selectAll().orderBy('id', 'desc').execute()
  // at noon in China, so that an hour later is on the same day
  await advance(server, untilNoon(server, 1))
  const [newest] = await rows()
  lines.length = 0
  await Promise.all([1, 2, 3].map(() => nightlyLedgerCheck.run(deps(), server.clock.now())))
  expect((await rows())[0]?.id).toBe(newest?.id)
  const now = server.clock.now() + DAY
  await Promise.all([1, 2, 3].map(() => nightlyLedgerCheck.run(deps(), now)))
  const [last, ...others] = await rows()
  expect(others[0]?.id).toBe(newest?.id)
  const { counts, orders: checked } = await checkBooks(db(), deps().providers.pay, now)
  expect(last).toMatchObject({ started_at: now })
  expect(Object.keys(counts).length).toBeGreaterThan(20)
  expect(alarms()).toMatchObject([{ counts, orders: checked, msg: 'the ledger check found differences' }])
  // a check whose process died is repeated, but not within an hour
  await db()
    .updateTable('ledger_checks')
    .set({ ended_at: null })
    .where('id', '=', last?.id ?? 0)
    .execute()
  await nightlyLedgerCheck.run(deps(), now + 1000)
  expect((await rows())[0]?.ended_at).toBeNull()
  await nightlyLedgerCheck.run(deps(), now + DAY / 24)
  expect((await rows())[0]).toMatchObject({ id: last?.id, ended_at: expect.any(Number) })
})

test('a failed nightly check raises the alarm and is repeated after an hour', async () => {
  const now = server.clock.now() + 3 * DAY
  await sql`alter table user_coupons rename to coupons_away`.execute(db())
  lines.length = 0
  try {
    expect(await nightlyLedgerCheck.run(deps(), now)).toBe(0)
  } finally {
    await sql`alter table coupons_away rename to user_coupons`.execute(db())
  }
  expect(alarms()).toMatchObject([{ msg: 'the ledger could not be checked' }])
  const newest = () => db().selectFrom('ledger_checks').selectAll().orderBy('id', 'desc').executeTakeFirst()
  expect(await newest()).toMatchObject({ started_at: now, ended_at: null })
  await nightlyLedgerCheck.run(deps(), now + DAY / 24)
  expect(await newest()).toMatchObject({ ended_at: expect.any(Number) })
})

test('npm run books:check prints its result as the last line and exits with 1 on a difference, with 0 on none', async () => {
  // another process, without the settings of this provider, cannot ask it
  const made = await bought()
  for (const table of ['payments', 'ledger'])
    await run(`update ${table} set provider = 'alipay' where order_id = $order`, made)
  const { settings, clock } = deps()
  const pay = createPayProviders(settings)
  const { differences, orders: checked, unanswered } = await checkBooks(db(), pay, clock.realNow())
  expect(unanswered).toBe(1)
  await server.close()
  const check = async (env: Record<string, string>) => {
    const tool = startProcess(env, 'server/cli/books-check.ts')
    const code = await tool.ended
    const lines = tool.output().trim().split('\n')
    return [code, JSON.parse(lines.at(-1) ?? ''), lines.some((line) => line.includes('1 笔支付没有得到支付平台的回答'))]
  }
  expect(await check(testDatabase.env)).toEqual([1, { orders: checked, differences }, true])
  const fresh = await createTestDatabase()
  expect(await check(fresh.env)).toEqual([0, { orders: 0, differences: [] }, false])
  fresh.remove()
  // afterAll closes it
  Object.assign(server, await startServer({ testDatabase }))
})
