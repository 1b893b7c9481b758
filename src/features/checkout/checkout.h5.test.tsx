import type { ManualLevel } from '@/contract/labels'
import { momentText } from '@/contract/timeText'
import type { OpenPayStatus, PreOrder, Res } from '@/contract/types'
import { fakePayments } from '@/platform/pay/fake'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleCoupon } from '@/samples/coupon'
import { sampleManualOrder } from '@/samples/order'
import { drafts } from '@/session/drafts'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, until, untilGone, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { CheckoutScreen, PaymentScreen } from './CheckoutScreen'
import { externalCashier } from './externalCashier'
import { PaySuccessScreen } from './PaySuccessScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())
const mockHost = fakePayments()
jest.mock('@/platform/pay', () => ({
  get payments() {
    return mockHost.payments
  },
}))

const MINUTE = 60_000
const coupon = (n: number, over: Partial<PreOrder['coupons'][number]> = {}): PreOrder['coupons'][number] => ({
  ...sampleCoupon({
    couponId: `c${n}`,
    templateId: `t${n}`,
    name: `券${n}`,
    amountFen: n * 100,
    thresholdFen: 0,
    scope: 'ALL',
    endAt: 1_900_000_000_000,
  }),
  ...over,
})

/** The server's sums by coupon; the client is never asked to know them. */
const sums: Record<string, number> = { c5: 500, c3: 300, free: 1990 }
function pre({ couponId = 'c5' }: { couponId?: string | undefined }): PreOrder {
  const discountFen = sums[couponId] ?? 0
  return {
    originFen: 1990,
    discountFen,
    payFen: 1990 - discountFen,
    coupons: [coupon(5), coupon(3), coupon(9, { reason: '仅限 AI 估价使用' })],
    ...(couponId && { couponId }),
    payExpireAt: 1000 + 14 * MINUTE + 32_000,
    now: 1000,
    agreeUrl: '/pagesA/pages/home/article/index?key=VALUATION_NOTICE',
  }
}

const open: OpenPayStatus = { pay: 'NORMAL', help: false, ad: false, manual: true }
const channels: Res<'pay', 'payType'> = [
  { type: 'WX_H5', default: true, note: '' },
  { type: 'ALI_WAP', default: false, note: '推荐支付宝用户' },
]
type Pay = NonNullable<Parameters<typeof fakeServer>[0]['pay']>
type Evaluation = NonNullable<Parameters<typeof fakeServer>[0]['evaluation']>
const serve = (pay: Pay = {}, status: OpenPayStatus = open, evaluation: Evaluation = {}) =>
  fakeServer({
    app: { openPayStatus: () => status },
    evaluation,
    pay: {
      getInfo: () => sampleManualOrder(),
      createPre: pre,
      createAiPre: pre,
      payType: () => channels,
      payment: () => ({ jumpUrl: 'http://localhost/cashier' }),
      payResult: () => ({ status: 'PENDING' }),
      ...pay,
    },
  })
const checkout = () =>
  openPage(page('humanCheckout', CheckoutScreen), '/pages/evaluation/human/checkout', { orderId: 'o1' })
/** An unpaid order of the records. */
const cashier = (query: Record<string, string> = {}) =>
  openPage(page('payment', PaymentScreen), '/pages/evaluation/payment/index', { orderId: 'o1', ...query })
/** The same with the consent given. */
const payment = async (query: Record<string, string> = {}, consent = CONSENT) => {
  const opened = await cashier(query)
  await untilShown('支付 ¥')
  await tap(consent)
  return opened
}
/** Pays through the first channel. */
const payBy = async (button: string, channel = '微信支付') => {
  await tap(button)
  await untilShown(channel)
  await tap(channel)
}
const success = () =>
  openPage(page('humanPaySuccess', PaySuccessScreen), '/pages/evaluation/human/paySuccess', { orderId: 'o1' })
const RESULT = 'replace /pages/evaluation/human/paySuccess?orderId=o1'
const CONSENT = '接单前可全额退；报告生成后不支持无理由退款'

beforeEach(() => {
  navigations.length = 0
  mockHost.started.length = 0
  mockHost.next.hint = 'done'
  externalCashier.clear()
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

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

describe('cash desk', () => {
  it('opened by its address, it takes no money before the consent', async () => {
    const server = serve({ payment: () => ({ payParams: { package: 'p' } }) })
    await cashier()
    await untilShown('支付 ¥14.90')
    await tap('支付 ¥14.90')
    expect(shown()).toContain('请先勾选同意')
    expect(server.seen.some(({ call }) => call === 'pay.payment')).toBe(false)
    await tap(CONSENT)
    await payBy('支付 ¥14.90')
    await until(() => navigations.length > 0, 'the result page')
    expect(server.seen.find(({ call }) => call === 'pay.payment')?.req).toMatchObject({ consent: true })
  })

  it.each(['NORMAL', 'VIRTUAL'] as const)(
    'iOS app, %s: only Apple takes the money, with what the app handed over',
    async (pay) => {
      dispatch({ type: 'launched', platform: 'ios' })
      dispatch({ type: 'iosPayParamsReceived', params: { productId: 'p1' } })
      const payParams = { appAccountToken: 'n1' }
      const server = serve(
        {
          getInfo: () => sampleManualOrder({ couponId: 'c3' }),
          payType: () => [{ type: 'APPLE', default: true, note: '' }],
          payment: () => ({ payParams }),
        },
        { ...open, pay },
      )
      await payment()
      expect(shown()).toContain('请在 Apple 的账单页面提出申请')
      expect(shown()).not.toMatch(/微信支付|支付宝/)
      await tap('支付 ¥16.90')
      await until(() => navigations.length > 0, 'the result page')
      const asked = (call: string) => server.seen.find((one) => one.call === call)?.req
      expect(asked('app.openPayStatus')).toMatchObject({ platform: 'ios' })
      expect(asked('pay.payType')).toEqual({ orderId: 'o1', env: 'IOS_APP' })
      expect(asked('pay.payment')).toMatchObject({ payType: 'APPLE' })
      expect(mockHost.started).toEqual([{ payParams, iosPayParams: { productId: 'p1' } }])
    },
  )

  it.each([
    ['cancelled', '您取消了支付，订单会为您保留'],
    ['failed', '支付未成功；如未扣款，请重试或换种方式'],
  ] as const)('%s: says so, stays, and can be tried again', async (hint, says) => {
    mockHost.next.hint = hint
    serve({ payment: () => ({ payParams: { package: 'p' } }) })
    await payment()
    await payBy('支付 ¥14.90')
    await untilShown(says)
    expect(navigations).toEqual([])
    expect(find('支付 ¥14.90')).toBeDefined()
  })

  it('asks for the identity no longer once the page is shown again after the verification', async () => {
    serve({
      payment: () => {
        throw new Refused(200, 'REALNAME_REQUIRED', '请先完成实名认证')
      },
    })
    const shownPage = await payment()
    await payBy('支付 ¥14.90')
    await untilShown('需要先完成实名认证')
    await shownPage.hide()
    await shownPage.show()
    await untilGone('需要先完成实名认证')
  })

  it('trusts the server when the host reports a cancelled payment that was made', async () => {
    mockHost.next.hint = 'cancelled'
    serve({ payment: () => ({ payParams: { package: 'p' } }), payResult: () => ({ status: 'PAID' }) })
    await payment()
    await payBy('支付 ¥14.90')
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
  })

  it('returning from an external cashier, also after a reload, asks and trusts only the server', async () => {
    mockHost.next.hint = 'left'
    let status: Res<'pay', 'payResult'>['status'] = 'PENDING'
    serve({ payResult: () => ({ status }) })
    await payment()
    await payBy('支付 ¥14.90')
    await untilShown('支付完成了吗？')
    // the page is opened again, with an address that anybody may have written
    await payment({ paid: '1' })
    await untilShown('支付完成了吗？')
    await tap('未完成，继续支付')
    await until(() => find('未完成，继续支付') === undefined, 'the question to go')
    expect(navigations).toEqual([])
    await payBy('支付 ¥14.90')
    await untilShown('支付完成了吗？')
    status = 'PAID'
    // within 300 ms the earlier PENDING is shared (spec §7), then the result page goes on asking
    await tap('已完成支付')
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
    await payment()
    expect(shown()).not.toContain('支付完成了吗？')
  })

  it('a check that fails after returning is named in the question, which 未完成 still closes', async () => {
    externalCashier.leave('o1')
    serve({
      payResult: () => {
        throw new Refused(502, 'INTERNAL_ERROR')
      },
    })
    await payment()
    await untilShown('支付完成了吗？')
    await tap('已完成支付')
    await until(() => document.querySelectorAll('.ui-sheet .ui-notice').length === 1, 'the failure in the sheet')
    await tap('未完成，继续支付')
    await untilGone('支付完成了吗？')
    externalCashier.clear()
  })

  it('returning after a confirmed payment leads straight to the result', async () => {
    externalCashier.leave('o1')
    serve({ getInfo: () => sampleManualOrder({ status: 'PAID', payStatus: 'PAID', actions: ['CANCEL'] }) })
    await cashier()
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
  })

  it('an order that closed meanwhile says so instead of taking money', async () => {
    let given = sampleManualOrder()
    serve({
      getInfo: () => given,
      payment: () => {
        given = sampleManualOrder({ status: 'CLOSED', actions: ['DELETE'] })
        throw new Refused(200, 'PAY_CLOSED', '订单已关闭，请重新下单')
      },
    })
    await payment()
    await payBy('支付 ¥14.90')
    // a repeat within 300 ms gets the earlier answer again (spec §7)
    while (find('支付 ¥14.90')) await payBy('支付 ¥14.90')
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
    expect(mockHost.started).toEqual([])
  })

  it('one tap is one payment', async () => {
    let answer: () => void = () => undefined
    const server = serve({
      payment: () =>
        new Promise((resolve) => {
          answer = () => resolve({ payParams: { package: 'p' } })
        }),
    })
    await payment()
    await payBy('支付 ¥14.90')
    await payBy('支付 ¥14.90')
    answer()
    await until(() => navigations.length > 0, 'the result page')
    expect(server.seen.filter(({ call }) => call === 'pay.payment')).toHaveLength(1)
  })

  it('unlocking a report asks for the consent here, and a coupon for nothing skips the channels', async () => {
    const ai = sampleManualOrder({ mode: 'AI', status: 'REPORTED', originFen: 390, actions: ['VIEW', 'UNLOCK'] })
    const server = serve({
      getInfo: () => ai,
      createAiPre: () => ({ ...pre({ couponId: 'free' }), originFen: 390, discountFen: 390 }),
      payment: () => ({}),
    })
    await cashier()
    await untilShown('免费解锁')
    expect(shown()).toContain('AI 完整报告')
    expect(shown()).not.toContain('支付方式')
    await tap('免费解锁')
    expect(shown()).toContain('请先勾选同意')
    expect(server.seen.some(({ call }) => call === 'pay.payment')).toBe(false)
    expect(shown()).not.toContain('退款')
    await tap('解锁后优惠券不退回')
    await tap('免费解锁')
    await until(() => navigations.length > 0, 'the result page')
    expect(navigations).toEqual([RESULT])
  })

  it.each(['已完成支付', '未完成，继续支付'])(
    'back from a cashier that failed, %s: says so and stays',
    async (answer) => {
      mockHost.next.hint = 'left'
      serve({ payResult: () => ({ status: 'FAILED' }) })
      await payment()
      await payBy('支付 ¥14.90')
      await untilShown('支付完成了吗？')
      await tap(answer)
      await untilShown('支付未成功；如未扣款，请重试或换种方式')
      expect(navigations).toEqual([])
      expect(find('支付 ¥14.90')).toBeDefined()
    },
  )

  it('without a usable channel it says where one is available', async () => {
    serve({ payType: () => [] })
    await payment()
    await untilShown('这里暂时不能支付')
    await tap('支付 ¥14.90')
    expect(navigations).toEqual([])
  })
})

describe('result', () => {
  it('polls until the server is certain, then shows the sum, the next step and whom to ask', async () => {
    let asked = 0
    const dueAt = Date.now() + 60_000
    serve({
      payResult: () => ({ status: ++asked > 1 ? 'PAID' : 'PENDING' }),
      getInfo: () => sampleManualOrder({ status: 'PAID', payStatus: 'PAID', payFen: 1490, dueAt, actions: ['URGE'] }),
    })
    await success()
    await untilShown('正在确认支付结果')
    expect(shown()).toContain('不会重复扣款')
    await untilShown('支付成功')
    for (const text of ['14.90', '等待接单', `${momentText(dueAt, Date.now())} 前`]) expect(shown()).toContain(text)
    await tap('联系客服')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['push /pages/chat/index?orderId=o1'])
  })

  it.each([
    [1490, true, '超时补偿券已发放；2030年1月2日 14:00 前未完成，自动全额退款'],
    [1490, false, '已超时，抱歉2030年1月2日 14:00 前未完成，自动全额退款'],
    [0, true, '超时补偿券已发放；2030年1月2日 14:00 前未完成，订单自动取消'],
  ])('a late order of %s fen says what follows instead of the time that has passed', async (payFen, coupon, says) => {
    const late = { refundAt: Date.UTC(2030, 0, 2, 6), coupon }
    const dueAt = Date.now() - 60_000
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ status: 'ASSIGNED', payStatus: 'PAID', payFen, dueAt, late, actions: ['URGE'] }),
    })
    await success()
    await untilShown(says)
    expect(shown()).not.toMatch(/支付成功|下单成功/)
    expect(shown()).not.toContain(`${momentText(dueAt, Date.now())} 前`)
  })

  const waiting = { status: 'WAIT_INFO', payStatus: 'PAID', payFen: 1490, actions: ['SUPPLY', 'CANCEL'] } as const
  it('an order that waits for information says what is missing and until when, and leads to its form', async () => {
    const supplyUntil = Date.now() + 47 * 3_600_000
    const more = { notice: '请补充贵族等级截图', supplyUntil, assignedAt: Date.now(), dueAt: Date.now() }
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () => sampleManualOrder({ ...waiting, ...more, actions: [...waiting.actions] }),
    })
    await success()
    await untilShown('请补充贵族等级截图')
    expect(shown()).toContain(`需要补充资料请在 ${momentText(supplyUntil, Date.now())} 前补充，逾期全额退款`)
    // no time is promised while nobody can work on it
    expect(shown()).not.toMatch(/支付成功|今天 \d+:\d+ 前/)
    await tap('补充资料')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pagesA/pages/mine/evaluation/records?orderId=o1'])
  })

  it('claims neither a payment nor an order without one before it is known what may be said', async () => {
    let answer: (status: OpenPayStatus) => void = () => undefined
    const server = fakeServer({
      app: {
        openPayStatus: () =>
          new Promise<OpenPayStatus>((resolve) => {
            answer = resolve
          }),
      },
      pay: {
        payResult: () => ({ status: 'PAID' }),
        getInfo: () => sampleManualOrder({ status: 'PAID', payStatus: 'PAID', payFen: 1490, actions: ['URGE'] }),
      },
    })
    await success()
    await until(() => server.seen.some(({ call }) => call === 'pay.getInfo'), 'the order')
    await new Promise((resolve) => setTimeout(resolve))
    expect(shown()).not.toMatch(/成功/)
    answer(open)
    await untilShown('支付成功')
    expect(shown()).toContain('14.90')
  })

  it('a refunded unlock leads to the form with the same answers', async () => {
    const answers = { skinCount: 260 }
    const ai = { mode: 'AI', status: 'REFUNDED', payStatus: 'REFUNDED', payFen: 390 } as const
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ ...ai, actions: ['REVALUE', 'DELETE'], inputs: { schemaVersion: 7, answers } }),
    })
    await success()
    await untilShown('已退款')
    await tap('重新估价')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'])
    expect(drafts.load('u1', 'hok', 'AI')?.answers).toEqual(answers)
  })

  it('a finished order says that its report is there, and not when it will be', async () => {
    const now = Date.now()
    const over = { payFen: 1490, dueAt: now - 60_000, reportedAt: now - 120_000 }
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () => sampleManualOrder({ status: 'DONE', payStatus: 'PAID', ...over, actions: ['VIEW'] }),
    })
    await success()
    await untilShown('报告已完成')
    expect(shown()).toContain(`报告已完成${momentText(over.reportedAt, now)}`)
    expect(shown()).not.toMatch(/\d 前|小时内|支付成功/)
  })

  it('an order that is valued once more says so, and shows its report', async () => {
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () => sampleManualOrder({ status: 'REVALUING', payStatus: 'PAID', actions: ['VIEW', 'URGE'] }),
    })
    await success()
    await untilShown('正在复估')
    expect(shown()).toContain('现在仍可查看原报告')
    // the steps of the first valuation are all over
    expect(shown()).not.toContain('接下来')
    await tap('查看完整报告')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
  })

  const RECORDS = 'replace /pagesA/pages/mine/evaluation/records'
  const FORM = 'replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL'
  it.each([
    {
      status: 'REFUNDING',
      payFen: 1490,
      says: '退款处理中需要审核的 24 小时内答复，逾期自动全额退款退款金额',
      way: '查看订单',
      move: RECORDS,
    },
    {
      status: 'REFUNDED',
      payFen: 1490,
      says: '已退款款项已原路退回，到账时间以支付渠道为准退款金额',
      way: '重新下单',
      move: FORM,
    },
    { status: 'REFUNDED', payFen: 0, says: '订单已取消所用的优惠券未过期的，会退回', way: '重新下单', move: FORM },
  ] as const)('$status of $payFen fen: says where the money went', async ({ status, payFen, says, way, move }) => {
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ status, payStatus: status, payFen, actions: status === 'REFUNDED' ? ['REVALUE'] : [] }),
    })
    await success()
    await untilShown(way)
    expect(shown()).toContain(says)
    expect(shown()).not.toMatch(/接下来|支付成功|等待接单/)
    await tap(way)
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual([move])
  })

  it('the refund of a report that was read says who decides, and promises none', async () => {
    const ai = { mode: 'AI', status: 'REFUNDING', payStatus: 'REFUNDING', payFen: 390, actions: [] } as const
    serve({ payResult: () => ({ status: 'PAID' }), getInfo: () => sampleManualOrder({ ...ai, actions: [] }) })
    await success()
    await untilShown('客服审核')
    expect(shown()).not.toContain('逾期自动')
  })

  it.each([
    ['FAILED', '没有扣款，订单仍为您保留', '重新支付', 'replace /pages/evaluation/payment/index?orderId=o1'],
    ['CLOSED', '如果已经付款，款项会自动原路退回', '重新下单', FORM],
  ] as const)('%s: says what happened to the money and what to do', async (status, says, way, move) => {
    serve({
      payResult: () => ({ status }),
      getInfo: () => sampleManualOrder({ status: 'CLOSED', actions: ['DELETE'] }),
    })
    await success()
    await untilShown(says)
    await tap(way)
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual([move])
  })

  it('who said by mistake to have paid returns to the cashier at once', async () => {
    serve({ payResult: () => ({ status: 'PENDING' }) })
    await success()
    await untilShown('正在确认支付结果')
    await tap('未完成，继续支付')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/payment/index?orderId=o1'])
  })

  it('an unlocked report is one tap away', async () => {
    serve({
      payResult: () => ({ status: 'PAID' }),
      getInfo: () =>
        sampleManualOrder({ mode: 'AI', status: 'UNLOCKED', payStatus: 'PAID', payFen: 390, actions: ['VIEW'] }),
    })
    await success()
    await untilShown('报告已解锁')
    await tap('查看完整报告')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
  })
})
