import { createHash } from 'node:crypto'
import { paySig } from '../../providers/pay/virtual'
import { createStore, type Store, someAnswers, startServer, type TestServer } from '../harness'
import { startWechatApi } from '../wechat-api'
import { adultId } from './requests'

/** Virtual goods bought in the mini-program on Android, where WeChat itself takes the money. */
jest.setTimeout(180_000)

const SETTINGS = { OFFER_ID: '123', APP_KEY: 'key', PUSH_TOKEN: 'push', PRODUCTS: '390=unlock' }
const ANDROID = { platform: 'weapp', os: 'android' }
let store: Store
let server: TestServer
let api: Awaited<ReturnType<typeof startWechatApi>>

beforeAll(async () => {
  store = await createStore()
  api = await startWechatApi()
  const env = Object.fromEntries(Object.entries(SETTINGS).map(([name, value]) => [`WECHAT_VIRTUAL_${name}`, value]))
  server = await startServer({ store, games: ['naraka'], env: { ...api.env, ...env } })
})
afterAll(async () => {
  await server?.close()
  await api?.close()
  store?.remove()
})

test('is paid by requestVirtualPayment and settled by the notification to the common address', async () => {
  const { token } = await server.login('13800138301')
  const me = { token, headers: ANDROID }
  await server.call('user', 'realNameAuth', { name: '张三', idNo: adultId(1), consent: true }, me)
  const config = (await server.lifecycle.deps?.games.find('naraka'))?.config
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config, 1), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, me)).body.data
  await server.call('pay', 'createAiPre', { orderId, couponId: '' }, me)
  expect((await server.call('pay', 'payType', { orderId, env: 'MINI' }, me)).body.data).toEqual([
    { type: 'WX_MINI', note: '', default: true },
  ])
  const order = { orderId, payType: 'WX_MINI' as const, couponId: '', loginCode: 'ann' }
  const { payParams } = (await server.call('pay', 'payment', order, me)).body.data
  const signData = payParams?.signData ?? ''
  expect(payParams?.paySig).toBe(paySig('key', 'requestVirtualPayment', signData))
  const { outTradeNo, goodsPrice, productId } = JSON.parse(signData) as Record<string, string | number>
  expect([goodsPrice, productId]).toEqual([390, 'unlock'])

  api.answers['/xpay/query_order'] = () => ({
    errcode: 0,
    order: { order_id: outTradeNo, status: 2, order_fee: 390, wxpay_order_id: '4200' },
  })
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), 'n1']
  const signature = createHash('sha1').update([SETTINGS.PUSH_TOKEN, timestamp, nonce].sort().join('')).digest('hex')
  const push = await server.app.inject({
    method: 'POST',
    url: `/pay/notify/virtual?${new URLSearchParams({ signature, timestamp, nonce })}`,
    payload: { Event: 'xpay_goods_deliver_notify', OutTradeNo: outTradeNo },
  })
  expect([push.statusCode, push.body]).toEqual([200, '{"ErrCode":0,"ErrMsg":"success"}'])
  expect((await server.call('pay', 'payResult', { orderId }, me)).body.data.status).toBe('PAID')
})
