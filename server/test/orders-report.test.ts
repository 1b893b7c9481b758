import { workingTimeBetween, workingTimeFrom } from '../domains/shared/working-hours'
import { SANDBOX_SECOND } from '../domains/staff/staff'
import { advance, manualRequest, paid, report } from './orders'
import { HOUR, MINUTE, START, setupOrders } from './orders-fixture'

const { begin, config, info, newUser, paidOrder, server, submitted, take } = setupOrders()

test('an order can be urged once an hour', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  const urge = () => server.call('app', 'countHit', { key: 'ORDER_URGE', bizId: orderId }, { token })
  const answers = await Promise.all(Array.from({ length: 20 }, urge))
  expect(answers.filter((a) => a.body.success).map((a) => a.body.data)).toEqual([{ n: 1 }])
  expect((await info(token, orderId)).actions).toEqual(['CANCEL'])
  await advance(server, HOUR)
  expect((await urge()).body.data).toEqual({ n: 2 })
  // urged while the clock was ahead
  const ahead = { urged_at: server.clock.now() + 24 * HOUR }
  await server.database.db.updateTable('orders').set(ahead).where('id', '=', orderId).execute()
  expect((await info(token, orderId)).actions).toContain('URGE')
  expect((await urge()).body.data).toEqual({ n: 3 })
  expect((await server.call('app', 'countHit', { key: 'ORDER_URGE', bizId: orderId })).status).toBe(401)
})

test('a report by the desk needs a price', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  expect((await report(server, { orderId, priceFen: 0 })).statusCode).toBe(400)
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
  const between = jest.spyOn(deps.repositories.models, 'active').mockImplementationOnce(async (config) => {
    await deps.db.updateTable('orders').set({ appraiser_id }).where('id', '=', orderId).execute()
    return deps.repositories.models.active(config)
  })
  const delivered = await report(server, { orderId, priceFen: 100_000, comment: '按近期成交估价' })
  expect([delivered.json().code, between.mock.calls.length > 0]).toEqual(['ORDER_STATUS_CHANGED', true])
  expect(await info(token, orderId)).toMatchObject({ status: 'ASSIGNED' })
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
