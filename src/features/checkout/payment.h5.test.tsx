import type { Res } from '@/contract/types'
import { sampleManualOrder } from '@/samples/order'
import { dispatch } from '@/session/store'
import { Refused } from '../../../test/fakes/api'
import {
  CONSENT,
  cashier,
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
import { find, shown, tap, until, untilGone, untilShown } from '../../../test/fakes/screen'
import { externalCashier } from './externalCashier'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpCheckout()

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
      const asked = (call: string) => server.seen.find((request) => request.call === call)?.req
      expect(asked('app.openPayStatus')).toMatchObject({ platform: 'ios' })
      expect(asked('pay.payType')).toEqual({ orderId: 'o1', env: 'IOS_APP' })
      expect(asked('pay.payment')).toMatchObject({ payType: 'APPLE' })
      expect(mockHost.started).toEqual([{ payParams, iosPayParams: { productId: 'p1' } }])
    },
  )

  it.each([
    ['cancelled', '您取消了支付，订单会为您保留'],
    ['failed', '支付未成功；如未扣款，请重试或换种方式'],
  ] as const)('%s: says so, stays, and can be tried again', async (hint, text) => {
    mockHost.next.hint = hint
    serve({ payment: () => ({ payParams: { package: 'p' } }) })
    await payment()
    await payBy('支付 ¥14.90')
    await untilShown(text)
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
