import fc from 'fast-check'
import type { CallGroup, CallOf } from '@/contract/calls'
import type { FormConfig } from '@/contract/form/types'
import type { OrderStatus } from '@/contract/orderStatus'
import type { Order, OrderAction } from '@/contract/types'
import { AppError } from '../core/app-error'
import { requestInfo, takeOrder } from '../domains/orders/appraising/appraiser-actions'
import { modesOf } from '../domains/orders/order-transitions'
import { decideRefund } from '../domains/orders/refunding/request-refund'
import { checkLedger } from '../domains/payments/accounting/check'
import { demoAppraiser } from '../domains/staff/demo-appraiser'
import { runs } from './arbitrary'
import { setupServer, someAnswers, type TestServer } from './harness'
import { adult, advance, configOf, manualRequest, paid, report } from './orders'

type CallName = { [R in CallGroup]: `${R}.${CallOf<R> & string}` }[CallGroup]

/** The call behind each button. The specification fixes 70 calls, so some serve two purposes. */
const callOf: { readonly [A in OrderAction]: CallName } = {
  PAY: 'pay.payment',
  /** cancels an unpaid order; a paid one is refunded or goes to review */
  CANCEL: 'evaluation.applyCancel',
  RETRY_AUTH: 'evaluation.taskCreate',
  /** with the order's id: supplies the requested information */
  SUPPLY: 'evaluation.submitManual',
  /** key ORDER_URGE, bizId = the order: counted once an hour */
  URGE: 'app.countHit',
  VIEW: 'evaluation.reportGet',
  /** or the calls for help and ads */
  UNLOCK: 'pay.payment',
  /** a new order with the same answers by submitAi or submitManual; with a manual order's id the one free revaluation */
  REVALUE: 'evaluation.submitManual',
  EVALUATE: 'evaluation.saveEvaluation',
  COMPARE: 'evaluation.contrastAnalysis',
  ASK: 'chat.send',
  REFUND: 'evaluation.applyCancel',
  SELL: 'user.channelLinks',
  /** closing an ended order removes it from the list */
  DELETE: 'pay.closeOrder',
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

let config: FormConfig
const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})

/** The request of each action; omitted ones only open a page or need a second order. */
const requests: { [A in OrderAction]?: (orderId: string) => object } = {
  PAY: (orderId) => ({ orderId, payType: 'ALI_WAP', consent: true }),
  UNLOCK: (orderId) => ({ orderId, payType: 'ALI_WAP', consent: true }),
  CANCEL: (orderId) => ({ orderId, reason: '等太久' }),
  REFUND: (orderId) => ({ orderId, reason: '价格不合适' }),
  SUPPLY: (orderId) => ({ ...manualRequest(config), answers: {}, remark: '补充', orderId }),
  REVALUE: (orderId) => ({ ...manualRequest(config), answers: {}, remark: '请再看', orderId }),
  URGE: (bizId) => ({ key: 'ORDER_URGE', bizId }),
  VIEW: (orderId) => ({ orderId }),
  EVALUATE: (orderId) => ({ orderId, score: 3, accuracy: 'FAIR', content: '与成交接近' }),
  DELETE: (orderId) => ({ orderId }),
}
const actions = Object.keys(requests) as (keyof typeof requests)[]

function perform(action: OrderAction, orderId: string, token: string) {
  const [group, name] = callOf[action].split('.') as [CallGroup, CallOf<CallGroup>]
  return server.call(group, name, (requests[action]?.(orderId) ?? {}) as never, { token })
}

/** Events by others: appraisers, the provider, the clock. They may come at any time and are refused if invalid. */
const outside = {
  paid: (id) => paid(server, id),
  take: (id) => inTx((tx) => takeOrder(tx, id, demoAppraiser, server.clock.now())),
  ask: (id) =>
    inTx((tx) =>
      requestInfo(tx, { orderId: id, staffId: demoAppraiser.staffId, wanted: '请补充截图', now: server.clock.now() }),
    ),
  report: (id) => report(server, { orderId: id, priceFen: 100_000, comment: '按近期成交' }),
  grant: (id) =>
    inTx((tx) => decideRefund(tx, { orderId: id, grant: true, now: server.clock.now(), actor: 'staff:a' })),
  refuse: (id) =>
    inTx((tx) =>
      decideRefund(tx, { orderId: id, grant: false, answer: '已在制作', now: server.clock.now(), actor: 'staff:a' }),
    ),
  minutes: () => advance(server, 10 * 60_000),
  hours: () => advance(server, 3 * HOUR),
  days: () => advance(server, 2 * DAY),
} satisfies Record<string, (orderId: string) => Promise<unknown>>

const inTx = (work: Parameters<ReturnType<TestServer['database']['db']['transaction']>['execute']>[0]) =>
  server.database.db
    .transaction()
    .execute(work)
    .catch((e: unknown) => {
      if (!(e instanceof AppError)) throw e
    })

const event = fc.oneof(
  { weight: 3, arbitrary: fc.record({ by: fc.constant('owner' as const), pick: fc.nat(9), which: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant('stubborn' as const), pick: fc.nat(9), which: fc.nat(2) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      by: fc.constantFrom(...(Object.keys(outside) as (keyof typeof outside)[])),
      pick: fc.nat(9),
      which: fc.nat(2),
    }),
  },
)

let numbers = 0
async function start() {
  numbers += 1
  const user = await adult(server, `1350000${String(numbers).padStart(4, '0')}`)
  const { token } = user
  await server.call('coupon', 'receive', { templateId: 'manual-3' }, { token })
  const { gameId, schemaVersion } = config
  const made = [
    await server.call('evaluation', 'submitManual', manualRequest(config, 0), { token }),
    await server.call('evaluation', 'submitManual', manualRequest(config, 1), { token }),
    await server.call(
      'evaluation',
      'submitAi',
      { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' },
      { token },
    ),
  ]
  return { ...user, orders: made.map((a) => a.body.data.orderId) }
}

const info = async (token: string, orderId: string): Promise<Order> =>
  (await server.call('pay', 'getInfo', { orderId }, { token })).body.data

/** Every offered action succeeds. */
async function pressShown(token: string, orderId: string, pick: number) {
  const shown = (await info(token, orderId)).actions.filter((a) => requests[a] !== undefined)
  const action = shown[pick % Math.max(1, shown.length)]
  // only manual reports are revalued by a call, all others by the form
  if (!action || (action === 'REVALUE' && (await info(token, orderId)).inputs !== undefined)) return
  const { body } = await perform(action, orderId, token)
  expect([action, body.code]).toEqual([action, 'OK'])
}

/** A call whose action is not offered changes nothing. */
async function pressHidden(token: string, orderId: string, pick: number) {
  const row = () =>
    server.database.db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  const { actions: shown } = await info(token, orderId)
  const calls = new Set(shown.map((a) => callOf[a]))
  const hidden = actions.filter((a) => !calls.has(callOf[a]) && a !== 'VIEW' && a !== 'DELETE')
  const action = hidden[pick % Math.max(1, hidden.length)]
  const before = await row()
  if (!action) return
  // the same call changes the service of an unpaid order
  if (before.status === 'UNPAID' && callOf[action] === 'evaluation.submitManual') return
  expect([action, before.status, (await perform(action, orderId, token)).body.success]).toEqual([
    action,
    before.status,
    false,
  ])
  expect(await row()).toEqual(before)
}

const rows = (userId: string) =>
  server.database.db.selectFrom('orders').selectAll().where('user_id', '=', userId).execute()
type Row = Awaited<ReturnType<typeof rows>>[number]

/** The events are valid transitions and lead to the order's current status. */
async function soundLog(order: Row) {
  const { db } = server.database
  const log = await db.selectFrom('order_events').selectAll().where('order_id', '=', order.id).orderBy('id').execute()
  for (const [i, e] of log.entries()) {
    if (i > 0) expect(e.from_status).toBe(log[i - 1]?.to_status)
    if (e.from_status !== null)
      expect(modesOf(e.from_status as OrderStatus, e.to_status as OrderStatus)).toContain(order.mode)
  }
  expect(log.at(-1)?.to_status).toBe(order.status)
}

async function isIncluded(orderId: string): Promise<boolean> {
  const unlocked = await server.database.db
    .selectFrom('order_events')
    .select('note')
    .where('order_id', '=', orderId)
    .where('to_status', '=', 'UNLOCKED')
    .executeTakeFirst()
  return unlocked?.note === 'MANUAL'
}

/** The ledger contains exactly the payments of paid orders. */
async function soundMoney(order: Row) {
  const { db } = server.database
  const ledger = await db.selectFrom('ledger').select('amount_fen').where('order_id', '=', order.id).execute()
  // paid after its order was closed: being refunded
  const surplus = await db
    .selectFrom('refunds')
    .select('amount_fen')
    .where('order_id', '=', order.id)
    .where('surplus', '=', true)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .execute()
  const total = (list: { amount_fen: number }[]) => list.reduce((sum, { amount_fen }) => sum + amount_fen, 0)
  const { status, pay_status } = order
  const holds = pay_status === 'PAID' || pay_status === 'REFUNDING'
  expect([status, pay_status, total(ledger) - total(surplus)]).toEqual([status, pay_status, holds ? order.pay_fen : 0])
  const wanted: { [status: string]: string } = { UNPAID: 'UNPAID', CANCELED: 'UNPAID', REFUNDED: 'REFUNDED' }
  for (const served of ['PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING', 'UNLOCKED']) wanted[served] = 'PAID'
  // an appraiser's report includes the model's report of the same account
  if (await isIncluded(order.id)) wanted.UNLOCKED = 'UNPAID'
  expect([status, pay_status]).toEqual([status, wanted[status] ?? pay_status])
}

/** No coupon is lost, and each locked one belongs to the order that locks it. */
async function soundCoupons(userId: string, orders: readonly Row[]) {
  const { db } = server.database
  const coupons = await db.selectFrom('user_coupons').selectAll().where('user_id', '=', userId).execute()
  for (const c of coupons.filter(({ order_id }) => order_id !== null)) {
    const order = orders.find(({ id }) => id === c.order_id)
    expect(order?.coupon_id).toBe(c.coupon_id)
    const paidFor = order?.pay_status === 'PAID' || order?.pay_status === 'REFUNDING'
    expect([order?.status, c.status]).toEqual([order?.status, paidFor ? 'USED' : 'LOCKED'])
    if (!paidFor) expect(['UNPAID', 'REPORTED']).toContain(order?.status)
  }
  const first = coupons.map(({ template_id }) => template_id).filter((id) => id === 'newcomer' || id === 'manual-3')
  expect(first.sort()).toEqual(['manual-3', 'newcomer'])
}

async function sound(userId: string) {
  const orders = await rows(userId)
  for (const order of orders) {
    await soundLog(order)
    await soundMoney(order)
  }
  await soundCoupons(userId, orders)
}

test('after any sequence of events, offered actions succeed, others change nothing, and orders, ledger and coupons agree', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 15, maxLength: 30 }), async (events) => {
      const { token: first, userId, orders } = await start()
      let token = first
      const mobile = `1350000${String(numbers).padStart(4, '0')}`
      for (const { by, pick, which } of events) {
        const orderId = orders[which] ?? ''
        if (by === 'owner') await pressShown(token, orderId, pick)
        else if (by === 'stubborn') await pressHidden(token, orderId, pick)
        else await outside[by](orderId)
        // a login lasts 30 days
        if (by === 'days') token = (await server.login(mobile)).token
        await sound(userId)
      }
      expect((await checkLedger(server.database.db)).differences).toEqual([])
    }),
    { numRuns: runs(4, 40), endOnFailure: true },
  )
})
