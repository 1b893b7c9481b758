import type { FormConfig } from '@/contract/form/types'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from '../harness'
import { adultId, manualOrderRequest } from './requests'

/** Purchases in the iOS app, where only Apple may take money; simulated by the sandbox. */

let testDatabase: TestDatabase
let server: TestServer | undefined
beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterEach(() => server?.close())
afterAll(() => testDatabase.remove())

async function shop(env: Record<string, string>, mobile: string) {
  server = await startServer({ testDatabase, games: ['val'], env })
  const { call, login } = server
  const { token } = await login(mobile)
  await call('user', 'realNameAuth', { name: '张三', idNo: adultId(1), consent: true }, { token })
  const config: FormConfig = (await call('evaluation', 'gameConfig', { gameId: 'val', mode: 'AI' })).body.data
  const { orderId } = (await call('evaluation', 'submitManual', manualOrderRequest(config), { token })).body.data
  const status = async () => (await call('app', 'openPayStatus', { platform: 'ios', version: '2.0.4' })).body.data
  const ways = async (env: string) => (await call('pay', 'payType', { orderId, env }, { token })).body.data
  const pay = (payType: 'APPLE' | 'ALI_WAP', consent?: true) =>
    call('pay', 'payment', { orderId, payType, ...(consent && { consent }) }, { token })
  const result = async () => (await call('pay', 'payResult', { orderId }, { token })).body.data.status
  return { orderId, status, ways, pay, result, app: server.app }
}

test.each([
  ['NORMAL', '13800138801'],
  ['VIRTUAL', '13800138802'],
])('IOS_PAY=%s: the iOS app is offered Apple alone, and a purchase counts', async (value, mobile) => {
  const { orderId, status, ways, pay, result, app } = await shop({ IOS_PAY: value }, mobile)
  expect(await status()).toMatchObject({ pay: value, manual: true, manualFromFen: 1990 })
  expect(await ways('IOS_APP')).toEqual([{ type: 'APPLE', default: true, note: '沙箱，不会真实扣款' }])
  expect((await ways('BROWSER')).map(({ type }) => type)).not.toContain('APPLE')
  expect((await pay('APPLE')).body).toMatchObject({ data: { fields: [{ path: 'consent' }] } })
  const { data } = (await pay('APPLE', true)).body
  expect(data).toMatchObject({ payParams: { appAccountToken: expect.any(String) }, jumpUrl: expect.any(String) })
  await app.inject({ method: 'POST', url: '/sandbox/pay', payload: { orderId, result: 'SUCCESS' } })
  expect(await result()).toBe('PAID')
})

test('IOS_PAY=OFF: nothing is for sale in the iOS app, and Apple’s way is refused', async () => {
  const { status, ways, pay } = await shop({ IOS_PAY: 'OFF' }, '13800138803')
  expect(await status()).toMatchObject({ pay: 'OFF', manual: false })
  expect(await ways('IOS_APP')).toEqual([])
  expect((await pay('APPLE', true)).body).toMatchObject({ data: { fields: [{ path: 'payType' }] } })
})

test('without the sandbox Apple is not simulated: nothing is for sale in the iOS app', async () => {
  server = await startServer({ testDatabase, env: { IOS_PAY: 'VIRTUAL', SANDBOX: '0' } })
  const { body } = await server.call('app', 'openPayStatus', { platform: 'ios', version: '2.0.4' })
  expect(body.data).toMatchObject({ pay: 'OFF', manual: false })
})
