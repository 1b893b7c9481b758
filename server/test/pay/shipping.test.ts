import { reportShipping } from '../../domains/payments/shipping'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from '../harness'
import { startWechatApi } from '../wechat-api'
import { adultId } from './requests'

/** Reporting to WeChat that goods paid for in the mini-program are delivered. */

const SHIP = '/wxa/sec/order/upload_shipping_info'
let testDatabase: TestDatabase
let server: TestServer
let api: Awaited<ReturnType<typeof startWechatApi>>
let paid = 0

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  api = await startWechatApi()
  api.answers[SHIP] = () => ({ errcode: 0, errmsg: 'ok' })
  server = await startServer({ testDatabase, games: ['naraka'], env: { ...api.env, AI_FREE_PER_DAY: '50' } })
})
afterAll(async () => {
  await server?.close()
  await api?.close()
  testDatabase?.remove()
})
beforeEach(() => {
  api.seen.length = 0
})

const told = () => api.seen.filter(({ path }) => path === SHIP)
const run = () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  return reportShipping.run(deps, server.clock.now())
}
const stateOf = (txn: string) =>
  server.database.db.selectFrom('payments').select(['shipped_at', 'ship_at']).where('txn', '=', txn).executeTakeFirst()

/** An unlocked report, paid in the mini-program according to our ledger. @returns the provider's number */
async function bought(): Promise<string> {
  const n = ++paid
  const me = await server.login(`1380013820${n}`)
  await server.call('user', 'realNameAuth', { name: '张三', idNo: adultId(n), consent: true }, me)
  const config = (await server.lifecycle.deps?.repositories.games.find('naraka'))?.config
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config, n), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, me)).body.data
  await server.call('pay', 'createAiPre', { orderId, couponId: '' }, me)
  const answer = await server.call('pay', 'payment', { orderId, payType: 'WX_H5', consent: true, couponId: '' }, me)
  if (!answer.body.success) throw new Error(answer.body.msg)
  await server.app.inject({ method: 'POST', url: '/sandbox/pay', payload: { orderId, result: 'SUCCESS' } })
  const txn = `42000${n}`
  await server.database.db
    .updateTable('payments')
    .set({ provider: 'wechat', pay_type: 'WX_MINI', openid: 'o-mini-ann', txn })
    .where('order_id', '=', orderId)
    .where('status', '=', 'PAID')
    .execute()
  return txn
}

test('a payment of the mini-program is reported once, as virtual goods to its payer, also by two processes', async () => {
  const txn = await bought()
  await Promise.all([run(), run(), run()])
  await run()
  expect(told()).toHaveLength(1)
  expect(told()[0]?.body).toMatchObject({
    order_key: { order_number_type: 2, transaction_id: txn },
    logistics_type: 3,
    delivery_mode: 1,
    payer: { openid: 'o-mini-ann' },
    shipping_list: [{ item_desc: expect.stringContaining('永劫无间') }],
    upload_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+08:00$/),
  })
  expect((await stateOf(txn))?.shipped_at).not.toBeNull()
})

test('if WeChat is unavailable or does not know the payment yet, it is reported later; one it has already recorded is finished', async () => {
  const txn = await bought()
  api.next.set(SHIP, { status: 502 })
  await run()
  await run()
  expect(told()).toHaveLength(1)
  server.clock.advance(2 * 60_000)
  api.next.set(SHIP, { body: { errcode: 10060001, errmsg: 'no such order' } })
  await run()
  expect((await stateOf(txn))?.shipped_at).toBeNull()
  server.clock.advance(10 * 60_000)
  api.next.set(SHIP, { body: { errcode: 10060002, errmsg: 'shipped already' } })
  await run()
  expect((await stateOf(txn))?.shipped_at).not.toBeNull()
  await run()
  expect(told()).toHaveLength(3)
})

test('other payments are not reported', async () => {
  const txn = await bought()
  await server.database.db.updateTable('payments').set({ provider: 'virtual' }).where('txn', '=', txn).execute()
  await run()
  expect(told()).toEqual([])
})
