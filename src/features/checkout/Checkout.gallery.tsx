import { manualOrderStatusText } from '@/contract/orderStatus'
import type { Order, PreOrder } from '@/contract/types'
import { sampleCoupon } from '@/samples/coupon'
import { sampleManualOrder } from '@/samples/order'
import type { Gallery } from '@/ui/gallery'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { CheckoutContent } from './CheckoutScreen'
import { ConfirmingPayment, OrderProgress, ResultHeader } from './PaySuccessScreen'
import { ChannelSheet } from './parts/ChannelSheet'
import { IdentityNotice } from './parts/IdentityNotice'
import { OrderNotFound, PaymentsUnavailable } from './parts/PayableOrder'

const nothing = () => undefined
const order = sampleManualOrder({ payFen: 1490 })
const unlock: Order = { ...order, mode: 'AI', status: 'REPORTED', payFen: 390 }
const paid: Order = { ...order, status: 'PAID', payStatus: 'PAID', dueAt: 1_763_703_600_000, actions: ['URGE'] }
const coupon = sampleCoupon({ couponId: 'c5', templateId: 't5', name: '超时补偿券', thresholdFen: 0, scope: 'ALL' })
const quote: PreOrder = {
  originFen: 1990,
  discountFen: 500,
  payFen: 1490,
  coupons: [coupon],
  couponId: 'c5',
  payExpireAt: 0,
  agreeUrl: '',
  levels: { STD: 1990, PRO: 4990 },
}
const night = { now: Date.UTC(2026, 10, 20, 19), dueAt: Date.UTC(2026, 10, 21, 3) }
const until = Date.now() + 14 * 60_000
const checkout = (over: Partial<PreOrder> = {}, of: Order = order) => (
  <CheckoutContent
    order={of}
    quote={{ ...quote, ...over }}
    until={until}
    choosing={false}
    onChoose={nothing}
    onStale={nothing}
    brief={false}
  />
)
const ways = [
  { type: 'WX_H5', default: true, note: '将打开微信完成支付' },
  { type: 'ALI_WAP', default: false, note: '将打开支付宝完成支付' },
] as const
const loaded = { data: [...ways], loading: false, reload: nothing }

const gallery: Gallery = {
  title: '下单与支付',
  states: [
    { name: '加载中', render: () => <SkeletonForm fields={5} /> },
    { name: '确认订单', render: () => checkout() },
    { name: '夜里下单，没有截图', render: () => checkout({ ...night, pictures: 0 }) },
    { name: '没有优惠券', render: () => checkout({ coupons: [], couponId: undefined, discountFen: 0, payFen: 1990 }) },
    { name: '不用付款', render: () => checkout({ discountFen: 1990, payFen: 0 }) },
    { name: '未实名', render: () => <IdentityNotice code='REALNAME_REQUIRED' /> },
    { name: '未成年', render: () => <IdentityNotice code='MINOR_NOT_ALLOWED' /> },
    {
      name: '支付方式',
      render: () => <ChannelSheet open load={loaded} apple={false} busy={false} onPick={nothing} onClose={nothing} />,
    },
    {
      name: '解锁报告',
      render: () => checkout({ originFen: 390, payFen: 390, couponId: undefined, levels: undefined }, unlock),
    },
    { name: '订单已关闭', render: () => <ResultHeader order={{ ...order, status: 'CLOSED' }} prices closed /> },
    { name: '不能支付的环境', render: () => <PaymentsUnavailable /> },
    { name: '没有这笔订单', render: () => <OrderNotFound /> },
    {
      name: '正在确认',
      render: () => <ConfirmingPayment slow={false} loading={false} onRefresh={nothing} onPay={nothing} />,
    },
    {
      name: '迟迟没有确认',
      render: () => <ConfirmingPayment slow loading={false} onRefresh={nothing} onPay={nothing} />,
    },
    {
      name: '支付成功',
      render: () => (
        <>
          <ResultHeader order={paid} prices />
          <OrderProgress order={paid} />
        </>
      ),
    },
    ...(['REPORTED', 'REVALUING', 'REFUNDING', 'REFUNDED'] as const).map((status) => ({
      name: `结果 · ${manualOrderStatusText[status]}`,
      render: () => <ResultHeader order={{ ...paid, status, reportedAt: paid.createdAt }} prices />,
    })),
    { name: '报告已解锁', render: () => <ResultHeader order={{ ...unlock, payStatus: 'PAID' }} prices /> },
  ],
}

export default gallery
