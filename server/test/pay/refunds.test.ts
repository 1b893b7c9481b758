import { DAY_MS } from '@/contract/time'
import { depsOf } from '../../core/lifecycle'
import { applyTradeState } from '../../domains/payments/apply-trade-state'
import { readProviderRefunds } from '../../domains/payments/provider-refunds'
import { chinaIso } from '../../providers/pay/port'
import { report } from '../orders'
import { OK, PRICE, setupWechatPayments } from './wechat-payments'
import type { BilledRefund } from './wechat-stub'

const payments = setupWechatPayments()
const { stand, server, log, db, close, attempts, begin, deliver, payThere, begun, paidOrder, cancel } = payments
const { info, standing, booked, differences, messagesOf, alarms, runJobs, advance } = payments

const PAID_AND_BACK = [`PAY ${PRICE}`, `REFUND -${PRICE}`]
const SURPLUS_AND_BACK = [`SURPLUS ${PRICE}`, `REFUND -${PRICE}`]
const refundsOf = (orderId: string) =>
  db()
    .selectFrom('refunds')
    .select(['reason', 'status', 'amount_fen', 'surplus'])
    .where('order_id', '=', orderId)
    .orderBy('asked_at')
    .execute()

describe('late and surplus payments are refunded automatically', () => {
  const closedThenPaid = async () => {
    const made = await begun()
    await close(made.orderId)
    await payThere(made.id)
    return made
  }
  const isReturned = async (orderId: string, id: string) => {
    await runJobs()
    expect([...stand.refunds.values()].filter((r) => r.outTradeNo === id)).toMatchObject([{ amount: PRICE }])
    expect(await refundsOf(orderId)).toMatchObject([{ status: 'DONE', surplus: true }])
    const titles = (await messagesOf(orderId)).map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(['付款将自动退回', '退款到账']))
  }

  test('after the order was closed', async () => {
    const { orderId, id } = await closedThenPaid()
    await isReturned(orderId, id)
    expect([await standing(orderId), await booked(orderId)]).toEqual([['CLOSED', 'UNPAID'], SURPLUS_AND_BACK])
  })

  test('money that cannot be returned: the payer is told why', async () => {
    const { orderId } = await closedThenPaid()
    stand.refundStatus = 'ABNORMAL'
    await runJobs()
    const summary = '多付的 ¥19.90 未能退回：原支付账户无法收款，客服会与您联系'
    expect(await messagesOf(orderId)).toContainEqual(expect.objectContaining({ title: '退款未成功', summary }))
  })

  test('a second payment', async () => {
    const { orderId, id: first } = await begun()
    const second = await begin(orderId, { payType: 'WX_H5', openid: undefined })
    // WeChat took the money of the first, which was in progress when we closed it
    Object.assign(stand.trades.get(first) ?? {}, { state: 'NOTPAY' })
    for (const id of [second, first]) await payThere(id)
    await isReturned(orderId, first)
    expect(await info(orderId)).toMatchObject({ status: 'PAID', payStatus: 'PAID', payType: 'WX_H5' })
    expect(await booked(orderId)).toEqual([`PAY ${PRICE}`, ...SURPLUS_AND_BACK])
  })
})

/** Cancelled, and returned to its status because the payer's account could not receive the money. */
const failed = async () => {
  const { orderId } = await paidOrder()
  stand.refundStatus = 'ABNORMAL'
  await cancel(orderId)
  await runJobs()
  stand.refundStatus = 'SUCCESS'
  expect(await standing(orderId)).toEqual(['PAID', 'PAID'])
  log.length = 0
  return { orderId, refund: [...stand.refunds.keys()].at(-1) ?? '' }
}

describe('a cancelled order', () => {
  test('is REFUNDING until WeChat confirms, then REFUNDED', async () => {
    const { orderId } = await paidOrder()
    stand.refundStatus = 'PROCESSING'
    expect(await cancel(orderId)).toEqual({ status: 'REFUNDING', refundFen: PRICE })
    await runJobs()
    expect(await standing(orderId)).toEqual(['REFUNDING', 'REFUNDING'])
    const refund = [...stand.refunds.keys()].at(-1) ?? ''
    for (let i = 0; i < 2; i += 1) expect(await deliver(stand.refundNotice(refund))).toEqual(OK)
    expect([await standing(orderId), await booked(orderId)]).toEqual([['REFUNDED', 'REFUNDED'], PAID_AND_BACK])
  })

  test('is refunded once while WeChat is unavailable, with growing delays and an alarm', async () => {
    const { orderId } = await paidOrder()
    stand.fault = 'down'
    await cancel(orderId)
    const before = stand.refunds.size
    for (let i = 0; i < 5; i += 1) await advance(400_000)
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDING' })
    expect(alarms()).toContain('a refund must be tried again')
    stand.fault = 'none'
    await advance(3_600_000)
    expect(await info(orderId)).toMatchObject({ status: 'REFUNDED' })
    expect(stand.refunds.size).toBe(before + 1)
  })

  test('returns to its previous status when the refund fails, and its owner is told the reason', async () => {
    const { orderId } = await failed()
    const summary = expect.stringContaining('原支付账户无法收款')
    expect(await messagesOf(orderId)).toContainEqual(expect.objectContaining({ title: '退款未成功', summary }))
  })
})

describe('a refund that was recorded as failed but succeeds at the provider', () => {
  test('is booked once and ends the order, with an alarm', async () => {
    const { orderId, refund } = await failed()
    for (let i = 0; i < 2; i += 1) expect(await deliver(stand.refundNotice(refund))).toEqual(OK)
    expect([await standing(orderId), await booked(orderId)]).toEqual([['REFUNDED', 'REFUNDED'], PAID_AND_BACK])
    expect(alarms()).toEqual(['a refund that had failed succeeded'])
    expect(await differences(orderId)).toEqual([])
    const told = (await messagesOf(orderId)).filter(({ type }) => type === 'REFUNDED')
    expect(told).toMatchObject([{ title: '退款到账' }])
  })

  test('while another one is in progress: the other one is not executed', async () => {
    const { orderId, refund } = await failed()
    stand.fault = 'down'
    // as the desk may, regardless of earlier answers
    await db().updateTable('orders').set({ refund_answer: null }).where('id', '=', orderId).execute()
    expect(await cancel(orderId)).toMatchObject({ status: 'REFUNDING' })
    await runJobs()
    stand.fault = 'none'
    const made = stand.refunds.size
    expect(await deliver(stand.refundNotice(refund))).toEqual(OK)
    await advance(60_000)
    expect(stand.refunds.size).toBe(made)
    expect((await refundsOf(orderId)).map(({ status }) => status)).toEqual(['DONE', 'FAILED'])
    expect([await standing(orderId), await booked(orderId)]).toEqual([['REFUNDED', 'REFUNDED'], PAID_AND_BACK])
    expect(await differences(orderId)).toEqual([])
  })

  test('after its order was delivered: the order stays, the ledger check reports it', async () => {
    const { orderId, refund } = await failed()
    const delivered = await report(server, { orderId, priceFen: 10_000, comment: '成色不错，价格在区间之内' })
    expect(delivered.statusCode).toBe(200)
    expect(await deliver(stand.refundNotice(refund))).toEqual(OK)
    expect(await standing(orderId)).toEqual(['REPORTED', 'PAID'])
    expect(await differences(orderId)).toEqual(['REFUND_WITHOUT_ORDER'])
    expect(alarms()).toEqual(['a refund that had failed succeeded after its order was delivered'])
  })
})

describe('a refund made at the provider’s console', () => {
  const ofPart = () => alarms().filter((alarm) => alarm === 'a provider has refunded a part of a payment').length
  /** WeChat tells of it, several times. */
  const told = async (refundNo: string, outTradeNo: string, refund: number, times = 2) => {
    const notice = stand.refundNotice(refundNo, 'SUCCESS', { outTradeNo, refund })
    for (let i = 0; i < times; i += 1) expect(await deliver(notice)).toEqual(OK)
  }
  const full = [{ reason: '支付平台退款', status: 'DONE', amount_fen: PRICE }]
  /** Whether the refund of all is booked and nothing is left to look at. */
  const isSettled = async (orderId: string) => {
    expect(await refundsOf(orderId)).toMatchObject(full)
    expect(await differences(orderId)).toEqual([])
  }
  const mustBeLookedAt = async (orderId: string) => expect(await differences(orderId)).toEqual(['REFUND_AT_PROVIDER'])
  /** The nightly check two days later, when WeChat has made the bill of the day. */
  const readBill = async (bill: BilledRefund[]) => {
    const day = chinaIso(server.clock.realNow() - 2 * DAY_MS).slice(0, 10)
    stand.bills.set(day, bill)
    await readProviderRefunds(depsOf(server.lifecycle), server.clock.now())
    stand.bills.delete(day)
  }

  test('of all: it is booked and ends the order', async () => {
    const { orderId, id } = await paidOrder()
    await told('console-1', id, PRICE)
    expect([await standing(orderId), await booked(orderId)]).toEqual([['REFUNDED', 'REFUNDED'], PAID_AND_BACK])
    await isSettled(orderId)
  })

  test('of all, told before the payment: both are booked, a late notification of the payment delivers nothing', async () => {
    const { orderId, id } = await begun()
    stand.pay(id)
    await told('console-2', id, PRICE, 1)
    expect(await deliver(stand.notice(id))).toEqual(OK)
    expect((await info(orderId)).payStatus).toBe('UNPAID')
    expect(await booked(orderId)).toEqual(SURPLUS_AND_BACK)
    await isSettled(orderId)
  })

  test('of a part: the order stays as it is, with one alarm and a row at the desk', async () => {
    const { orderId, id } = await paidOrder()
    await told('console-3', id, 100)
    expect([await standing(orderId), ofPart()]).toEqual([['PAID', 'PAID'], 1])
    await mustBeLookedAt(orderId)
  })

  test('found by a query, which names no amount: nothing is delivered, staff must look, until the bill names it', async () => {
    const { orderId, id } = await begun()
    stand.pay(id)
    Object.assign(stand.trades.get(id) ?? {}, { state: 'REFUND' })
    await advance(10_000)
    expect((await info(orderId)).payStatus).toBe('UNPAID')
    expect(await deliver(stand.notice(id, { state: 'SUCCESS' }))).toEqual(OK)
    expect([(await info(orderId)).payStatus, ofPart(), await refundsOf(orderId)]).toEqual(['UNPAID', 1, []])
    await mustBeLookedAt(orderId)
    await readBill([{ outTradeNo: id, refundNo: 'console-4', fen: PRICE }])
    expect((await info(orderId)).payStatus).toBe('UNPAID')
    await isSettled(orderId)
  })

  test('of several parts: their sum counts, and the last part of it all ends the order', async () => {
    const { orderId, id } = await paidOrder()
    for (const n of [1, 2, 1]) await told(`part-${n}`, id, 100, 1)
    expect([await attempts(orderId), ofPart()]).toMatchObject([[{ refunded_fen: 200, status: 'PAID' }], 2])
    await mustBeLookedAt(orderId)
    await told('part-3', id, PRICE - 200, 1)
    expect(await standing(orderId)).toEqual(['REFUNDED', 'REFUNDED'])
    await isSettled(orderId)
  })

  test('of parts whose total a provider names: the newest total counts', async () => {
    const { orderId } = await paidOrder()
    const [payment] = await attempts(orderId)
    if (!payment) throw new Error('not there')
    const paid = { state: 'PAID' as const, txn: payment.txn ?? '', amountFen: PRICE }
    const deps = depsOf(server.lifecycle)
    for (const refundedFen of [100, 300, 100])
      await applyTradeState(deps, payment, { state: 'REFUNDED', refundId: 'total', paid, refundedFen }, Date.now())
    expect((await attempts(orderId))[0]?.refunded_fen).toBe(300)
  })

  describe('of which no message came', () => {
    test('is found in the bill of its day, with a refund to a bank card that was completed later', async () => {
      const [all, card, slow, part] = [await paidOrder(), await paidOrder(), await paidOrder(), await paidOrder()]
      for (const [refundNo, { id: outTradeNo }, status] of [
        ['card', card, 'SUCCESS'],
        ['slow', slow, 'PROCESSING'],
      ] as const)
        stand.refunds.set(refundNo, { refundNo, outTradeNo, amount: PRICE, status })
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
        (await refundsOf(orderId)).length,
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
      await cancel(orderId)
      await advance(10_000)
      const ours = [...stand.refunds.values()].find((refund) => refund.outTradeNo === id)
      await readBill([{ outTradeNo: id, refundNo: ours?.refundNo ?? '', fen: PRICE }])
      expect([await booked(orderId), await differences(orderId)]).toEqual([PAID_AND_BACK, []])
    })

    test('a bill with another hash than WeChat signed is not read', async () => {
      const { orderId, id } = await paidOrder()
      stand.fault = 'billChanged'
      await readBill([{ outTradeNo: id, refundNo: 'forged', fen: PRICE }])
      expect((await info(orderId)).status).toBe('PAID')
      expect(log.filter((line) => line.includes('the refunds of a provider could not be read'))).toHaveLength(1)
    })
  })
})
