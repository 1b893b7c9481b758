/** What must hold after servers were killed: orders, payments, ledger, reports and coupons agree with the provider. */
import type { Db } from '../db/database'
import { checkLedger } from '../domains/payments/accounting/check'
import type { WechatStub } from './pay/wechat-stub'

export const BUYERS = 6
export const COUPONS_EACH = 8
/** automatic refunds of an hour */
export const REFUND_LIMIT = 2
/** so many kills make it sure that some payment was made twice, too late, or refunded, and take long enough for a third price */
export const MIN_FOR_REFUNDS = 20

/** What people were told while servers were killed. */
export interface Told {
  delivered: ReadonlySet<string>
  rechecked: ReadonlySet<string>
  requested: ReadonlySet<string>
  questioned: ReadonlySet<string>
  decided: ReadonlySet<string>
  reportOrders: readonly string[]
  paidBack: ReadonlySet<string>
  free: ReadonlySet<string>
  included: ReadonlyMap<string, string>
  brake: { made: number; held: number } | undefined
  left: readonly string[]
  handedOn: string
  thirdId: string
}

/** Everything that is compared. */
async function rowsOf(db: Db) {
  const [orders, events, ledger, payments, refunds, automatic, released] = await Promise.all([
    db.selectFrom('orders').selectAll().execute(),
    db.selectFrom('order_events').selectAll().execute(),
    db.selectFrom('ledger').selectAll().execute(),
    db.selectFrom('payments').selectAll().execute(),
    db.selectFrom('refunds').selectAll().execute(),
    db.selectFrom('automatic_refunds').selectAll().execute(),
    db.selectFrom('desk_log').select('order_id').where('action', '=', 'REFUND_ALLOW').execute(),
  ])
  const [coupons, reports, questions, appraisals] = await Promise.all([
    db.selectFrom('user_coupons').selectAll().execute(),
    db.selectFrom('reports').selectAll().execute(),
    db.selectFrom('chat_messages').select('order_id').where('sender', '=', 'USER').execute(),
    db
      .selectFrom('appraisals as o')
      .innerJoin('appraisal_drafts as e', (j) =>
        j.onRef('e.order_id', '=', 'o.order_id').onRef('e.staff_id', '=', 'o.staff_id'),
      )
      .selectAll('o')
      .select('e.blind_fen')
      .execute(),
  ])
  return {
    orders,
    events,
    ledger,
    payments,
    refunds,
    automatic,
    released,
    coupons,
    reports,
    questions,
    appraisals,
    result: await checkLedger(db),
  }
}

/** @param most how many servers were killed */
export async function checkAfterKills(db: Db, stand: WechatStub, most: number, told: Told) {
  const {
    orders,
    events,
    ledger,
    payments,
    refunds,
    automatic,
    released,
    coupons,
    reports,
    questions,
    appraisals,
    result,
  } = await rowsOf(db)
  const {
    delivered,
    rechecked,
    requested,
    questioned,
    decided,
    reportOrders,
    paidBack,
    free,
    included,
    brake,
    left,
    handedOn,
    thirdId,
  } = told

  const taken = [...stand.trades.values()].filter((t) => t.state === 'SUCCESS')
  const returned = [...stand.refunds.values()]
  const of = (kind: string) => ledger.filter((l) => l.kind === kind)
  const sum = (list: { amount_fen: number }[]) => list.reduce((all, l) => all + l.amount_fen, 0)
  const sorted = (list: (string | null)[]) => [...list].sort()

  // enough happened to mean something
  const opened = events.filter((e) => e.to_status === 'UNLOCKED' && e.from_status === 'REPORTED')
  expect(of('PAY').length).toBeGreaterThan(most)
  expect(opened.some((e) => e.note === 'PAY')).toBe(true)
  if (most >= MIN_FOR_REFUNDS) expect(of('SURPLUS').length + refunds.length).toBeGreaterThan(0)
  // provider successes = our payments = lines of the ledger; sums equal
  const atProvider = (payment: { provider: string }) => payment.provider !== 'none'
  expect(sorted(payments.filter((p) => p.status === 'PAID' && atProvider(p)).map((p) => p.id))).toEqual(
    sorted(taken.map((t) => t.outTradeNo)),
  )
  expect(sorted([...of('PAY'), ...of('SURPLUS')].filter(atProvider).map((l) => l.txn))).toEqual(
    sorted(taken.map((t) => t.txn ?? '')),
  )
  expect(sum(of('PAY')) + sum(of('SURPLUS'))).toBe(taken.reduce((all, t) => all + t.total, 0))
  // refunds: at the provider = done here = lines of the ledger
  expect(sorted(returned.map((r) => r.refundNo))).toEqual(sorted(refunds.map((r) => r.id)))
  expect(refunds.every((r) => r.status === 'DONE')).toBe(true)
  expect(sum(of('REFUND'))).toBe(-returned.reduce((all, r) => all + r.amount, 0))
  // orders = payments = ledger = entitlements (reports, log, messages) = coupons
  expect(result).toEqual({ orders: orders.length, differences: [], counts: {} })
  // kept orders are those whose money was not returned
  const kept = orders.filter((o) => o.pay_status === 'PAID')
  expect(sum(ledger)).toBe(kept.reduce((all, o) => all + o.pay_fen, 0))
  // nothing hangs
  const ended = ['REPORTED', 'DONE', 'REFUNDED', 'CANCELED', 'CLOSED']
  const manual = orders.filter((o) => o.mode === 'MANUAL')
  expect(manual.filter((o) => !ended.includes(o.status))).toEqual([])
  expect(payments.filter((p) => ['CREATED', 'CLOSING'].includes(p.status))).toEqual([])
  // one report for each version, each with the appraisals its service promises, each after a blind estimate
  const served = manual.filter((o) => o.status === 'REPORTED' || o.status === 'DONE')
  expect(served.length).toBeGreaterThan(0)
  for (const order of served) {
    const own = reports.filter((r) => r.order_id === order.id).sort((a, b) => a.version - b.version)
    expect(own.map((r) => r.version)).toEqual(own.map((_, i) => i + 1))
    expect(own.at(-1)?.report_no).toBe(order.report_no)
    const first = appraisals.filter((o) => o.order_id === order.id && o.version === 1)
    // a third decides between two distant prices
    expect(order.level === 'PRO' ? [2, 3] : [1]).toContain(first.length)
    expect(first.filter((o) => o.blind_fen === null)).toEqual([])
    if (decided.has(order.id)) expect(first).toHaveLength(3)
  }
  // one report of the model for each request; it is open where it was bought, used a coupon or is included in an
  // appraiser's report, which costs nothing more, and locked where it was not bought or was paid back
  const ofModel = orders.filter((o) => o.mode === 'AI')
  expect(sorted(ofModel.map((o) => o.id))).toEqual(sorted([...new Set(reportOrders)]))
  expect(new Set(ofModel.map((o) => `${o.user_id} ${o.request_key}`)).size).toBe(ofModel.length)
  for (const order of ofModel) {
    const own = reports.filter((r) => r.order_id === order.id)
    const how = opened.filter((e) => e.order_id === order.id).map((e) => e.note)
    const isOpen = how.length > 0 && order.pay_status !== 'REFUNDED'
    expect(own.map((r) => r.status)).toEqual([isOpen ? 'UNLOCKED' : 'LOCKED'])
    const status = isOpen ? 'UNLOCKED' : how.length > 0 ? 'REFUNDED' : 'REPORTED'
    expect([order.id, order.status]).toEqual([order.id, status])
    const money = sum(ledger.filter((l) => l.order_id === order.id))
    expect([how, money]).toEqual(
      how[0] === 'PAY' ? [['PAY'], isOpen ? order.pay_fen : 0] : [how.length > 0 ? [expect.any(String)] : [], 0],
    )
  }
  expect(opened.filter((e) => e.note === 'COUPON').map((e) => e.order_id)).toEqual(expect.arrayContaining([...free]))
  for (const orderId of paidBack) expect(orders.find((o) => o.id === orderId)?.status).toBe('REFUNDED')
  for (const [orderId, report] of included) {
    if (!delivered.has(orderId)) continue
    expect(opened.filter((e) => e.order_id === report).map((e) => e.note)).toEqual(['MANUAL'])
    expect(orders.find((o) => o.id === report)?.pay_status).toBe('UNPAID')
  }
  // each request for information was recorded, each question is there once
  const waits = events.filter((event) => event.to_status === 'WAIT_INFO')
  expect(waits.map((event) => event.order_id)).toEqual(expect.arrayContaining([...requested]))
  const asked = questions.flatMap(({ order_id }) => order_id ?? [])
  expect(asked).toHaveLength(new Set(asked).size)
  expect(asked).toEqual(expect.arrayContaining([...questioned]))
  // a delivered revaluation is another version of the report, which names why it was asked for; it is free and refunds nothing
  const again = reports.filter((r) => r.version > 1)
  expect(sorted([...rechecked].filter((id) => !again.some((r) => r.order_id === id)))).toEqual([])
  for (const { order_id, body } of again) {
    const order = orders.find((o) => o.id === order_id)
    const paidFor = ledger.filter((l) => l.order_id === order_id && l.kind === 'PAY')
    expect([order?.revalued, order?.pay_status, sum(paidFor)]).toEqual([true, 'PAID', order?.pay_fen])
    // requested, or begun by a low rating
    expect(body).toMatchObject({ revised: { text: '价格偏低' } })
  }
  // one coupon for each late order, and nothing else; some were late
  const late = orders.filter((o) => o.late_coupon_at !== null)
  expect(late.length).toBeGreaterThan(0)
  const given = coupons.filter((c) => c.template_id === 'late')
  expect(sorted(given.map((c) => c.user_id))).toEqual(sorted(late.map((o) => o.user_id)))
  // refunds by the clock were held at the limit and released; each was made once, and none is missing
  expect(brake).toEqual({ made: REFUND_LIMIT, held: expect.any(Number) })
  expect(released.length).toBeGreaterThan(0)
  const byClock = automatic.map((a) => a.order_id)
  expect(new Set(byClock).size).toBe(byClock.length)
  const begunByClock = events.filter((e) => e.to_status === 'REFUNDING' && e.actor === 'system').map((e) => e.order_id)
  expect(byClock).toEqual(expect.arrayContaining([...begunByClock, ...left]))
  for (const { order_id, amount_fen } of automatic) {
    const lines = ledger.filter((l) => l.order_id === order_id && l.kind !== 'SURPLUS')
    const own = refunds.filter((r) => r.order_id === order_id && !r.surplus)
    const paidBy = lines.find((l) => l.kind === 'PAY')
    expect(orders.find((o) => o.id === order_id)?.status).toBe('REFUNDED')
    expect(own.map((r) => r.amount_fen)).toEqual(amount_fen > 0 ? [amount_fen] : [])
    expect(paidBy?.amount_fen).toBe(amount_fen)
    expect(own.map((r) => r.payment_id)).toEqual(amount_fen > 0 ? [paidBy?.payment_id] : [])
  }
  // one order was taken by an appraiser and delivered in time by the colleague to whom the clock gave it: one price, kept
  // money, no compensation
  const passed = orders.find((o) => o.id === handedOn)
  expect(passed).toMatchObject({ status: 'REPORTED', pay_status: 'PAID', late_coupon_at: null })
  expect(passed?.reported_at).toBeLessThan(passed?.due_at ?? 0)
  expect(passed?.reassigned_at).toBeLessThan(passed?.reported_at ?? 0)
  const takers = events.filter((e) => e.order_id === handedOn && e.to_status === 'ASSIGNED')
  expect(takers.map((e) => e.actor)).toEqual([`staff:${thirdId}`])
  const pricedBy = appraisals.filter((o) => o.order_id === handedOn).map((o) => o.staff_id)
  expect(pricedBy).toEqual([passed?.appraiser_id])
  expect(pricedBy).not.toContain(thirdId)
  // no coupon lost or used twice: used exactly by the kept orders that name it
  const mine = coupons.filter((c) => c.template_id === 'kill')
  expect(mine).toHaveLength(BUYERS * COUPONS_EACH)
  const used = kept.filter((o) => o.coupon_id !== null).map((o) => `${o.coupon_id} ${o.id}`)
  expect(sorted(mine.filter((c) => c.status === 'USED').map((c) => `${c.coupon_id} ${c.order_id}`))).toEqual(
    sorted(used),
  )
  expect(mine.filter((c) => c.status !== 'USED' && c.status !== 'UNUSED')).toEqual([])
}
