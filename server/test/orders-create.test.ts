import type { ManualLevel } from '@/contract/labels'
import { demoAppraiserJob } from '../domains/staff/demo-appraiser'
import { advance, manualRequest, paid, report } from './orders'
import { DAY, HOUR, MINUTE, setupOrders } from './orders-fixture'
import { uploadPicture } from './upload-picture'

const { begin, cancel, config, info, near, newUser, paidOrder, receive, server, submitted, titles } = setupOrders()

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
    ai: { price: { predictFen: expect.any(Number) } },
  })
  const said = { orderId, score: 5, accuracy: 'FAIR' as const, content: '很好' }
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
  const images = JSON.stringify([key.replace(userId, former)])
  await db.updateTable('orders').set({ images }).where('id', '=', orderId).execute()
  expect((await quoted()).pictures).toBe(1)
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
