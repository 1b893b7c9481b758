import { decideRefund } from '../domains/orders/refunding/request-refund'
import { advance, manualRequest, paid } from './orders'
import { DAY, HOUR, MINUTE, setupOrders } from './orders-fixture'

const { begin, cancel, config, couponsBy, info, newUser, paidOrder, receive, server, submitted, take } = setupOrders()
/** The order was handed on before the time limit it had then. */
const handedOn = (orderId: string) =>
  server.database.db.updateTable('orders').set({ reassigned_at: 1 }).where('id', '=', orderId).execute()
const mayBeHandedOn = async (orderId: string) => {
  const order = server.database.db.selectFrom('orders').select('reassigned_at').where('id', '=', orderId)
  return (await order.executeTakeFirstOrThrow()).reassigned_at === null
}

test('an unpaid order is closed after 15 minutes, effective on read, and its coupon is released', async () => {
  const { token } = await newUser()
  const { couponId } = (await receive(token, 'manual-3')).data
  const { orderId } = await submitted(token)
  await begin(token, orderId, couponId)
  expect(await couponsBy(token, 'LOCKED')).toMatchObject([{ couponId, orderId }])
  const counts = (await server.call('pay', 'orderCount', {}, { token })).body.data
  expect(counts).toEqual({ unpaid: 1, ing: 0, done: 0, refund: 0 })
  server.clock.advance(15 * MINUTE)
  expect(await info(token, orderId)).toMatchObject({ status: 'CLOSED', actions: ['REVALUE', 'DELETE'] })
  const list = async (tab: 'ALL' | 'ING' | 'REFUND') =>
    (await server.call('evaluation', 'orderList', { tab }, { token })).body.data.total
  expect([await list('ING'), await list('REFUND'), await list('ALL')]).toEqual([0, 1, 1])
  expect((await begin(token, orderId)).body.code).toBe('PAY_CLOSED')
  expect((await cancel(token, orderId)).body.code).toBe('ORDER_STATUS_CHANGED')
  await advance(server, MINUTE)
  expect((await couponsBy(token, 'UNUSED')).map((c) => c.couponId)).toContain(couponId)
  await server.call('pay', 'closeOrder', { orderId }, { token })
  expect(await list('ALL')).toBe(0)
})

test('cancelling an assigned order asks for review: unanswered it is granted after 24 hours, refused it returns with the reason', async () => {
  const { token } = await newUser()
  const [granted, refused] = [await paidOrder(token), await submitted(token, 1).then((o) => o.orderId)]
  await begin(token, refused)
  await paid(server, refused)
  for (const id of [granted, refused]) {
    await take(id)
    expect((await cancel(token, id, '等太久')).body.data).toEqual({ status: 'REFUNDING', refundFen: 1990 })
  }
  await handedOn(refused)
  await server.database.db.transaction().execute((tx) =>
    decideRefund(tx, {
      orderId: refused,
      grant: false,
      answer: '报告已在制作',
      now: server.clock.now(),
      actor: 'staff:a',
    }),
  )
  expect(await info(token, refused)).toMatchObject({
    status: 'ASSIGNED',
    notice: expect.stringContaining('报告已在制作'),
  })
  expect(await mayBeHandedOn(refused)).toBe(true)
  expect((await info(token, refused)).actions).not.toContain('CANCEL')
  await advance(server, DAY - MINUTE)
  expect((await info(token, granted)).status).toBe('REFUNDING')
  await advance(server, MINUTE)
  expect((await info(token, granted)).status).toBe('REFUNDED')
})

test('an order that cost nothing is cancelled, and no message speaks of a refund', async () => {
  const { token, userId } = await newUser()
  const told = async () => {
    const rows = await server.database.db
      .selectFrom('messages')
      .select(['title', 'summary'])
      .where('user_id', '=', userId)
      .where('biz_type', '=', 'REFUND')
      .orderBy('id')
      .execute()
    return rows.map(({ title, summary }) => `${title}：${summary.replace(/“.+?”/, 'X')}`).sort()
  }
  const freeOrder = async () => {
    const { orderId } = await submitted(token)
    await server.database.db
      .updateTable('orders')
      .set({ origin_fen: 0, pay_fen: 0 })
      .where('id', '=', orderId)
      .execute()
    expect((await begin(token, orderId)).body.code).toBe('OK')
    return orderId
  }
  const cancelled = '订单已取消：X未付款'
  // at once if nobody has taken it
  expect((await cancel(token, await freeOrder())).body.data).toEqual({ status: 'REFUNDED', refundFen: 0 })
  expect(await told()).toEqual([cancelled])
  // after a review if an appraiser has begun; here it is refused
  const taken = await freeOrder()
  await take(taken)
  await cancel(token, taken)
  const requested = '取消申请已提交：X的取消申请将在 24 小时内处理，逾期自动取消'
  expect(await told()).toEqual([requested, cancelled].sort())
  await server.database.db.transaction().execute((tx) =>
    decideRefund(tx, {
      orderId: taken,
      now: server.clock.now(),
      actor: 'staff:s1',
      ...{ grant: false, answer: '估价师已完成大部分工作' },
    }),
  )
  expect((await info(token, taken)).notice).toBe('取消申请未通过：估价师已完成大部分工作')
  expect(await told()).toContain('取消申请未通过：X：估价师已完成大部分工作')
  // too late
  const late = await freeOrder()
  await advance(server, 2 * HOUR)
  await advance(server, DAY)
  expect((await info(token, late)).status).toBe('REFUNDED')
  // once, with its reason; the order that an appraiser began is late too
  expect((await told()).filter((message) => !message.includes('申请'))).toEqual(
    [cancelled, '订单已取消：X超时未出报告，未付款', '订单已取消：X超时未接单，未付款'].sort(),
  )
  expect((await told()).join()).not.toMatch(/退款|原路/)
})

test('cancellation reasons come from the list; "其他" needs a text', async () => {
  const { token } = await newUser()
  const { orderId } = await submitted(token)
  expect((await cancel(token, orderId, '随便')).status).toBe(400)
  expect((await cancel(token, orderId, '其他')).status).toBe(400)
  expect((await cancel(token, orderId, '其他', '想换一个账号')).body.data).toEqual({ status: 'CANCELED', refundFen: 0 })
  const over = await info(token, orderId)
  expect(over).toMatchObject({ cancelReason: '其他：想换一个账号', actions: ['REVALUE', 'DELETE'] })
  // typed answers are offered again: with the order, and in a new form of the game
  const { gameId, schemaVersion, answers } = manualRequest(config)
  expect(over.inputs?.schemaVersion).toBe(schemaVersion)
  expect(Object.keys(over.inputs?.answers ?? {}).sort()).toEqual(Object.keys(answers).sort())
  const form = await server.call('evaluation', 'gameConfig', { gameId, mode: 'MANUAL' }, { token })
  expect(form.body.data.last?.answers).toEqual(over.inputs?.answers)
})
