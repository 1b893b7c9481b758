import type { OpenPayStatus, PreOrder, Res } from '@/contract/types'
import { PaymentScreen } from '@/features/checkout/CheckoutScreen'
import { externalCashier } from '@/features/checkout/externalCashier'
import { fakePayments } from '@/platform/pay/fake'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleCoupon } from '@/samples/coupon'
import { sampleManualOrder } from '@/samples/order'
import { dispatch, startSession } from '@/session/store'
import { fakeServer } from './api'
import { navigations } from './navigation'
import { tap, untilShown } from './screen'
import { openPage } from './taro'

export const mockHost = fakePayments()

jest.mock('@/platform/pay', () => ({
  get payments() {
    return mockHost.payments
  },
}))

export const MINUTE = 60_000

export const coupon = (n: number, over: Partial<PreOrder['coupons'][number]> = {}): PreOrder['coupons'][number] => ({
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

export function pre({ couponId = 'c5' }: { couponId?: string | undefined }): PreOrder {
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

export const open: OpenPayStatus = { pay: 'NORMAL', help: false, ad: false, manual: true }

export const channels: Res<'pay', 'payType'> = [
  { type: 'WX_H5', default: true, note: '' },
  { type: 'ALI_WAP', default: false, note: '推荐支付宝用户' },
]

type Pay = NonNullable<Parameters<typeof fakeServer>[0]['pay']>

type Evaluation = NonNullable<Parameters<typeof fakeServer>[0]['evaluation']>

export const serve = (pay: Pay = {}, status: OpenPayStatus = open, evaluation: Evaluation = {}) =>
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

/** An unpaid order of the records. */
export const cashier = (query: Record<string, string> = {}) =>
  openPage(page('payment', PaymentScreen), '/pages/evaluation/payment/index', { orderId: 'o1', ...query })

/** The same with the consent given. */
export const payment = async (query: Record<string, string> = {}, consent = CONSENT) => {
  const opened = await cashier(query)
  await untilShown('支付 ¥')
  await tap(consent)
  return opened
}

/** Pays through the first channel. */
export const payBy = async (button: string, channel = '微信支付') => {
  await tap(button)
  await untilShown(channel)
  await tap(channel)
}

export const RESULT = 'replace /pages/evaluation/human/paySuccess?orderId=o1'

export const CONSENT = '接单前可全额退；报告生成后不支持无理由退款'

/** A signed-in user, and a host whose cashier succeeds, before each test. */
export function setUpCheckout() {
  beforeEach(() => {
    navigations.length = 0
    mockHost.started.length = 0
    mockHost.next.hint = 'done'
    externalCashier.clear()
    startSession(fakeStorage())
    dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  })
}
