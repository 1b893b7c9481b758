/** @group postgres */
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { ManualLevel } from '@/contract/labels'
import { serviceAdviceFor } from '@/contract/serviceAdvice'
import type { Order } from '@/contract/types'
import { refundByStaff, reopenReport } from '../domains/orders/admin-actions'
import { requestInfo } from '../domains/orders/appraiser-actions'
import { decideRefund } from '../domains/orders/request-refund'
import { applyProviderRefund } from '../domains/payments/apply-refund-result'
import { workingTimeBetween, workingTimeFrom } from '../domains/shared/working-hours'
import { demoAppraiser, demoAppraiserJob } from '../domains/staff/demo-appraiser'
import { SANDBOX_SECOND } from '../domains/staff/staff'
import { processDepsOf } from '../lifecycle'
import { insertGames } from './games'
import { setupServer } from './harness'
import { adult, advance, configOf, manualRequest, paid, report } from './orders'
import { jpeg } from './pictures'
import { uploadPicture } from './upload-picture'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** 2026-11-23 10:00 in China: appraisers work */
const START = Date.UTC(2026, 10, 23, 2)

let config: FormConfig
const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})
/** Each test begins at ten in the morning of a later day. */
beforeEach(() => {
  const now = server.clock.now()
  const morning = START + Math.ceil((now - START) / DAY + 1) * DAY
  server.clock.advance(morning - now)
})

const near = (at: number | undefined, ms: number) => Math.abs((at ?? 0) - server.clock.now() - ms) < MINUTE

let numbers = 0
const newUser = () => {
  numbers += 1
  const mobile = `1370000${String(numbers).padStart(4, '0')}`
  return adult(server, mobile).then((user) => ({ ...user, mobile }))
}

async function submitted(token: string, skip = 0) {
  const { body } = await server.call('evaluation', 'submitManual', manualRequest(config, skip), { token })
  expect(body.code).toBe('OK')
  return body.data
}
const info = async (token: string, orderId: string): Promise<Order> =>
  (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
const begin = (token: string, orderId: string, couponId = '') =>
  server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', couponId }, { token })
async function paidOrder(token: string, couponId = '') {
  const { orderId } = await submitted(token)
  expect((await begin(token, orderId, couponId)).body.code).toBe('OK')
  expect((await paid(server, orderId)).statusCode).toBe(200)
  return orderId
}
const cancel = (token: string, orderId: string, reason = '不想估了', remark?: string) =>
  server.call('evaluation', 'applyCancel', { orderId, reason, ...(remark !== undefined && { remark }) }, { token })
const receive = async (token: string, templateId: string) =>
  (await server.call('coupon', 'receive', { templateId }, { token })).body
const couponsBy = async (token: string, status: 'UNUSED' | 'LOCKED' | 'USED' | 'EXPIRED') =>
  (await server.call('coupon', 'getByStatus', { status }, { token })).body.data.list
const take = (orderId: string) =>
  server.database.db
    .transaction()
    .execute(async (tx) =>
      (await import('../domains/orders/appraiser-actions')).takeOrder(tx, orderId, demoAppraiser, server.clock.now()),
    )
/** The order was handed on before the time limit it had then. */
const handedOn = (orderId: string) =>
  server.database.db.updateTable('orders').set({ reassigned_at: 1 }).where('id', '=', orderId).execute()
const mayBeHandedOn = async (orderId: string) => {
  const order = server.database.db.selectFrom('orders').select('reassigned_at').where('id', '=', orderId)
  return (await order.executeTakeFirstOrThrow()).reassigned_at === null
}
const titles = async (userId: string) =>
  (await server.database.db.selectFrom('messages').select('title').where('user_id', '=', userId).execute()).map(
    (m) => m.title,
  )

test('an adult orders, pays, gets the report and rates it: each step shows its buttons, times and messages', async () => {
  const { token, userId } = await newUser()
  const { orderId, originFen } = await submitted(token)
  expect(originFen).toBe(1990)
  expect(await info(token, orderId)).toMatchObject({
    orderNo: expect.stringMatching(/^M\d{20}$/),
    status: 'UNPAID',
    statusText: '待支付',
    level: 'STD',
    payFen: 1990,
    actions: ['PAY', 'CANCEL'],
  })
  expect(near((await info(token, orderId)).payExpireAt, 15 * MINUTE)).toBe(true)
  await begin(token, orderId)
  await paid(server, orderId)
  expect(near((await info(token, orderId)).dueAt, 2 * HOUR)).toBe(true)
  expect(await info(token, orderId)).toMatchObject({
    status: 'PAID',
    payStatus: 'PAID',
    actions: ['URGE', 'CANCEL'],
  })
  const answer = await report(server, { orderId, priceFen: 120_000, comment: '皮肤稀有，按近期成交估价' })
  expect(answer.json()).toMatchObject({ version: 1 })
  const reported = await info(token, orderId)
  expect(reported).toMatchObject({ status: 'REPORTED', predictFen: 120_000 })
  expect(reported.actions).toEqual(['VIEW', 'EVALUATE', 'REVALUE', 'ASK', 'COMPARE', 'SELL'])
  const { body } = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(body.data).toMatchObject({
    mode: 'MANUAL',
    version: 1,
    status: 'UNLOCKED',
    price: { predictFen: 120_000 },
    appraiser: { name: '沙箱估价师', comment: '皮肤稀有，按近期成交估价' },
    other: { mode: 'AI', reason: expect.stringContaining('皮肤稀有') },
  })
  const said = { orderId, score: 5, accuracy: 'FAIR' as const, tags: ['准'], content: '很好' }
  expect((await server.call('evaluation', 'saveEvaluation', said, { token })).body.data).toMatchObject({ score: 5 })
  expect(await info(token, orderId)).toMatchObject({ status: 'DONE', evaluated: true })
  expect(await titles(userId)).toEqual(expect.arrayContaining(['支付成功', '已接单', '报告已出']))
})

test('manual orders need a verified adult; clients cannot send prices', async () => {
  const { token } = await server.login('13711110001')
  const request = manualRequest(config)
  expect((await server.call('evaluation', 'submitManual', request, { token })).body.code).toBe('REALNAME_REQUIRED')
  const { token: young, userId } = await newUser()
  await server.database.db
    .updateTable('real_names')
    .set({ adult_at: server.clock.now() + DAY })
    .where('user_id', '=', userId)
    .execute()
  expect((await server.call('evaluation', 'submitManual', request, { token: young })).body.code).toBe(
    'MINOR_NOT_ALLOWED',
  )
  const { token: grown } = await newUser()
  const priced = { ...request, originFen: 1 } as never
  expect((await server.call('evaluation', 'submitManual', priced, { token: grown })).status).toBe(400)
  const stolen = { ...request, images: ['u/somebody/20260101/00000000-0000-0000-0000-000000000000'] }
  expect((await server.call('evaluation', 'submitManual', stolen, { token: grown })).status).toBe(400)
  expect((await server.call('evaluation', 'orderList', { tab: 'ALL' }, { token: grown })).body.data.total).toBe(0)
})

test('twenty parallel submits are one order, twenty parallel cancels one refund', async () => {
  const { token } = await newUser()
  const many = await Promise.all(
    Array.from({ length: 20 }, () => server.call('evaluation', 'submitManual', manualRequest(config), { token })),
  )
  const ids = new Set(many.map((a) => a.body.data.orderId))
  expect(ids.size).toBe(1)
  const [orderId = ''] = ids
  await begin(token, orderId)
  await paid(server, orderId)
  const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(token, orderId)))
  expect(answers.filter((a) => a.body.success)).toHaveLength(1)
  expect(new Set(answers.filter((a) => !a.body.success).map((a) => a.body.code))).toEqual(
    new Set(['ORDER_STATUS_CHANGED']),
  )
  await advance(server, 0)
  expect(await info(token, orderId)).toMatchObject({ status: 'REFUNDED', payStatus: 'REFUNDED' })
  const { db } = server.database
  expect(await db.selectFrom('refunds').select('amount_fen').where('order_id', '=', orderId).execute()).toEqual([
    { amount_fen: 1990 },
  ])
})

test("another user's order and coupon do not exist", async () => {
  const [mine, other] = [await newUser(), await newUser()]
  const { orderId } = await submitted(mine.token)
  const { token } = other
  const answers = await Promise.all([
    server.call('pay', 'getInfo', { orderId }, { token }),
    server.call('pay', 'closeOrder', { orderId }, { token }),
    server.call('pay', 'createPre', { orderId }, { token }),
    server.call('coupon', 'getCanUse', { orderId }, { token }),
    cancel(token, orderId),
    server.call('evaluation', 'getEvaluation', { orderId }, { token }),
    server.call('evaluation', 'saveEvaluation', { orderId, score: 5, accuracy: 'FAIR' }, { token }),
    server.call('user', 'customerServiceByOrder', { orderId }, { token }),
    server.call('app', 'countHit', { key: 'ORDER_URGE', bizId: orderId }, { token }),
    server.call('evaluation', 'submitManual', { ...manualRequest(config), orderId }, { token }),
  ])
  expect(answers.map((a) => a.status)).toEqual(answers.map(() => 404))
  const coupon = (await receive(token, 'manual-3')).data.couponId
  expect((await begin(mine.token, orderId, coupon)).body.code).toBe('COUPON_NOT_USABLE')
  const pre = await server.call('pay', 'createPre', { orderId, couponId: coupon }, { token: mine.token })
  expect(pre.body.code).toBe('COUPON_NOT_USABLE')
})

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

/** The provider returns the payment at the payer's request. */
async function paidBack(orderId: string) {
  const payment = await server.database.db
    .selectFrom('payments')
    .select(['id', 'order_id', 'amount_fen'])
    .where('order_id', '=', orderId)
    .where('status', '=', 'PAID')
    .executeTakeFirstOrThrow()
  await applyProviderRefund(processDepsOf(server.lifecycle), payment, `back-${orderId}`, server.clock.now())
}

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
  const now = server.clock.now()
  await paidBack(orderId)
  expect((await info(token, orderId)).actions).toEqual(['VIEW', 'EVALUATE', 'ASK', 'COMPARE', 'SELL'])
  const reopened = db.transaction().execute((tx) => reopenReport(tx, { orderId, staffId: 'a', now, words: '区服看错' }))
  await expect(reopened).rejects.toMatchObject({ code: 'ORDER_STATUS_CHANGED' })
  const rating = { orderId, score: 1, accuracy: 'LOW' as const }
  expect((await server.call('evaluation', 'saveEvaluation', rating, { token })).body.code).toBe('OK')
  expect((await info(token, orderId)).status).toBe('DONE')
  const held = await db.selectFrom('user_coupons').select('template_id').where('user_id', '=', userId).execute()
  expect(held.map((one) => one.template_id)).toEqual(['newcomer'])
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
  expect((await told()).filter((one) => !one.includes('申请'))).toEqual(
    [cancelled, '订单已取消：X超时未出报告，未付款', '订单已取消：X超时未接单，未付款'].sort(),
  )
  expect((await told()).join()).not.toMatch(/退款|原路/)
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

test('a request for information stops the clock for as long as the owner takes, three times at most', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await take(orderId)
  const ask = () =>
    server.database.db
      .transaction()
      .execute((tx) =>
        requestInfo(tx, { orderId, staffId: demoAppraiser.staffId, wanted: '请补充截图', now: server.clock.now() }),
      )
  const supply = async () => {
    const more = { ...manualRequest(config), answers: {}, remark: '已补充', orderId }
    expect((await server.call('evaluation', 'submitManual', more, { token })).body.code).toBe('OK')
  }
  const isLeft = async (ms: number) => expect(near((await info(token, orderId)).dueAt, ms)).toBe(true)
  await isLeft(2 * HOUR)
  server.clock.advance(70 * MINUTE)
  await ask()
  server.clock.advance(3 * HOUR)
  await supply()
  await isLeft(50 * MINUTE)
  // at once: nothing is gained by asking
  await ask()
  await supply()
  await isLeft(50 * MINUTE)
  // there is time to read what was supplied
  server.clock.advance(45 * MINUTE)
  await ask()
  await supply()
  await isLeft(30 * MINUTE)
  await expect(ask()).rejects.toMatchObject({
    data: { fields: [{ path: 'wanted', msg: '已请用户补充 3 次，请按现有资料估价' }] },
  })
  expect((await info(token, orderId)).status).toBe('ASSIGNED')
  // late: its refund must not move
  const late = await paidOrder(token)
  await take(late)
  server.clock.advance(2 * HOUR + MINUTE)
  const asked = { orderId: late, staffId: demoAppraiser.staffId, wanted: '请补充截图', now: server.clock.now() }
  await expect(server.database.db.transaction().execute((tx) => requestInfo(tx, asked))).rejects.toMatchObject({
    data: { fields: [{ path: 'wanted', msg: '已过约定的交付时间，不能再请用户补充，请按现有资料估价' }] },
  })
})

test('an order that waits for information is continued with it or refunded after 48 hours', async () => {
  const { token } = await newUser()
  const ask = async (orderId: string) => {
    await take(orderId)
    await server.database.db
      .transaction()
      .execute((tx) =>
        requestInfo(tx, { orderId, staffId: demoAppraiser.staffId, wanted: '请补充仓库截图', now: server.clock.now() }),
      )
  }
  const supplied = await paidOrder(token)
  await ask(supplied)
  const waiting = await info(token, supplied)
  expect(waiting).toMatchObject({ status: 'WAIT_INFO', notice: '请补充仓库截图', actions: ['SUPPLY', 'CANCEL'] })
  expect(near(waiting.supplyUntil, 2 * DAY)).toBe(true)
  await handedOn(supplied)
  const more = { ...manualRequest(config), answers: {}, remark: '已补充', orderId: supplied }
  expect((await server.call('evaluation', 'submitManual', more, { token })).body.data.orderId).toBe(supplied)
  const going = await info(token, supplied)
  expect([going.status, going.supplyUntil]).toEqual(['ASSIGNED', undefined])
  expect(await mayBeHandedOn(supplied)).toBe(true)
  expect((await server.call('evaluation', 'submitManual', more, { token })).body.code).toBe('ORDER_STATUS_CHANGED')
  await ask2(supplied)
  await advance(server, 2 * DAY)
  expect((await info(token, supplied)).status).toBe('REFUNDED')

  async function ask2(orderId: string) {
    await server.database.db
      .transaction()
      .execute((tx) =>
        requestInfo(tx, { orderId, staffId: demoAppraiser.staffId, wanted: '还缺段位截图', now: server.clock.now() }),
      )
  }
})

test('one free revaluation: version 2 beside version 1; a rating of two stars allows it too', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await report(server, { orderId, priceFen: 100_000, comment: '首次估价说明' })
  const v1 = (await server.call('evaluation', 'reportImageShare', { orderId }, { token })).body.data
  const said = { orderId, score: 2, accuracy: 'LOW' as const }
  const reviewed = await Promise.all(
    Array.from({ length: 5 }, () => server.call('evaluation', 'saveEvaluation', said, { token })),
  )
  expect(new Set(reviewed.map((a) => JSON.stringify(a.body))).size).toBe(1)
  expect(reviewed[0]?.body.data).not.toHaveProperty('addition')
  expect(await info(token, orderId)).toMatchObject({ status: 'REVALUING', evaluated: true })
  expect((await report(server, { orderId, priceFen: 110_000, comment: '复估后上调' })).json()).toMatchObject({
    version: 2,
  })
  const { db } = server.database
  const versions = await db
    .selectFrom('reports')
    .select(['version', 'predict_fen'])
    .where('order_id', '=', orderId)
    .orderBy('version')
    .execute()
  expect(versions).toEqual([
    { version: 1, predict_fen: 100_000 },
    { version: 2, predict_fen: 110_000 },
  ])
  // the link of the first version shows the newest one, until its owner withdraws it
  const link = { reportNo: new URL(v1.url).searchParams.get('reportNo') ?? '', shareToken: v1.shareToken }
  const visited = await server.call('evaluation', 'reportGet', link)
  expect(visited.body.data).toMatchObject({ version: 2, price: { predictFen: 110_000 } })
  const mine = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  expect(mine.shareToken).toBe(v1.shareToken)
  await server.call('evaluation', 'reportImageShare', { orderId, withdraw: true }, { token })
  expect((await server.call('evaluation', 'reportGet', link)).body.code).toBe('SHARE_REVOKED')
  expect((await info(token, orderId)).actions).not.toContain('REVALUE')
  const again = { ...manualRequest(config), answers: {}, remark: '再看', reasons: ['OTHER' as const], orderId }
  expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('ORDER_STATUS_CHANGED')
  const added = { ...said, content: '复估后满意' }
  expect((await server.call('evaluation', 'saveEvaluation', added, { token })).body.data).toMatchObject({
    score: 2,
    content: '',
    addition: '复估后满意',
  })
  expect((await server.call('evaluation', 'saveEvaluation', added, { token })).body.code).toBe('ORDER_STATUS_CHANGED')
})

test('a rating that starts the revaluation without a price too low or too high says what is wrong', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await report(server, { orderId, priceFen: 100_000, comment: '首次估价说明' })
  const rate = (content: string) =>
    server.call('evaluation', 'saveEvaluation', { orderId, score: 1, accuracy: 'FAIR', content }, { token })
  const refused = await rate(' \u200b')
  expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', data: { fields: [{ path: 'content' }] } })
  expect(await info(token, orderId)).toMatchObject({ status: 'REPORTED', evaluated: false })
  expect((await rate('漏算了皮肤')).body.code).toBe('OK')
  expect(await info(token, orderId)).toMatchObject({ status: 'REVALUING', evaluated: true })
})

test('a rating is accepted for 30 days after the report, and not before it', async () => {
  let { token, mobile } = await newUser()
  const orderId = await paidOrder(token)
  const said = { orderId, score: 4, accuracy: 'FAIR' as const }
  const save = () => server.call('evaluation', 'saveEvaluation', said, { token })
  expect((await save()).body.code).toBe('ORDER_STATUS_CHANGED')
  await report(server, { orderId, priceFen: 100_000, comment: '估价说明' })
  expect((await server.call('evaluation', 'getEvaluation', { orderId }, { token })).body.data).toBeNull()
  const future = { ...said, soldFen: 1, soldAt: server.clock.now() + DAY }
  expect((await server.call('evaluation', 'saveEvaluation', future, { token })).status).toBe(400)
  await advance(server, 30 * DAY)
  token = (await server.login(mobile)).token
  expect((await info(token, orderId)).status).toBe('DONE')
  expect((await save()).body.code).toBe('ORDER_STATUS_CHANGED')
})

test('a rating sent twice is one rating, which can be added to later', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await report(server, { orderId, priceFen: 100_000, comment: '估价说明' })
  const said = { orderId, score: 5, accuracy: 'FAIR' as const, content: '很好，谢谢' }
  const save = async (content = said.content) =>
    (await server.call('evaluation', 'saveEvaluation', { ...said, content }, { token })).body.data
  const twice = await Promise.all([save(), save()])
  for (const review of twice) expect([review.content, review.addition]).toEqual(['很好，谢谢', undefined])
  expect(await save('卖出去了')).toMatchObject({ content: '很好，谢谢', addition: '卖出去了' })
})

test('two stars for a paid report that is too old to be revalued earn a coupon; once revalued they do not', async () => {
  const { db } = server.database
  const rate = async (revalued: boolean) => {
    const { mobile, token, userId } = await newUser()
    const orderId = await paidOrder(token)
    await report(server, { orderId, priceFen: 100_000, comment: '估价说明' })
    await db.updateTable('orders').set({ revalued }).where('id', '=', orderId).execute()
    await advance(server, 8 * DAY)
    const said = { orderId, score: 2, accuracy: 'HIGH' as const }
    await server.call('evaluation', 'saveEvaluation', said, { token: (await server.login(mobile)).token })
    expect((await info(token, orderId)).status).toBe('DONE')
    const held = await db.selectFrom('user_coupons').select('template_id').where('user_id', '=', userId).execute()
    return held.filter(({ template_id }) => template_id === 'recheck').length
  }
  expect([await rate(false), await rate(true)]).toEqual([1, 0])
})

test('an order can be urged once an hour', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  const urge = () => server.call('app', 'countHit', { key: 'ORDER_URGE', bizId: orderId }, { token })
  const answers = await Promise.all(Array.from({ length: 20 }, urge))
  expect(answers.filter((a) => a.body.success).map((a) => a.body.data)).toEqual([{ n: 1 }])
  expect((await info(token, orderId)).actions).toEqual(['CANCEL'])
  await advance(server, HOUR)
  expect((await urge()).body.data).toEqual({ n: 2 })
  expect((await server.call('app', 'countHit', { key: 'ORDER_URGE', bizId: orderId })).status).toBe(401)
})

test('a report by the desk needs a price, and a reason if it differs much from the model', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  expect((await report(server, { orderId, priceFen: 0 })).statusCode).toBe(400)
  const far = await report(server, { orderId, priceFen: 90_000_000 })
  expect([far.statusCode, far.json().data.fields[0].path]).toEqual([400, 'comment'])
  expect((await report(server, { orderId: 'nothing', priceFen: 1 })).statusCode).toBe(404)
  const many = await Promise.all(
    Array.from({ length: 10 }, () => report(server, { orderId, priceFen: 100_000, comment: '估价说明' })),
  )
  expect(many.filter((a) => a.json().success !== false)).toHaveLength(1)
})

test('an order given to another appraiser while the report is being delivered is not reported', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  await take(orderId)
  const appraiser_id = SANDBOX_SECOND
  // the model's valuation, between the check and the transaction
  const between = jest.spyOn(deps.models, 'active').mockImplementationOnce(async (config) => {
    await deps.db.updateTable('orders').set({ appraiser_id }).where('id', '=', orderId).execute()
    return deps.models.active(config)
  })
  const delivered = await report(server, { orderId, priceFen: 100_000, comment: '按近期成交估价' })
  expect([delivered.json().code, between.mock.calls.length > 0]).toEqual(['ORDER_STATUS_CHANGED', true])
  expect(await info(token, orderId)).toMatchObject({ status: 'ASSIGNED' })
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

test('the service can be changed until a payment has begun', async () => {
  const { token } = await newUser()
  const { orderId } = await submitted(token)
  const pro = { ...manualRequest(config), level: 'PRO' as const, orderId }
  expect((await server.call('evaluation', 'submitManual', pro, { token })).body.data).toEqual({
    orderId,
    originFen: 4990,
  })
  expect(await info(token, orderId)).toMatchObject({ level: 'PRO', payFen: 4990 })
  // the first request again is about the service it names
  const again = (await submitted(token)).orderId
  expect(await info(token, again)).toMatchObject({ level: 'STD', payFen: 1990 })
  await begin(token, orderId)
  expect((await server.call('evaluation', 'submitManual', { ...pro, level: 'STD' }, { token })).body.code).toBe(
    'ORDER_STATUS_CHANGED',
  )
})

test('the checkout’s advice uses the AI estimate of the same account, not of another', async () => {
  const { token } = await newUser()
  const quoted = async (orderId: string) =>
    (await server.call('pay', 'createPre', { orderId }, { token })).body.data.aiFen
  const { orderId } = await submitted(token)
  expect(await quoted(orderId)).toBeUndefined()
  const valued = async (skip: number) => {
    const { level: _, ...account } = manualRequest(config, skip)
    const { data } = (await server.call('evaluation', 'submitAi', { ...account, source: 'TYPED' }, { token })).body
    return (await server.call('evaluation', 'reportGet', { orderId: data.orderId }, { token })).body.data.price
      .predictFen
  }
  const [own, other] = [await valued(0), await valued(1)]
  expect(own).not.toBe(other)
  expect(await quoted(orderId)).toBe(own)
})

test('the checkout advises by the model’s value of an account without an AI estimate, and names no price', async () => {
  const { token } = await newUser()
  const quoted = async (orderId: string) => (await server.call('pay', 'createPre', { orderId }, { token })).body.data
  const { orderId } = await submitted(token)
  const { aiFen, advice, ...quote } = await quoted(orderId)
  expect(aiFen).toBeUndefined()
  const { level: _, ...account } = manualRequest(config)
  const { data } = (await server.call('evaluation', 'submitAi', { ...account, source: 'TYPED' }, { token })).body
  const own = (await server.call('evaluation', 'reportGet', { orderId: data.orderId }, { token })).body.data.price
  expect(advice).toBe(serviceAdviceFor(own.predictFen))
  expect(JSON.stringify(quote)).not.toContain(String(own.predictFen))
  expect(await quoted(orderId)).toMatchObject({ aiFen: own.predictFen, advice })
  expect([9_999, 10_000, 29_999, 30_000, 499_999, 500_000].map(serviceAdviceFor)).toEqual([
    ...['NONE', 'STD', 'STD', 'BY_NEED', 'BY_NEED', 'PRO'],
  ])
})

test('a delivered manual report opens the locked AI reports of its account, and those of no other', async () => {
  const { token } = await newUser()
  const valued = async (skip: number) => {
    const { level: _, ...account } = manualRequest(config, skip)
    return (await server.call('evaluation', 'submitAi', { ...account, source: 'TYPED' }, { token })).body.data.orderId
  }
  const ids = [await valued(0), await valued(1)]
  const statuses = () =>
    Promise.all(
      ids.map(
        async (orderId) => (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data.status,
      ),
    )
  expect(await statuses()).toEqual(['LOCKED', 'LOCKED'])
  await report(server, { orderId: await paidOrder(token), priceFen: 120_000, comment: '皮肤稀有，按近期成交估价' })
  expect(await statuses()).toEqual(['UNLOCKED', 'LOCKED'])
})

test('time limits of appraisers only run from nine to midnight', () => {
  const at = (hour: number) => START + (hour - 10) * HOUR
  expect(workingTimeFrom(at(10), 2 * HOUR)).toBe(at(12))
  expect(workingTimeFrom(at(22), 2 * HOUR)).toBe(at(24))
  expect(workingTimeFrom(at(23.5), 2 * HOUR)).toBe(at(24 + 10.5))
  expect(workingTimeFrom(at(3), 2 * HOUR)).toBe(at(11))
  expect(workingTimeBetween(at(10), at(12))).toBe(2 * HOUR)
  expect(workingTimeBetween(at(23), at(24 + 10))).toBe(2 * HOUR)
  expect(workingTimeBetween(at(3), at(8))).toBe(0)
  expect(workingTimeBetween(at(10), at(2 * 24 + 9.5))).toBe((14 + 15 + 0.5) * HOUR)
  expect(workingTimeBetween(at(12), at(10))).toBe(0)
})

test.each([
  ['in the morning', 0, 2],
  ['at night', 17, 25],
  ['before midnight', 13.5, 24.5],
])('the checkout %s names the time until which the paid order is delivered', async (_, afterTen, dueAfterTen) => {
  const { token } = await newUser()
  const morning = server.clock.now()
  server.clock.advance(afterTen * HOUR)
  const { orderId } = await submitted(token)
  const quote = (await server.call('pay', 'createPre', { orderId }, { token })).body.data
  expect(Math.abs((quote.dueAt ?? 0) - morning - dueAfterTen * HOUR)).toBeLessThan(MINUTE)
  await begin(token, orderId)
  await paid(server, orderId)
  expect(Math.abs(((await info(token, orderId)).dueAt ?? 0) - (quote.dueAt ?? 0))).toBeLessThan(MINUTE)
})

test('pictures can be added to an unpaid order, its service and coupon stay, and others’ pictures are refused', async () => {
  const { token, userId } = await newUser()
  const { couponId } = (await receive(token, 'manual-3')).data
  const { orderId } = await submitted(token)
  await begin(token, orderId, couponId)
  const quoted = async () => (await server.call('pay', 'createPre', { orderId, couponId }, { token })).body.data
  const before = await quoted()
  expect(before.pictures).toBe(0)
  const base = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const key = await uploadPicture(server, base, token)
  const add = (images: string[], level: ManualLevel = 'STD') => {
    const request = { ...manualRequest(config), answers: {}, orderId, images, level }
    return server.call('evaluation', 'submitManual', request, { token })
  }
  expect((await add([key.replace(userId, 'somebody')])).status).toBe(400)
  expect((await add([key])).body.data).toEqual({ orderId, originFen: 1990 })
  // sent again it is there once; a page opened before the service was changed names another
  expect((await add([key], 'PRO')).body.data).toEqual({ orderId, originFen: 1990 })
  expect(await quoted()).toMatchObject({ pictures: 1, payFen: before.payFen, couponId })
  expect(await info(token, orderId)).toMatchObject({ level: 'STD', couponId })

  // sent by an account that was merged into this one
  const { db } = server.database
  const former = `former-${userId}`
  await db.insertInto('former_ids').values({ former_id: former, user_id: userId }).execute()
  const store = (images: string[]) =>
    db
      .updateTable('orders')
      .set({ images: JSON.stringify(images) })
      .where('id', '=', orderId)
      .execute()
  await store([key.replace(userId, former)])
  expect((await quoted()).pictures).toBe(1)

  await store(Array.from({ length: 27 }, (_, i) => key.slice(0, -12) + String(100_000_000_000 + i)))
  const full = await add([key])
  expect(full).toMatchObject({ status: 400, body: { data: { fields: [{ path: 'images' }] } } })
  expect((await quoted()).pictures).toBe(27)
})

test('a review has pictures of its author only, and is read back with them', async () => {
  const [one, other] = [await newUser(), await newUser()]
  const orderId = await paidOrder(one.token)
  await report(server, { orderId, priceFen: 120_000, comment: '皮肤稀有，按近期成交估价' })
  const { storage } = server.lifecycle.deps ?? {}
  if (!storage) throw new Error('not ready')
  const put = (userId: string) => storage.put(userId, jpeg, server.clock.now())
  const [key, foreign] = [await put(one.userId), await put(other.userId)]
  const review = (images: string[]) =>
    server.call('evaluation', 'saveEvaluation', { orderId, score: 5, accuracy: 'FAIR', images }, { token: one.token })
  const read = async () =>
    (await server.call('evaluation', 'getEvaluation', { orderId }, { token: one.token })).body.data
  for (const images of [[foreign], [`${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`], Array(4).fill(key)])
    expect((await review(images)).status).toBe(400)
  expect(await read()).toBeNull()
  // sent twice it is there once
  expect((await review([key, key])).body.data).toMatchObject({ images: [key] })
  expect(await read()).toMatchObject({ images: [key] })
  expect(await info(one.token, orderId)).toMatchObject({ status: 'DONE' })
})

test('the sandbox delivers an order by itself after real time, marked as not done by a person', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  let real = 0
  const { run } = demoAppraiserJob(() => real)
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  const runJobs = () => run(deps, server.clock.now())
  for (const status of ['PAID', 'ASSIGNED']) {
    await runJobs()
    expect((await info(token, orderId)).status).toBe(status)
    real += 60_000
    await runJobs()
  }
  expect((await info(token, orderId)).status).toBe('REPORTED')
  const { body } = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(body.data.appraiser).toMatchObject({ name: '沙箱估价师', comment: expect.stringContaining('不是真人') })
})

test('consultant and appraiser of an order are shown with their hours', async () => {
  const { token } = await newUser()
  const { orderId } = await submitted(token)
  const staff = await server.call('evaluation', 'consultStaff', {}, { token })
  expect(staff.body.data).toMatchObject({
    nick: expect.stringContaining('沙箱'),
    serviceHours: '09:00–24:00',
    online: true,
  })
  const serving = await server.call('user', 'customerServiceByOrder', { orderId }, { token })
  expect(serving.body.data).toEqual(staff.body.data)
})

test('payment depends on the platform: off on iOS unless configured', async () => {
  const status = async (platform: string) =>
    (await server.call('app', 'openPayStatus', { platform, version: '2.0.4' })).body.data
  expect([(await status('h5')).pay, (await status('weapp')).pay, (await status('ios')).pay]).toEqual([
    'NORMAL',
    'NORMAL',
    'OFF',
  ])
  expect(await status('ios')).toMatchObject({ manual: false })
})

test('prices and free valuations on screens are the operator’s settings; if nothing is for sale there is no price', async () => {
  const status = async (platform: string) =>
    (await server.call('app', 'openPayStatus', { platform, version: '2.0.4' })).body.data
  const { aiFreePerDay, manualFen } = server.settings
  expect(await status('h5')).toMatchObject({ freePerDay: aiFreePerDay, manualFromFen: manualFen.STD })
  expect(await status('ios')).not.toHaveProperty('manualFromFen')
  expect((await status('h5')).images).toEqual({ share: '/share.png', ios: '/share.png' })
})

test('the quote says what the model offers: a report with lines and comparables, or that there is no price', async () => {
  const { token } = await newUser()
  const quoted = async (orderId: string) => (await server.call('pay', 'createPre', { orderId }, { token })).body.data
  const offer = async (orderId: string) => (await quoted(orderId)).offer
  const { level: _, ...account } = manualRequest(config)
  const ai = (await server.call('evaluation', 'submitAi', { ...account, source: 'TYPED' }, { token })).body.data
  const { counts } = (await server.call('evaluation', 'reportGet', { orderId: ai.orderId }, { token })).body.data
  expect(counts?.comparables).toBeGreaterThan(0)
  expect(await offer((await submitted(token)).orderId)).toEqual({
    ...{ ai: true, lines: counts?.breakdown, comparables: counts?.comparables },
  })
  // asked again with another coupon it is not valued again
  const { deps } = server.lifecycle
  const models = deps?.models
  const active = await models?.active(config)
  if (!deps || !models || !active) throw new Error('no model')
  let valued = 0
  const counted = {
    ...active,
    get model() {
      valued += 1
      return active.model
    },
  }
  deps.models = { ...models, active: async () => counted }
  const { orderId } = await submitted(token, 1)
  for (let i = 0; i < 3; i += 1) expect(await offer(orderId)).toMatchObject({ ai: true })
  deps.models = models
  expect(valued).toBe(1)
  await insertGames(server.database.db)
  const unsold = await configOf(server, 'val')
  const { body } = await server.call('evaluation', 'submitManual', manualRequest(unsold), { token })
  const unpriced = await quoted(body.data.orderId)
  expect(unpriced.offer).toEqual({ ai: false, lines: 0, comparables: 0 })
  expect(unpriced).not.toHaveProperty('advice')
})
