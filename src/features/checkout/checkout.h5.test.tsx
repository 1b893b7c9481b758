import type { ManualLevel } from '@/contract/labels'
import { page } from '@/router/page'
import { sampleManualOrder } from '@/samples/order'
import { dispatch } from '@/session/store'
import { Refused } from '../../../test/fakes/api'
import {
  CONSENT,
  cashier,
  channels,
  coupon,
  MINUTE,
  mockHost,
  open,
  payBy,
  payment,
  pre,
  RESULT,
  serve,
  setUpCheckout,
} from '../../../test/fakes/checkout'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { CheckoutScreen } from './CheckoutScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpCheckout()

const checkout = () =>
  openPage(page('humanCheckout', CheckoutScreen), '/pages/evaluation/human/checkout', { orderId: 'o1' })

/** Visible characters: all but spaces. */
const charactersOf = (text: string) => text.replace(/\s/g, '').length

describe('checkout', () => {
  it('shows the server’s sums with the best coupon chosen, another on a tap, and why one does not fit', async () => {
    const server = serve()
    await checkout()
    await untilShown('−¥5.00')
    for (const text of ['王者荣耀 · 安卓微信 · V8', '−¥5.00', '14.90']) expect(shown()).toContain(text)
    expect(shown()).toMatch(/剩余 14:3[0-2]/)
    await tap('优惠券−¥5.00')
    await untilShown('仅限 AI 估价使用')
    await tap('¥3 · 券3无门槛 · 2030年3月18日过期')
    await untilShown('−¥3.00')
    expect(shown()).toContain('16.90')
    expect(server.seen.filter(({ call }) => call === 'pay.createPre').map(({ req }) => req)).toEqual([
      { orderId: 'o1', claim: true },
      { orderId: 'o1', couponId: 'c3', claim: true },
    ])
  })

  it('keeps the sums and says so when a coupon is refused', async () => {
    serve({
      createPre: (req) => {
        if (req.couponId === 'c3') throw new Refused(200, 'COUPON_NOT_USABLE', '该优惠券不可用')
        return pre(req)
      },
    })
    await checkout()
    await untilShown('−¥5.00')
    await tap('优惠券−¥5.00')
    await tap('¥3 · 券3无门槛 · 2030年3月18日过期')
    await untilShown('该优惠券不可用')
    expect(shown()).toContain('14.90')
  })

  it('a chosen coupon that is no longer usable is replaced by the best one, with a notice', async () => {
    const { seen } = serve({
      getInfo: () => sampleManualOrder({ couponId: 'c3' }),
      createPre: (req) => {
        if (req.couponId === 'c3') throw new Refused(200, 'COUPON_NOT_USABLE', '该优惠券不可用：已过期')
        return pre(req)
      },
    })
    await payment()
    expect(shown()).toContain('该优惠券不可用：已过期')
    await payBy('支付 ¥14.90')
    await until(() => navigations.length > 0, 'the result')
    expect(seen.find(({ call }) => call === 'pay.payment')?.req).toMatchObject({ couponId: 'c5' })
  })

  it('without coupons the row leads to the coupon centre', async () => {
    serve({ createPre: () => ({ ...pre({ couponId: '' }), coupons: [] }) })
    await checkout()
    await untilShown('去领券')
    await tap('优惠券去领券')
    await until(() => navigations.includes('push /pagesA/pages/home/couponCenter/index'), 'the coupon centre')
  })

  it('changes the service before it is paid', async () => {
    const levels = { STD: 1990, PRO: 4990 }
    let level: ManualLevel = 'STD'
    const server = serve(
      {
        getInfo: () => sampleManualOrder({ level }),
        createPre: () => ({
          ...{ ...pre({ couponId: '' }), coupons: [], levels },
          ...{ originFen: levels[level], discountFen: 0, payFen: levels[level] },
        }),
      },
      open,
      {
        gameConfig: () => ({ gameId: 'hok', schemaVersion: 7 }) as never,
        submitManual: (req) => {
          level = req.level
          return { orderId: 'o1', originFen: levels[level] }
        },
      },
    )
    await checkout()
    await untilShown('标准1 位估价师¥19.90')
    await tap('专家2 位各自估，取均价¥49.90')
    await untilShown('支付 ¥49.90')
    expect(server.seen.find(({ call }) => call === 'evaluation.submitManual')?.req).toEqual({
      ...{ gameId: 'hok', schemaVersion: 7, answers: {}, level: 'PRO', orderId: 'o1' },
    })
  })

  it('says all that is needed in 150 characters, each service in twelve; the rules are a tap away', async () => {
    const now = Date.UTC(2026, 10, 20, 7)
    const more = { levels: { STD: 1990, PRO: 4990 }, dueAt: now + 2 * 3_600_000, now, payExpireAt: now + 14 * MINUTE }
    serve({ createPre: (req) => ({ ...pre(req), ...more, pictures: 4 }) })
    await checkout()
    await untilShown('今天 17:00 前出报告')
    expect(shown()).toContain('王者荣耀 · 安卓微信 · V8 · 4 张截图')
    // with the title of the page
    expect(charactersOf(`${shown()}确认订单`)).toBeLessThanOrEqual(150)
    const tiles = [...document.querySelectorAll('.checkout-tile')].map((tile) =>
      // beside the price
      charactersOf((tile.textContent ?? '').replace(/¥.*/, '')),
    )
    expect(tiles).toHaveLength(2)
    for (const characters of tiles) expect(characters).toBeLessThanOrEqual(12)
    for (const [link, way] of [
      ['服务说明 ›', 'push /pagesA/pages/home/article/index?key=VALUATION_NOTICE'],
      ['《估价须知》', 'push /pagesA/pages/home/article/index?key=VALUATION_NOTICE'],
      ['《退款规则》', 'push /pagesA/pages/home/article/index?key=REFUND'],
    ] as const) {
      navigations.length = 0
      await tap(link)
      await until(() => navigations.includes(way), way)
    }
    // opening the rules does not tick the consent
    await tap('支付 ¥14.90')
    expect(shown()).toContain('请先勾选同意')
    // where a keyboard or a screen reader goes on
    expect(document.activeElement?.getAttribute('role')).toBe('checkbox')
  })

  it.each([
    ['at night', Date.UTC(2026, 10, 20, 19), Date.UTC(2026, 10, 21, 3), '今天 11:00 前出报告'],
    ['before midnight', Date.UTC(2026, 10, 20, 15, 30), Date.UTC(2026, 10, 21, 2, 30), '明天 10:30 前出报告'],
  ])('names the server’s time of delivery %s, on both pages before the payment', async (_, now, dueAt, words) => {
    serve({ createPre: (req) => ({ ...pre(req), payExpireAt: now + 14 * MINUTE, now, dueAt }) })
    await checkout()
    await untilShown(words)
    await cashier()
    await untilShown(words)
  })

  it('says before the payment what missing pictures mean', async () => {
    serve({ createPre: (req) => ({ ...pre(req), pictures: 0 }) })
    await checkout()
    await untilShown('没有截图，无法核对')
  })

  it('pays only with the tick, by the channel that is chosen in the sheet', async () => {
    const payParams = { package: 'prepay_id=1' }
    const server = serve({ payment: () => ({ payParams }) })
    await checkout()
    await untilShown('支付 ¥14.90')
    await tap('支付 ¥14.90')
    expect(shown()).toContain('请先勾选同意')
    expect(shown()).not.toContain('支付方式')
    await tap(CONSENT)
    await payBy('支付 ¥14.90', '支付宝推荐支付宝用户')
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
    expect(mockHost.started).toEqual([{ payParams }])
    expect(server.seen.find(({ call }) => call === 'pay.payType')?.req).toEqual({ orderId: 'o1', env: 'BROWSER' })
    expect(server.seen.find(({ call }) => call === 'pay.payment')?.req).toEqual({
      ...{ orderId: 'o1', payType: 'ALI_WAP', couponId: 'c5', consent: true },
      returnUrl: 'http://localhost/pages/evaluation/payment/index?orderId=o1',
    })
  })

  it('with one way to pay it is opened at once', async () => {
    const server = serve({ payType: () => channels.slice(0, 1), payment: () => ({ payParams: { package: 'p' } }) })
    await checkout()
    await untilShown('支付 ¥14.90')
    await tap('支付 ¥14.90')
    expect(shown()).toContain('请先勾选同意')
    expect(mockHost.started).toEqual([])
    await tap(CONSENT)
    await tap('支付 ¥14.90')
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
    expect(server.seen.filter(({ call }) => call === 'pay.payment')).toMatchObject([
      { req: { orderId: 'o1', payType: 'WX_H5', couponId: 'c5' } },
    ])
  })

  it('an order that costs nothing needs no cashier', async () => {
    const server = serve({ createPre: () => pre({ couponId: 'free' }), payment: () => ({}) })
    await checkout()
    await untilShown('免费下单')
    expect(shown()).not.toContain('¥0.00')
    expect(shown()).not.toContain('退款')
    await tap('报告生成后优惠券不退回')
    await tap('免费下单')
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
    expect(mockHost.started).toEqual([])
    expect(server.seen.find(({ call }) => call === 'pay.payment')?.req).toMatchObject({ couponId: 'free' })
  })

  it('a consent does not hold for the text of an order that another coupon has changed', async () => {
    serve({ createPre: (req) => ({ ...pre({ couponId: req.couponId ?? 'free' }), coupons: [coupon(5)] }) })
    await checkout()
    await untilShown('免费下单')
    await tap('报告生成后优惠券不退回')
    await tap('优惠券−¥19.90')
    await tap('不使用优惠券')
    await untilShown('支付 ¥19.90')
    await tap('支付 ¥19.90')
    expect(shown()).toContain('请先勾选同意')
    expect(navigations).toEqual([])
  })

  it('a consent that was missed and given is not asked for again before the next text is missed', async () => {
    serve({ createPre: (req) => ({ ...pre({ couponId: req.couponId ?? 'free' }), coupons: [coupon(5)] }) })
    await checkout()
    await untilShown('免费下单')
    await tap('免费下单')
    expect(shown()).toContain('请先勾选同意')
    await tap('报告生成后优惠券不退回')
    await tap('优惠券−¥19.90')
    await tap('不使用优惠券')
    await untilShown('支付 ¥19.90')
    expect(shown()).not.toContain('请先勾选同意')
    await tap('支付 ¥19.90')
    expect(shown()).toContain('请先勾选同意')
  })

  it('sends somebody unknown to the real-name page and back to this order', async () => {
    serve({
      createPre: () => {
        throw new Refused(200, 'REALNAME_REQUIRED', '请先完成实名认证')
      },
    })
    await checkout()
    await untilShown('需要先完成实名认证')
    await tap('去实名认证')
    await until(() => navigations.length > 0, 'a move')
    const back = encodeURIComponent('/pages/evaluation/human/checkout?orderId=o1')
    expect(navigations).toEqual([`push /pagesA/pages/mine/realName/index?redirect=${back}`])
  })

  it.each([
    ['paid', sampleManualOrder({ status: 'PAID', payStatus: 'PAID', actions: ['CANCEL'] })],
    ['closed', sampleManualOrder({ status: 'CLOSED', actions: ['DELETE'] })],
    ['refunded', sampleManualOrder({ status: 'REFUNDED', payStatus: 'REFUNDED', actions: [] })],
  ])('an order that is %s is not paid again: its result says why', async (_, given) => {
    const server = serve({ getInfo: () => given })
    for (const page of [checkout, cashier]) {
      navigations.length = 0
      await page()
      await until(() => navigations.length > 0, 'the result')
      expect(navigations).toEqual([RESULT])
    }
    expect(shown()).not.toContain('支付 ¥')
    expect(server.seen.some(({ call }) => call === 'pay.payment' || call === 'pay.payType')).toBe(false)
  })

  it('the native app without sales shows no price or payment wording, but the free way', async () => {
    dispatch({ type: 'launched', platform: 'ios' })
    serve({}, { ...open, pay: 'OFF' })
    await checkout()
    await untilShown('当前环境暂不支持')
    expect(shown()).not.toMatch(/[¥付购买]/)
    await tap('去 AI 估价')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['tab /pages/evaluation/index'])
  })
})
