import type { FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { createTestDatabase, setupServer, startServer } from '../harness'
import { adultId, manualOrderRequest } from './requests'

let config: FormConfig
let token: string

const server = setupServer({ games: ['val'] })
beforeAll(async () => {
  config = (await server.call('evaluation', 'gameConfig', { gameId: 'val', mode: 'AI' })).body.data
  token = (await server.login('13800138000')).token
  await server.call('user', 'realNameAuth', { name: '张三', idNo: adultId(1), consent: true }, { token })
})

const order = async () => {
  const { body } = await server.call('evaluation', 'submitManual', manualOrderRequest(config), { token })
  return body.data.orderId
}
const begin = async (orderId: string, change: Partial<Req<'pay', 'payment'>> = {}) =>
  (await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, ...change }, { token })).body
const result = async (orderId: string) =>
  (await server.call('pay', 'payResult', { orderId }, { token })).body.data.status
const press = (payload: object) => server.app.inject({ method: 'POST', url: '/sandbox/pay', payload })
const couponsOf = async (status: 'UNUSED' | 'LOCKED' | 'USED') =>
  (await server.call('coupon', 'getByStatus', { status }, { token })).body.data.list.map((c) => c.couponId)

test('the cashier is labelled as a sandbox, accepts a choice and leads back', async () => {
  const orderId = await order()
  const { data } = await begin(orderId, { returnUrl: 'http://localhost:10086/back?a=1&b="' })
  const url = new URL(data.jumpUrl ?? '').pathname
  const page = await server.app.inject(url)
  expect(page.body).toContain('沙箱')
  expect(page.body).toContain('¥19.90')
  expect(page.body).not.toContain('b="')
  expect(page.headers['content-security-policy']).toMatch(/default-src 'none'/)
  const pressed = await server.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'result=SUCCESS',
  })
  expect([pressed.statusCode, pressed.headers.location]).toEqual([303, 'http://localhost:10086/back?a=1&b=%22'])
  expect(await result(orderId)).toBe('PAID')
})

test('a failed payment gives the coupon back; the next one succeeds, is notified twice, and counts once', async () => {
  const { db } = server.database
  const templates = (await server.call('coupon', 'canReceive', {}, { token })).body.data
  const template = templates.find((t) => t.state === 'AVAILABLE' && t.scope !== 'AI')
  const received = await server.call('coupon', 'receive', { templateId: template?.templateId ?? '' }, { token })
  const { couponId } = received.body.data
  const orderId = await order()
  await begin(orderId, { couponId })
  expect(await couponsOf('LOCKED')).toEqual([couponId])
  expect((await press({ orderId, result: 'FAIL' })).statusCode).toBe(200)
  expect(await result(orderId)).toBe('FAILED')
  expect(await couponsOf('UNUSED')).toContain(couponId)
  await begin(orderId, { couponId })
  expect(await result(orderId)).toBe('PENDING')
  await press({ orderId, result: 'DUPLICATE' })
  expect(await result(orderId)).toBe('PAID')
  expect(await couponsOf('USED')).toEqual([couponId])
  const ledger = await db.selectFrom('ledger').select('kind').where('order_id', '=', orderId).execute()
  expect(ledger).toEqual([{ kind: 'PAY' }])
})

test('an order that costs nothing needs no cashier', async () => {
  const orderId = await order()
  const { db } = server.database
  await db.updateTable('orders').set({ origin_fen: 0, pay_fen: 0 }).where('id', '=', orderId).execute()
  expect(await begin(orderId)).toMatchObject({ success: true, data: {} })
  expect(await result(orderId)).toBe('PAID')
  const ledger = await db.selectFrom('ledger').select(['kind', 'amount_fen']).where('order_id', '=', orderId).execute()
  expect(ledger).toEqual([{ kind: 'PAY', amount_fen: 0 }])
})

test('invalid choices are refused', async () => {
  const orderId = await order()
  expect((await press({ orderId, result: 'SUCCESS' })).statusCode).toBe(404)
  await begin(orderId)
  expect((await press({ orderId, result: 'MAYBE' })).statusCode).toBe(400)
  expect(await result(orderId)).toBe('PENDING')
})

test('without the sandbox its pages do not exist, and only configured channels are offered', async () => {
  const other = await createTestDatabase()
  const closed = await startServer({ testDatabase: other, env: { SANDBOX: '0' } })
  const urls = ['/sandbox/pay', '/sandbox/cashier/x', '/pay/notify/sandbox']
  for (const url of urls) {
    const headers = { 'x-sandbox': '1', host: 'localhost' }
    expect((await closed.app.inject({ method: 'POST', url, headers, payload: {} })).statusCode).toBe(404)
  }
  expect(closed.lifecycle.deps?.providers.pay.sandbox).toBeUndefined()
  for (const type of ['WX_JSAPI', 'WX_H5', 'WX_MINI', 'ALI_WAP'] as const)
    expect(closed.lifecycle.deps?.providers.pay.nameOf(type, false)).toBeUndefined()
  await closed.close()
  other.remove()
})
