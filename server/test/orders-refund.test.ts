import { sql } from 'kysely'
import { depsOf } from '../core/lifecycle'
import { refundByStaff } from '../domains/orders/appraising/admin-actions'
import { applyProviderRefund } from '../domains/payments/apply-refund-result'
import { advance, report } from './orders'
import { DAY, HOUR, MINUTE, setupOrders } from './orders-fixture'

const { cancel, couponsBy, info, newUser, paidOrder, receive, server } = setupOrders()
/** The provider returns the payment at the payer's request. */
async function paidBack(orderId: string) {
  const payment = await server.database.db
    .selectFrom('payments')
    .select(['id', 'order_id', 'amount_fen'])
    .where('order_id', '=', orderId)
    .where('status', '=', 'PAID')
    .executeTakeFirstOrThrow()
  await applyProviderRefund(depsOf(server.lifecycle), payment, `back-${orderId}`, server.clock.now())
}

test('a cancelled order whose payment the provider had already returned is refunded at once', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await server.database.db
    .insertInto('refunds')
    .columns(['id', 'payment_id', 'order_id', 'amount_fen', 'reason', 'surplus', 'status', 'asked_at', 'done_at'])
    .expression((e) =>
      e
        .selectFrom('payments')
        .where('order_id', '=', orderId)
        .where('status', '=', 'PAID')
        .select(['id', 'id as payment_id', 'order_id', 'amount_fen'])
        .select(
          sql`'支付平台退款', false, 'DONE', ${server.clock.now()}::bigint, ${server.clock.now()}::bigint`.as('rest'),
        ),
    )
    .execute()
  await cancel(token, orderId)
  expect((await info(token, orderId)).status).toBe('REFUNDED')
})

test('an expired coupon comes back after a refund that we caused, not after one the payer asked the provider for', async () => {
  const { db } = server.database
  const couponAfter = async (refund: (orderId: string) => Promise<unknown>) => {
    const { token } = await newUser()
    const { couponId } = (await receive(token, 'manual-3')).data
    const orderId = await paidOrder(token, couponId)
    await db.updateTable('user_coupons').set({ end_at: 1 }).where('coupon_id', '=', couponId).execute()
    await refund(orderId)
    return db.selectFrom('user_coupons').select('status').where('coupon_id', '=', couponId).executeTakeFirstOrThrow()
  }
  const now = server.clock.now()
  const byStaff = (orderId: string) =>
    db.transaction().execute((tx) => refundByStaff(tx, { orderId, staffId: 'a', now, words: '账号无法核实' }))
  expect(await couponAfter(paidBack)).toEqual({ status: 'EXPIRED' })
  expect(
    await couponAfter(async (orderId) => {
      await byStaff(orderId)
      await server.lifecycle.jobRunner?.runAll()
    }),
  ).toEqual({ status: 'UNUSED' })
})

test('a delivered order that the provider pays back keeps its report, but not the rights of a paid one', async () => {
  const { token, userId } = await newUser()
  const orderId = await paidOrder(token)
  await report(server, { orderId, priceFen: 100_000, comment: '估价说明' })
  const { db } = server.database
  await paidBack(orderId)
  expect((await info(token, orderId)).actions).toEqual(['VIEW', 'EVALUATE', 'ASK', 'COMPARE', 'SELL'])
  const rating = { orderId, score: 1, accuracy: 'LOW' as const }
  expect((await server.call('evaluation', 'saveEvaluation', rating, { token })).body.code).toBe('OK')
  expect((await info(token, orderId)).status).toBe('DONE')
  const held = await db.selectFrom('user_coupons').select('template_id').where('user_id', '=', userId).execute()
  expect(held.map((coupon) => coupon.template_id)).toEqual(['newcomer'])
})

test('a late order gets a coupon, and a full refund 24 hours later', async () => {
  // the amount is a setting of the operator
  const sumIs = (amount_fen: number) =>
    server.database.db.updateTable('coupon_templates').set({ amount_fen }).where('template_id', '=', 'late').execute()
  await sumIs(700)
  const { token } = await newUser()
  const orderId = await paidOrder(token, (await receive(token, 'manual-3')).data.couponId)
  const { payFen, originFen, dueAt = 0, ...paidOrderInfo } = await info(token, orderId)
  expect(payFen).toBeLessThan(originFen)
  expect(paidOrderInfo).not.toHaveProperty('late')
  server.clock.advance(2 * HOUR)
  expect((await info(token, orderId)).late).toEqual({ refundAt: dueAt + DAY, coupon: false })
  await advance(server, 0)
  expect((await info(token, orderId)).late).toEqual({ refundAt: dueAt + DAY, coupon: true })
  const isLate = (c: { name: string }) => c.name === '超时补偿券'
  expect((await couponsBy(token, 'UNUSED')).filter(isLate)).toMatchObject([{ amountFen: 700 }])
  const { list } = (await server.call('user', 'messages', {}, { token })).body.data
  expect(list.find(({ title }) => title === '超时补偿券已到账')?.summary).toContain('一张 ¥7 优惠券')
  await sumIs(500)
  await advance(server, DAY - MINUTE)
  expect((await info(token, orderId)).status).toBe('PAID')
  server.clock.advance(MINUTE)
  const over = await info(token, orderId)
  expect(over.status).toBe('REFUNDING')
  expect(over).not.toHaveProperty('late')
  await advance(server, 0)
  expect(await info(token, orderId)).toMatchObject({ status: 'REFUNDED', cancelReason: '超时未接单' })
  expect((await couponsBy(token, 'UNUSED')).filter(isLate)).toHaveLength(1)
  const ledger = await server.database.db
    .selectFrom('ledger')
    .select(['kind', 'amount_fen'])
    .where('order_id', '=', orderId)
    .orderBy('id')
    .execute()
  expect(ledger).toEqual([
    { kind: 'PAY', amount_fen: payFen },
    { kind: 'REFUND', amount_fen: -payFen },
  ])
})
