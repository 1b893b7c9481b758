import path from 'node:path'
import { paySig, userSig } from '../../server/providers/pay/virtual'
import { startWechatApi } from '../../server/test/wechat-api'
import { ordered, provenAdult, valued } from '../e2e/orders'
import { login } from '../fakes/calls'
import { startServer, type TestServer } from '../fakes/server'
import { pictures } from './launch'
import { app, openPhone, server, setUpHarness } from './setup'

/** Paying in the mini-program: whichever of its three results WeChat's cashier reports, only the server's result counts. */

const CASH = 'pages/evaluation/payment/index'
const CHECKOUT = 'pages/evaluation/human/checkout'

setUpHarness()

it('a manual order: checked out, cancelled in the cashier, refused, then paid', async () => {
  const who = await login(server, '13800138021')
  await provenAdult(server, who)
  const orderId = await ordered(server, who)
  await openPhone()
  await app.signIn(who)
  await app.start(CHECKOUT, { orderId })
  await app.see('¥19.90')
  await app.screenshot(path.join(pictures(), 'money-checkout.png'))
  await app.tap('支付 ¥16.90')
  await app.see('请先勾选同意')
  await app.tap('.ui-check__hit')
  // with a single payment method, WeChat's cashier opens directly
  await app.tap('支付 ¥16.90')
  await app.tap('取消支付')
  await app.see('您取消了支付')
  expect(await app.route()).toBe(CHECKOUT)
  await app.screenshot(path.join(pictures(), 'money-cash.png'))
  await app.tap('支付 ¥16.90')
  await app.tap('余额不足')
  await app.see('支付未成功')
  await app.tap('支付 ¥16.90')
  await app.tap('支付')
  await app.at('pages/evaluation/human/paySuccess')
  await app.see('支付成功')
  await app.screenshot(path.join(pictures(), 'money-paid.png'))
})

describe('through Apple', () => {
  const APP_KEY = 'virtual-app-key'
  let wechat: Awaited<ReturnType<typeof startWechatApi>>
  let shop: TestServer
  /** fen paid to Apple, by order number */
  const sales = new Map<string, number>()

  beforeAll(async () => {
    wechat = await startWechatApi()
    wechat.answers['/xpay/query_order'] = (_query, { order_id }) => {
      const fen = sales.get(String(order_id))
      const order = { order_id, status: fen ? 2 : 1, order_fee: fen ?? 0, wxpay_order_id: `4200${String(order_id)}` }
      return { errcode: 0, order }
    }
    // what Apple and WeChat check before they take money
    wechat.answers['/apple'] = (_query, { signData, paySig: merchant, signature }) => {
      const text = String(signData)
      const session = 'tiihtNczf5v6AKRyjwEUhQ=='
      expect(merchant).toBe(paySig(APP_KEY, 'requestVirtualPayment', text))
      expect(signature).toBe(userSig(session, text))
      const { outTradeNo, goodsPrice, productId } = JSON.parse(text) as Record<string, string | number>
      expect(productId).toBe('unlock')
      sales.set(String(outTradeNo), Number(goodsPrice))
      return {}
    }
    const virtual = { OFFER_ID: '123', APP_KEY, PUSH_TOKEN: 'push', PRODUCTS: '390=unlock,1990=std,4990=pro' }
    const settings = Object.entries(virtual).map(([name, value]) => [`WECHAT_VIRTUAL_${name}`, value])
    shop = await startServer({ env: { ...wechat.env, IOS_PAY: 'VIRTUAL', ...Object.fromEntries(settings) } })
  })
  afterAll(async () => {
    await shop?.stop()
    await wechat?.close()
  })

  it('a report: not sold on this phone, cancelled, then bought; the server asks WeChat and unlocks it', async () => {
    const who = await login(shop, '13800138022')
    await provenAdult(shop, who)
    const orderId = await valued(shop, who)
    await openPhone({ apiBase: shop.url })
    await app.signIn(who)
    await app.start(CASH, { orderId })
    await app.tap('优惠券')
    await app.tap('不使用优惠券')
    await app.see('如需退款，请在 Apple 的账单页面提出申请。')
    expect(await app.text()).not.toMatch(/微信支付|自动退款/)
    await app.tap('.ui-check__hit')
    await app.screenshot(path.join(pictures(), 'money-apple.png'))
    await app.tap('支付 ¥3.90')
    await app.see('支付未成功')
    await app.set({ apple: `${wechat.url}/apple` })
    await app.tap('支付 ¥3.90')
    await app.tap('取消')
    await app.see('您取消了支付')
    expect(await app.route()).toBe(CASH)
    await app.tap('支付 ¥3.90')
    await app.tap('确认购买')
    await app.at('pages/evaluation/human/paySuccess')
    await app.see('报告已解锁')
    expect([...sales.values()]).toEqual([390])
  })
})
