import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { Req } from '@/contract/types'
import { checkLedger, openProviderRefunds } from '../../domains/payments/accounting/check'
import { applyTradeState } from '../../domains/payments/apply-trade-state'
import { readProviderRefunds } from '../../domains/payments/provider-refunds'
import { chinaIso } from '../../providers/pay/port'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from '../harness'
import { adultId, manualOrderRequest } from './requests'
import { type BilledRefund, startWechatStub, type WechatStub, wechatEnv } from './wechat-stub'

/** fen; the standard service */
const PRICE = 1990
const OPENID = 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o'

let testDatabase: TestDatabase
let stand: WechatStub
let server: TestServer
let config: FormConfig
let me: { token: string; userId: string }
let other: { token: string; userId: string }
const log: string[] = []

async function buyer(mobile: string, n: number) {
  const user = await server.login(mobile)
  await server.call('user', 'realNameAuth', { name: '张三', idNo: adultId(n), consent: true }, { token: user.token })
  return user
}

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  stand = await startWechatStub()
  server = await startServer({
    testDatabase,
    games: ['val'],
    env: wechatEnv(stand.url),
    onLog: (line) => log.push(line),
  })
  config = (await server.call('evaluation', 'gameConfig', { gameId: 'val', mode: 'AI' })).body.data
  me = await buyer('13800138000', 1)
  other = await buyer('13800138001', 2)
})
afterEach(async () => {
  stand.fault = 'none'
  stand.refundStatus = 'SUCCESS'
  for (const orderId of open.splice(0)) await server.call('pay', 'closeOrder', { orderId }, { token: me.token })
})
afterAll(async () => {
  await server.close()
  await stand.close()
  testDatabase.remove()
})

/** orders of the current test; a user may have ten unpaid ones */
const open: string[] = []
const order = async (who = me) => {
  const made = await server.call('evaluation', 'submitManual', manualOrderRequest(config), { token: who.token })
  if (!made.body.success) throw new Error(made.body.msg)
  open.push(made.body.data.orderId)
  return made.body.data.orderId
}
const pay = (orderId: string, change: Partial<Req<'pay', 'payment'>> = {}, headers: Record<string, string> = {}) =>
  server.call(
    'pay',
    'payment',
    { orderId, payType: 'WX_JSAPI', consent: true, openid: OPENID, ...change },
    { token: me.token, headers },
  )
const result = async (orderId: string) =>
  (await server.call('pay', 'payResult', { orderId }, { token: me.token })).body.data.status
const info = async (orderId: string) =>
  (await server.call('pay', 'getInfo', { orderId }, { token: me.token })).body.data
const attempts = (orderId: string) =>
  server.database.db.selectFrom('payments').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute()
/** Begins to pay. @returns the payment's number at WeChat */
const begin = async (orderId: string, change: Partial<Req<'pay', 'payment'>> = {}) => {
  const answer = await pay(orderId, change)
  if (!answer.body.success) throw new Error(answer.body.msg)
  return (await attempts(orderId)).at(-1)?.id ?? ''
}
const deliver = async (
  { headers, body }: { headers: Record<string, string>; body: string },
  remoteAddress = '127.0.0.1',
) => {
  const url = '/pay/notify/wechat'
  const answer = await server.app.inject({ method: 'POST', url, headers, payload: body, remoteAddress })
  return [answer.statusCode, answer.json().code]
}
const ledger = (orderId: string) =>
  server.database.db
    .selectFrom('ledger')
    .select(['kind', 'amount_fen'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
const advance = (advanceMs: number) =>
  server.app.inject({ method: 'POST', url: '/sandbox/clock', payload: { advanceMs } })
/** All rows that a payment can change, to compare before and after. */
const everything = async () => {
  const { db } = server.database
  const [orders, payments, ledger, refunds, coupons, messages] = await Promise.all([
    db.selectFrom('orders').selectAll().orderBy('id').execute(),
    db.selectFrom('payments').selectAll().orderBy('id').execute(),
    db.selectFrom('ledger').selectAll().orderBy('id').execute(),
    db.selectFrom('refunds').selectAll().orderBy('id').execute(),
    db.selectFrom('user_coupons').selectAll().orderBy('coupon_id').execute(),
    db.selectFrom('messages').select('id').orderBy('id').execute(),
  ])
  return { orders, payments, ledger, refunds, coupons, messages }
}

describe('paying', () => {
  test('repeated notifications lead to one paid order, one ledger entry and one message', async () => {
    const orderId = await order()
    const id = await begin(orderId)
    expect(await result(orderId)).toBe('PENDING')
    stand.pay(id)
    const message = stand.notice(id)
    expect(await Promise.all([deliver(message), deliver(message), deliver(stand.notice(id))])).toEqual([
      [200, 'SUCCESS'],
      [200, 'SUCCESS'],
      [200, 'SUCCESS'],
    ])
    expect(await result(orderId)).toBe('PAID')
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID', payType: 'WX_JSAPI' })
    expect(await ledger(orderId)).toEqual([{ kind: 'PAY', amount_fen: PRICE }])
    const messages = await server.database.db.selectFrom('messages').selectAll().where('biz_id', '=', orderId).execute()
    expect(messages.map((m) => m.type)).toEqual(['PAID'])
  })

  test('without a notification both pay/result and the job query WeChat', async () => {
    const [one, two] = [await order(), await order()]
    stand.pay(await begin(one))
    expect(await result(one)).toBe('PAID')
    stand.pay(await begin(two))
    await advance(6000)
    expect(await info(two)).toMatchObject({ status: 'PAID' })
  })

  test('a waiting user causes at most one query to WeChat in two seconds', async () => {
    const orderId = await order()
    await begin(orderId)
    stand.requests.length = 0
    for (let i = 0; i < 5; i += 1) await result(orderId)
    expect(stand.requests.length).toBe(1)
    server.clock.advance(2000)
    await result(orderId)
    expect(stand.requests.length).toBe(2)
  })

  test('a notification before WeChat’s answer to the order counts', async () => {
    const orderId = await order()
    stand.fault = 'hang'
    stand.requests.length = 0
    // the answer never arrives, although WeChat has created the order
    const begun = pay(orderId)
    // yields to the network, which the embedded database alone never does
    while (stand.requests.length === 0) await new Promise((turn) => setImmediate(turn))
    const id = (await attempts(orderId))[0]?.id ?? ''
    stand.trades.set(id, { outTradeNo: id, total: PRICE, state: 'NOTPAY', txn: undefined, paidAt: undefined })
    stand.pay(id)
    expect(await deliver(stand.notice(id))).toEqual([200, 'SUCCESS'])
    stand.drop()
    expect((await begun).body.code).toBe('SERVICE_UNAVAILABLE')
    expect(await result(orderId)).toBe('PAID')
  })

  test('a repeated request with the same channel is the same attempt; another channel ends the first', async () => {
    const orderId = await order()
    const first = await begin(orderId)
    expect(await begin(orderId)).toBe(first)
    const second = await begin(orderId, { payType: 'WX_H5', openid: undefined })
    expect(second).not.toBe(first)
    expect(stand.trades.get(first)?.state).toBe('CLOSED')
    expect((await attempts(orderId)).map((a) => a.status)).toEqual(['CLOSED', 'CREATED'])
  })

  test('concurrent requests create one attempt', async () => {
    const orderId = await order()
    await Promise.all(Array.from({ length: 4 }, () => pay(orderId)))
    expect((await attempts(orderId)).filter((a) => a.status === 'CREATED')).toHaveLength(1)
  })

  test('of concurrent requests with and without a coupon the one that loses leaves the order its price', async () => {
    const orderId = await order()
    const { db } = server.database
    const coupon = {
      coupon_id: 'race',
      template_id: 'manual-3',
      user_id: me.userId,
      nth: 99,
      status: 'UNUSED' as const,
    }
    const period = { start_at: 0, end_at: server.clock.now() + 86_400_000, received_at: 0 }
    await db
      .insertInto('user_coupons')
      .values({ ...coupon, ...period, used_at: null, order_id: null })
      .execute()
    // the loser cannot end the payment that was begun before its own
    stand.fault = 'down'
    await Promise.all(['', 'race', '', 'race', '', 'race'].map((couponId) => pay(orderId, { couponId })))
    const begun = (await attempts(orderId)).filter((a) => a.status === 'CREATED')
    expect(begun.map((a) => a.amount_fen)).toEqual([(await info(orderId)).payFen])
    await db.deleteFrom('user_coupons').where('coupon_id', '=', 'race').execute()
  })

  test('a payment made in time is found at its time limit, before the order is closed', async () => {
    const orderId = await order()
    const id = await begin(orderId)
    for (let minute = 0; minute < 14; minute += 1) await advance(60_000)
    stand.pay(id)
    Object.assign(stand.trades.get(id) ?? {}, { paidAt: new Date(Date.now() - 70_000).toISOString() })
    await advance(61_000)
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID' })
    expect(await ledger(orderId)).toEqual([{ kind: 'PAY', amount_fen: PRICE }])
  })

  test('a payment at WeChat while the user begins another channel pays the order; nothing is paid twice', async () => {
    const orderId = await order()
    stand.pay(await begin(orderId))
    expect((await pay(orderId, { payType: 'WX_H5', openid: undefined })).body.code).toBe('ORDER_STATUS_CHANGED')
    expect(await result(orderId)).toBe('PAID')
  })
})

describe('late and surplus payments are refunded automatically', () => {
  const back = async (orderId: string, id: string) => {
    await lifecycle()
    expect([...stand.refunds.values()].filter((r) => r.outTradeNo === id)).toMatchObject([{ amount: PRICE }])
    const all = await server.database.db.selectFrom('refunds').selectAll().where('payment_id', '=', id).execute()
    expect(all).toMatchObject([{ status: 'DONE', surplus: true, order_id: orderId }])
    const messages = await server.database.db.selectFrom('messages').selectAll().where('biz_id', '=', orderId).execute()
    expect(messages.map((m) => m.title)).toEqual(expect.arrayContaining(['付款将自动退回', '退款到账']))
  }
  const lifecycle = () => server.lifecycle.jobRunner?.runAll()

  test('after the order was closed', async () => {
    const orderId = await order()
    const id = await begin(orderId)
    await server.call('pay', 'closeOrder', { orderId }, { token: me.token })
    stand.pay(id)
    expect(await deliver(stand.notice(id))).toEqual([200, 'SUCCESS'])
    await back(orderId, id)
    expect(await info(orderId)).toMatchObject({ status: 'CLOSED', payStatus: 'UNPAID' })
    expect(await ledger(orderId)).toEqual([
      { kind: 'SURPLUS', amount_fen: PRICE },
      { kind: 'REFUND', amount_fen: -PRICE },
    ])
  })

  test('money that cannot be returned: the payer is told why', async () => {
    const orderId = await order()
    const id = await begin(orderId)
    await server.call('pay', 'closeOrder', { orderId }, { token: me.token })
    stand.pay(id)
    await deliver(stand.notice(id))
    stand.refundStatus = 'ABNORMAL'
    await lifecycle()
    const { summary } = await server.database.db
      .selectFrom('messages')
      .select('summary')
      .where('biz_id', '=', orderId)
      .where('user_id', '=', me.userId)
      .where('title', '=', '退款未成功')
      .executeTakeFirstOrThrow()
    expect(summary).toBe('多付的 ¥19.90 未能退回：原支付账户无法收款，客服会与您联系')
  })

  test('a second payment', async () => {
    const orderId = await order()
    const first = await begin(orderId)
    const second = await begin(orderId, { payType: 'WX_H5', openid: undefined })
    // WeChat took the money of the first, which was in progress when we closed it
    Object.assign(stand.trades.get(first) ?? {}, { state: 'NOTPAY' })
    for (const id of [second, first]) {
      stand.pay(id)
      expect(await deliver(stand.notice(id))).toEqual([200, 'SUCCESS'])
    }
    await back(orderId, first)
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID', payType: 'WX_H5' })
    expect((await ledger(orderId)).map((l) => l.kind)).toEqual(['PAY', 'SURPLUS', 'REFUND'])
  })

  test('closing an order closes its payment at WeChat', async () => {
    const orderId = await order()
    const id = await begin(orderId)
    await server.call('pay', 'closeOrder', { orderId }, { token: me.token })
    await lifecycle()
    expect(stand.trades.get(id)?.state).toBe('CLOSED')
    expect(stand.pay(id)).toBe(false)
  })
})

describe('refunds', () => {
  const paidOrder = async () => {
    const orderId = await order()
    const id = await begin(orderId)
    stand.pay(id)
    await deliver(stand.notice(id))
    return { orderId, id }
  }
  const cancel = (orderId: string) =>
    server.call('evaluation', 'applyCancel', { orderId, reason: '不想估了', remark: '' }, { token: me.token })
  const runJobs = () => server.lifecycle.jobRunner?.runAll()

  test('the order is REFUNDING until WeChat confirms, then REFUNDED, with a message', async () => {
    const { orderId } = await paidOrder()
    stand.refundStatus = 'PROCESSING'
    expect((await cancel(orderId)).body.data).toEqual({ status: 'REFUNDING', refundFen: PRICE })
    await runJobs()
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDING', payStatus: 'REFUNDING' })
    const refund = [...stand.refunds.keys()].at(-1) ?? ''
    expect(await deliver(stand.refundNotice(refund))).toEqual([200, 'SUCCESS'])
    expect(await deliver(stand.refundNotice(refund))).toEqual([200, 'SUCCESS'])
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDED', payStatus: 'REFUNDED' })
    expect((await ledger(orderId)).map((l) => l.amount_fen)).toEqual([PRICE, -PRICE])
  })

  test('while WeChat is unavailable the refund is retried with growing delays and an alarm, and executed once', async () => {
    const { orderId } = await paidOrder()
    stand.fault = 'down'
    await cancel(orderId)
    const before = stand.refunds.size
    for (let i = 0; i < 5; i += 1) await advance(400_000)
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDING' })
    expect(
      log.filter((line) => line.includes('a refund must be tried again') && line.includes('"alarm":true')),
    ).not.toEqual([])
    stand.fault = 'none'
    await advance(3_600_000)
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDED' })
    expect(stand.refunds.size).toBe(before + 1)
  })

  test('a failed refund returns the order to its previous status, with the reason', async () => {
    const { orderId } = await paidOrder()
    stand.refundStatus = 'ABNORMAL'
    await cancel(orderId)
    await runJobs()
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID' })
    const { title, summary } = await server.database.db
      .selectFrom('messages')
      .select(['title', 'summary'])
      .where('biz_id', '=', orderId)
      .where('title', '=', '退款未成功')
      .executeTakeFirstOrThrow()
    expect([title, summary]).toEqual(['退款未成功', expect.stringContaining('原支付账户无法收款')])
  })
})

describe('a refund that was recorded as failed but succeeds at the provider', () => {
  /** Cancelled, and returned to its status because the payer's account could not receive the money. */
  const failed = async () => {
    const orderId = await order()
    const id = await begin(orderId)
    stand.pay(id)
    await deliver(stand.notice(id))
    stand.refundStatus = 'ABNORMAL'
    await cancel(orderId)
    await server.lifecycle.jobRunner?.runAll()
    stand.refundStatus = 'SUCCESS'
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID' })
    log.length = 0
    return { orderId, refund: [...stand.refunds.keys()].at(-1) ?? '' }
  }
  const cancel = (orderId: string) =>
    server.call('evaluation', 'applyCancel', { orderId, reason: '不想估了', remark: '' }, { token: me.token })
  const alarms = () => log.map((line) => JSON.parse(line)).flatMap(({ alarm, msg }) => (alarm === true ? [msg] : []))
  const refunds = async (orderId: string) => {
    const { db } = server.database
    const rows = await db
      .selectFrom('refunds')
      .select('status')
      .where('order_id', '=', orderId)
      .orderBy('asked_at')
      .execute()
    return rows.map(({ status }) => status)
  }
  const differences = async (orderId: string) =>
    (await checkLedger(server.database.db)).differences.flatMap((one) => (one.orderId === orderId ? [one.kind] : []))

  test('is booked once and ends the order, with an alarm', async () => {
    const { orderId, refund } = await failed()
    for (let i = 0; i < 2; i += 1) expect(await deliver(stand.refundNotice(refund))).toEqual([200, 'SUCCESS'])
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDED', payStatus: 'REFUNDED' })
    expect((await ledger(orderId)).map((l) => l.amount_fen)).toEqual([PRICE, -PRICE])
    expect(alarms()).toEqual(['a refund that had failed succeeded'])
    expect(await differences(orderId)).toEqual([])
    const told = await server.database.db
      .selectFrom('messages')
      .select('title')
      .where('biz_id', '=', orderId)
      .where('type', '=', 'REFUNDED')
      .execute()
    expect(told).toEqual([{ title: '退款到账' }])
  })

  test('while another one is in progress: the other one is not executed', async () => {
    const { orderId, refund } = await failed()
    stand.fault = 'down'
    // as the desk may, regardless of earlier answers
    await server.database.db.updateTable('orders').set({ refund_answer: null }).where('id', '=', orderId).execute()
    expect((await cancel(orderId)).body.data).toMatchObject({ status: 'REFUNDING' })
    await server.lifecycle.jobRunner?.runAll()
    stand.fault = 'none'
    const made = stand.refunds.size
    expect(await deliver(stand.refundNotice(refund))).toEqual([200, 'SUCCESS'])
    await advance(60_000)
    expect(stand.refunds.size).toBe(made)
    expect(await refunds(orderId)).toEqual(['DONE', 'FAILED'])
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDED', payStatus: 'REFUNDED' })
    expect((await ledger(orderId)).map((l) => l.amount_fen)).toEqual([PRICE, -PRICE])
    expect(await differences(orderId)).toEqual([])
  })

  test('after its order was delivered: the order stays, the ledger check reports it', async () => {
    const { orderId, refund } = await failed()
    const payload = { orderId, priceFen: 10_000, comment: '成色不错，价格在区间之内' }
    const delivered = await server.app.inject({ method: 'POST', url: '/sandbox/desk/report', payload })
    expect(delivered.statusCode).toBe(200)
    expect(await deliver(stand.refundNotice(refund))).toEqual([200, 'SUCCESS'])
    expect(await info(orderId)).toMatchObject({ status: 'REPORTED', payStatus: 'PAID' })
    expect(await differences(orderId)).toEqual(['REFUND_WITHOUT_ORDER'])
    expect(alarms()).toEqual(['a refund that had failed succeeded after its order was delivered'])
  })
})

describe('a refund made at the provider’s console', () => {
  const alarm = 'a provider has refunded a part of a payment'
  const alarms = (text: string) => log.filter((line) => line.includes(text)).length
  const refunded = async (orderId: string) =>
    server.database.db
      .selectFrom('refunds')
      .select(['reason', 'status', 'amount_fen'])
      .where('order_id', '=', orderId)
      .execute()
  const listed = async (orderId: string) =>
    (await openProviderRefunds(server.database.db)).filter((one) => one.orderId === orderId).length
  const differences = async (orderId: string) =>
    (await checkLedger(server.database.db)).differences.flatMap((one) => (one.orderId === orderId ? [one.kind] : []))
  const full = { reason: '支付平台退款', status: 'DONE', amount_fen: PRICE }
  /** The nightly check two days later, when WeChat has made the bill of the day. */
  const readBill = async (bill: BilledRefund[]) => {
    const { deps } = server.lifecycle
    if (!deps) throw new Error('not started')
    const day = chinaIso(server.clock.realNow() - 2 * DAY_MS).slice(0, 10)
    stand.bills.set(day, bill)
    await readProviderRefunds(deps, server.clock.now())
    stand.bills.delete(day)
  }

  const paidOrder = async () => {
    const orderId = await order()
    const id = await begin(orderId)
    stand.pay(id)
    await deliver(stand.notice(id))
    return { orderId, id }
  }

  test('of all: it is booked and ends the order', async () => {
    const { orderId, id } = await paidOrder()
    const notice = stand.refundNotice('console-1', 'SUCCESS', { outTradeNo: id, refund: PRICE })
    for (let i = 0; i < 2; i += 1) expect(await deliver(notice)).toEqual([200, 'SUCCESS'])
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDED', payStatus: 'REFUNDED' })
    expect((await ledger(orderId)).map((l) => l.amount_fen)).toEqual([PRICE, -PRICE])
    expect(await refunded(orderId)).toEqual([full])
    expect([await listed(orderId), await differences(orderId)]).toEqual([0, []])
  })

  test('of all, told before the payment: both are booked, a late notification of the payment delivers nothing', async () => {
    const orderId = await order()
    const id = await begin(orderId)
    stand.pay(id)
    expect(await deliver(stand.refundNotice('console-2', 'SUCCESS', { outTradeNo: id, refund: PRICE }))).toEqual([
      200,
      'SUCCESS',
    ])
    expect(await deliver(stand.notice(id))).toEqual([200, 'SUCCESS'])
    expect((await info(orderId)).payStatus).toBe('UNPAID')
    expect((await ledger(orderId)).map((l) => [l.kind, l.amount_fen])).toEqual([
      ['SURPLUS', PRICE],
      ['REFUND', -PRICE],
    ])
    expect(await refunded(orderId)).toEqual([full])
    expect(await differences(orderId)).toEqual([])
  })

  test('of a part: the order stays as it is, with one alarm and a row at the desk', async () => {
    const { orderId, id } = await paidOrder()
    const before = alarms(alarm)
    const notice = stand.refundNotice('console-3', 'SUCCESS', { outTradeNo: id, refund: 100 })
    for (let i = 0; i < 2; i += 1) expect(await deliver(notice)).toEqual([200, 'SUCCESS'])
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID' })
    expect(alarms(alarm)).toBe(before + 1)
    expect([await listed(orderId), await differences(orderId)]).toEqual([1, ['REFUND_AT_PROVIDER']])
  })

  test('found by a query, which names no amount: nothing is delivered, staff must look', async () => {
    const orderId = await order()
    const id = await begin(orderId)
    stand.pay(id)
    const trade = stand.trades.get(id)
    if (trade) trade.state = 'REFUND'
    const before = alarms(alarm)
    await advance(10_000)
    expect((await info(orderId)).payStatus).toBe('UNPAID')
    expect(await deliver(stand.notice(id, { state: 'SUCCESS' }))).toEqual([200, 'SUCCESS'])
    expect((await info(orderId)).payStatus).toBe('UNPAID')
    expect(alarms(alarm)).toBe(before + 1)
    expect(await refunded(orderId)).toEqual([])
    expect([await listed(orderId), await differences(orderId)]).toEqual([1, ['REFUND_AT_PROVIDER']])
    // the bill of the day says how much it was
    await readBill([{ outTradeNo: id, refundNo: 'console-4', fen: PRICE }])
    expect((await info(orderId)).payStatus).toBe('UNPAID')
    expect(await refunded(orderId)).toEqual([full])
    expect([await listed(orderId), await differences(orderId)]).toEqual([0, []])
  })

  test('of several parts: their sum counts, and the last part of it all ends the order', async () => {
    const { orderId, id } = await paidOrder()
    const before = alarms(alarm)
    const part = (n: number, refund: number) =>
      deliver(stand.refundNotice(`part-${n}`, 'SUCCESS', { outTradeNo: id, refund }))
    for (const n of [1, 2, 1]) await part(n, 100)
    const [attempt] = await attempts(orderId)
    expect(attempt).toMatchObject({ refunded_fen: 200, status: 'PAID' })
    expect(alarms(alarm)).toBe(before + 2)
    expect(await listed(orderId)).toBe(1)
    await part(3, PRICE - 200)
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDED', payStatus: 'REFUNDED' })
    expect(await refunded(orderId)).toEqual([full])
    expect([await listed(orderId), await differences(orderId)]).toEqual([0, []])
  })

  test('of parts whose total a provider names: the newest total counts', async () => {
    const { orderId } = await paidOrder()
    const { deps } = server.lifecycle
    const [payment] = await attempts(orderId)
    if (!deps || !payment) throw new Error('not there')
    const paid = { state: 'PAID' as const, txn: payment.txn ?? '', amountFen: PRICE }
    for (const refundedFen of [100, 300, 100])
      await applyTradeState(deps, payment, { state: 'REFUNDED', refundId: 'total', paid, refundedFen }, Date.now())
    expect((await attempts(orderId))[0]?.refunded_fen).toBe(300)
  })

  describe('of which no message came', () => {
    test('is found in the bill of its day, with a refund to a bank card that was completed later', async () => {
      const [all, card, slow, part] = [await paidOrder(), await paidOrder(), await paidOrder(), await paidOrder()]
      const atBank = (refundNo: string, { id }: typeof all, status: string) =>
        stand.refunds.set(refundNo, { refundNo, outTradeNo: id, amount: PRICE, status })
      atBank('card', card, 'SUCCESS')
      atBank('slow', slow, 'PROCESSING')
      const bill = [
        { outTradeNo: all.id, refundNo: 'all', fen: PRICE },
        { outTradeNo: card.id, refundNo: 'card', fen: PRICE, status: 'PROCESSING' },
        { outTradeNo: slow.id, refundNo: 'slow', fen: PRICE, status: 'PROCESSING' },
        { outTradeNo: part.id, refundNo: 'part', fen: 5 },
        { outTradeNo: 'of-another-shop', refundNo: 'other', fen: 5 },
      ]
      for (let night = 0; night < 2; night += 1) await readBill(bill)
      const states = [all, card, slow, part].map(async ({ orderId }) => [
        (await info(orderId)).status,
        (await refunded(orderId)).length,
        await differences(orderId),
      ])
      expect(await Promise.all(states)).toEqual([
        ['REFUNDED', 1, []],
        ['REFUNDED', 1, []],
        ['PAID', 0, []],
        ['PAID', 0, ['REFUND_AT_PROVIDER']],
      ])
    })

    test('a refund of ours in the bill is booked once', async () => {
      const { orderId, id } = await paidOrder()
      await server.call('evaluation', 'applyCancel', { orderId, reason: '不想估了' }, { token: me.token })
      await advance(10_000)
      const ours = [...stand.refunds.values()].find((one) => one.outTradeNo === id)
      await readBill([{ outTradeNo: id, refundNo: ours?.refundNo ?? '', fen: PRICE }])
      expect((await ledger(orderId)).map((l) => l.amount_fen)).toEqual([PRICE, -PRICE])
      expect(await differences(orderId)).toEqual([])
    })

    test('a bill with another hash than WeChat signed is not read', async () => {
      const { orderId, id } = await paidOrder()
      stand.fault = 'billChanged'
      await readBill([{ outTradeNo: id, refundNo: 'forged', fen: PRICE }])
      expect((await info(orderId)).status).toBe('PAID')
      expect(alarms('the refunds of a provider could not be read')).toBe(1)
    })
  })
})

describe('a provider that does not answer', () => {
  const COPIES = 60
  /** A full batch more, due before all others. */
  const copies = async (id: string) => {
    await sql`insert into payments (id, order_id, user_id, pay_type, provider, amount_fen, return_url, origin, status, txn,
      created_at, expire_at, next_ask_at) select id || '-' || n, order_id, user_id, pay_type, provider, amount_fen, return_url,
      origin, status, txn || '-' || n, created_at, expire_at, case when next_ask_at is not null then n end
      from payments, generate_series(1, ${sql.lit(COPIES)}) n where id = ${id}`.execute(server.database.db)
    return sql<boolean>`${sql.ref('id')} like ${`${id}-%`}`
  }
  const runJobs = () => server.lifecycle.jobRunner?.runAll()
  const sandboxOrder = async () => {
    const orderId = await order()
    await pay(orderId, { payType: 'ALI_WAP', openid: undefined })
    return { orderId, id: (await attempts(orderId))[0]?.id ?? '' }
  }
  /** The sandbox's provider has recorded the payment but sends no notification. */
  const payThere = (id: string) =>
    server.lifecycle.deps?.pay.sandbox?.act({ outTradeNo: id, amountFen: PRICE }, 'SUCCESS')

  test('does not delay payments of the others: it is queried twice, and its due rows are postponed', async () => {
    const mine = await copies(await begin(await order()))
    const { orderId, id } = await sandboxOrder()
    payThere(id)
    server.clock.advance(6000)
    stand.fault = 'down'
    stand.requests.length = 0
    await runJobs()
    expect(await ledger(orderId)).toEqual([{ kind: 'PAY', amount_fen: PRICE }])
    expect(stand.requests).toHaveLength(2)
    const { db } = server.database
    const next = await db.selectFrom('payments').select('next_ask_at').where(mine).execute()
    expect(next.every(({ next_ask_at: at }) => at !== null && at > server.clock.now())).toBe(true)
    await db.deleteFrom('payments').where(mine).execute()
  })

  test('does not delay refunds of the others either', async () => {
    const { db } = server.database
    const wechat = await order()
    const paidThere = await begin(wechat)
    stand.pay(paidThere)
    await deliver(stand.notice(paidThere))
    const mine = await copies(paidThere)
    await sql`insert into refunds (id, payment_id, order_id, amount_fen, reason, surplus, status, next_at, asked_at)
      select id, id, order_id, amount_fen, '', true, 'PENDING', 0, 0 from payments where ${mine}`.execute(db)
    const { orderId, id } = await sandboxOrder()
    payThere(id)
    server.clock.advance(6000)
    await result(orderId)
    await server.call('evaluation', 'applyCancel', { orderId, reason: '不想估了', remark: '' }, { token: me.token })
    stand.fault = 'down'
    stand.requests.length = 0
    await runJobs()
    expect((await ledger(orderId)).map(({ kind }) => kind)).toEqual(['PAY', 'REFUND'])
    expect(stand.requests.filter((line) => line.startsWith('POST'))).toHaveLength(2)
    const open = await db.selectFrom('refunds').select(['next_at', 'tries']).where(mine).execute()
    expect(open.every(({ next_at: at }) => at !== null && at > server.clock.now())).toBe(true)
    expect(open.filter(({ tries }) => tries > 0)).toHaveLength(2)
    await db.deleteFrom('refunds').where(mine).execute()
    await db.deleteFrom('payments').where(mine).execute()
  })
})

describe('refused without any change', () => {
  /** senders, each of which gets a log line */
  let places = 0
  let orderId: string
  let id: string
  beforeAll(async () => {
    orderId = await order()
    open.length = 0
    id = await begin(orderId)
  })

  test.each([
    ['another amount', { total: 1 }, [400, 'FAIL']],
    ["a stranger's signature", { foreignKey: true }, [401, 'FAIL']],
    ['an old message', { skew: -600 }, [401, 'FAIL']],
    ['another merchant', { mchid: '1900000109' }, [401, 'FAIL']],
  ])('a message with %s', async (_, change, answer) => {
    const forged = {
      outTradeNo: id,
      total: PRICE,
      state: 'SUCCESS' as const,
      txn: 'T9',
      paidAt: new Date().toISOString(),
    }
    const real = stand.trades.get(id)
    stand.trades.set(id, forged)
    const message = stand.notice(id, change)
    if (real) stand.trades.set(id, real)
    const before = await everything()
    log.length = 0
    places += 1
    expect(await deliver(message, `192.0.2.${places}`)).toEqual(answer)
    expect(await everything()).toEqual(before)
    const lines = log.join('\n')
    expect(lines).toMatch(/forged notification|another amount/)
    expect(lines).not.toMatch(/ciphertext|Signature|openid|oUpF8/)
  })

  test('a flood of forged notifications leads to one log line per network and does not delay genuine ones', async () => {
    const forged = stand.notice(id, { foreignKey: true })
    log.length = 0
    for (const place of ['198.51.100.1', '198.51.100.2'])
      for (let i = 0; i < 70; i++) expect(await deliver(forged, place)).toEqual([401, 'FAIL'])
    expect(log.filter((line) => line.includes('forged notification'))).toHaveLength(2)
    const paid = await begin(await order())
    stand.pay(paid)
    expect(await deliver(stand.notice(paid), '198.51.100.1')).toEqual([200, 'SUCCESS'])
  })

  test('a notification of an unknown payment, or an invalid one', async () => {
    const before = await everything()
    expect(await deliver(stand.notice('unknownPayment'))).toEqual([400, 'FAIL'])
    expect(await deliver({ headers: {}, body: '' })).toEqual([401, 'FAIL'])
    const post = (url: string) => server.app.inject({ method: 'POST', url, payload: 'x' })
    expect((await post('/pay/notify/sandbox')).statusCode).toBe(404)
    expect((await post('/pay/notify/alipay')).statusCode).toBe(404)
    expect(await everything()).toEqual(before)
  })

  test('one transaction number for two payments', async () => {
    const paidOrder = await order()
    const paid = await begin(paidOrder)
    stand.pay(paid)
    await deliver(stand.notice(paid))
    const before = await everything()
    const stolen = stand.notice(id, { txn: stand.trades.get(paid)?.txn ?? '', total: PRICE, state: 'SUCCESS' })
    expect(await deliver(stolen)).toEqual([400, 'FAIL'])
    expect(await everything()).toEqual(before)
  })

  const cases: [string, () => ReturnType<typeof pay>, [number, string]][] = [
    [
      'an amount of the client',
      () =>
        server.send(
          'POST',
          '/app-api/api/evaluate/user/order/payment',
          { orderId, payType: 'WX_H5', payFen: 1 },
          { token: me.token },
        ) as never,
      [400, 'VALIDATION_FAILED'],
    ],
    [
      "another's order",
      () => server.call('pay', 'payment', { orderId, payType: 'WX_H5', consent: true }, { token: other.token }),
      [404, 'NOT_FOUND'],
    ],
    [
      "another's coupon",
      async () => pay(await order(), { couponId: await couponOf(other.userId) }),
      [200, 'COUPON_NOT_USABLE'],
    ],
    ['a way to pay of another place', () => pay(orderId, { payType: 'WX_MINI' }), [400, 'VALIDATION_FAILED']],
    [
      "a way WeChat's browser does not have",
      () => pay(orderId, { payType: 'ALI_WAP', openid: undefined }, { 'user-agent': 'MicroMessenger/8.0' }),
      [400, 'VALIDATION_FAILED'],
    ],
    [
      "the mini-program's way on iOS, where nothing is sold",
      () => pay(orderId, { payType: 'WX_MINI', openid: undefined }, { platform: 'weapp', os: 'ios' }),
      [400, 'VALIDATION_FAILED'],
    ],
    ['a way back to elsewhere', () => pay(orderId, { returnUrl: 'https://evil.example/' }), [400, 'VALIDATION_FAILED']],
    [
      'a way back that is a script',
      () => pay(orderId, { returnUrl: 'javascript:alert(1)' }),
      [400, 'VALIDATION_FAILED'],
    ],
    [
      'a way back without its protocol',
      () => pay(orderId, { returnUrl: '//evil.example' }),
      [400, 'VALIDATION_FAILED'],
    ],
  ]

  let coupons = 0
  async function couponOf(userId: string) {
    coupons += 1
    const { db } = server.database
    const { template_id } = await db
      .selectFrom('coupon_templates')
      .select('template_id')
      .where('type', '=', 'DIRECT')
      .executeTakeFirstOrThrow()
    const couponId = `coupon${coupons}`
    await db
      .insertInto('user_coupons')
      .values({
        coupon_id: couponId,
        template_id,
        user_id: userId,
        nth: 100 + coupons,
        status: 'UNUSED',
        start_at: 0,
        end_at: server.clock.now() + 86_400_000,
        received_at: 0,
        used_at: null,
        order_id: null,
      })
      .execute()
    return couponId
  }

  test.each(cases)('%s', async (_, act, code) => {
    const before = await attempts(orderId)
    const answer = await act()
    expect([answer.status, answer.body.code]).toEqual(code)
    expect(await attempts(orderId)).toEqual(before)
    expect(await info(orderId)).toMatchObject({ status: 'UNPAID', payFen: PRICE })
  })

  test.each([
    ['WX_JSAPI', { openid: OPENID }],
    ['WX_H5', {}],
    ['ALI_WAP', {}],
  ] as const)('%s without a consent to the refund rule, which is recorded once', async (payType, more) => {
    const fresh = await order()
    const answer = await pay(fresh, { consent: undefined, openid: undefined, ...more, payType })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'VALIDATION_FAILED', data: { fields: [{ path: 'consent' }] } },
    ])
    expect(await attempts(fresh)).toEqual([])
    await begin(fresh)
    expect((await pay(fresh, { consent: undefined })).body.success).toBe(true)
  })

  test('an order that is already paid, and one that has expired', async () => {
    const paid = await order()
    const payment = await begin(paid)
    stand.pay(payment)
    await deliver(stand.notice(payment))
    expect((await pay(paid)).body.code).toBe('ORDER_STATUS_CHANGED')
    const late = await order()
    await begin(late)
    server.clock.advance(15 * 60_000)
    expect((await pay(late)).body.code).toBe('PAY_CLOSED')
    expect(await result(late)).toBe('CLOSED')
  })

  test('a user who is not verified as an adult', async () => {
    const child = await server.login('13800138002')
    const made = await server.database.db
      .updateTable('orders')
      .set({ user_id: child.userId })
      .where('id', '=', await order())
      .returning('id')
      .executeTakeFirstOrThrow()
    const answer = await server.call(
      'pay',
      'payment',
      { orderId: made.id, payType: 'WX_H5', consent: true },
      { token: child.token },
    )
    expect(answer.body.code).toBe('REALNAME_REQUIRED')
    expect(await attempts(made.id)).toEqual([])
  })
})

test('the payment channels of each environment', async () => {
  const orderId = await order()
  const offers = async (env: string) => {
    const { body } = await server.call('pay', 'payType', { orderId, env }, { token: me.token })
    return body.data.map((o) => [o.type, o.default])
  }
  expect(await offers('WECHAT')).toEqual([['WX_JSAPI', true]])
  expect(await offers('BROWSER')).toEqual([
    ['WX_H5', true],
    ['ALI_WAP', false],
  ])
  expect(await offers('MINI')).toEqual([['WX_MINI', true]])
  expect(await offers('IOS')).toEqual([])
  const foreign = await server.call('pay', 'payType', { orderId, env: 'WECHAT' }, { token: other.token })
  expect(foreign.status).toBe(404)
})
