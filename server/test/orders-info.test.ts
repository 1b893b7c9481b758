import { requestInfo } from '../domains/orders/appraising/appraiser-actions'
import { demoAppraiser } from '../domains/staff/demo-appraiser'
import { advance, manualRequest } from './orders'
import { DAY, HOUR, MINUTE, setupOrders } from './orders-fixture'

const { config, info, near, newUser, paidOrder, server, take } = setupOrders()
/** The order was handed on before the time limit it had then. */
const handedOn = (orderId: string) =>
  server.database.db.updateTable('orders').set({ reassigned_at: 1 }).where('id', '=', orderId).execute()
const mayBeHandedOn = async (orderId: string) => {
  const order = server.database.db.selectFrom('orders').select('reassigned_at').where('id', '=', orderId)
  return (await order.executeTakeFirstOrThrow()).reassigned_at === null
}

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
