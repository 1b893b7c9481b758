import type { Order, OrderAction } from '@/contract/types'
import { sampleOrder } from '@/samples/order'
import type { Gallery } from '@/ui/gallery'
import { SkeletonRows } from '@/ui/Skeleton/Skeleton'
import type { OrderHandlers } from './orderButtons'
import { OrderCard } from './parts/OrderCard'
import { NoOrders } from './parts/OrderList'
import { SelectableOrderCard } from './parts/SelectableOrderCard'

const nothing = () => undefined
const tools: OrderHandlers = { prices: true, openSheet: nothing, urge: nothing, remove: nothing, compare: nothing }
const priceless = { predictFen: undefined, lowFen: undefined, highFen: undefined }
const card = (statusText: string, status: Order['status'], actions: OrderAction[], over: Partial<Order> = {}) => (
  <OrderCard order={sampleOrder({ status, statusText, actions, ...over })} tools={tools} />
)
const manual = { ...priceless, mode: 'MANUAL', payFen: 1990, originFen: 1990, payStatus: 'PAID' } as const
const inTwoHours = Date.now() + 7_200_000
const gallery: Gallery = {
  title: '估价记录',
  states: [
    { name: '加载中', render: () => <SkeletonRows /> },
    { name: '待授权', render: () => card('待授权', 'WAIT_AUTH', ['RETRY_AUTH', 'CANCEL'], priceless) },
    { name: '估价失败', render: () => card('估价失败', 'FAILED', ['RETRY_AUTH', 'REVALUE'], priceless) },
    { name: '样本不足', render: () => card('样本不足', 'INSUFFICIENT', ['REVALUE'], priceless) },
    { name: '待解锁', render: () => card('待解锁', 'REPORTED', ['VIEW', 'UNLOCK', 'EVALUATE', 'COMPARE']) },
    {
      name: '待支付',
      render: () =>
        card('待支付', 'UNPAID', ['PAY', 'CANCEL'], {
          ...manual,
          payStatus: 'UNPAID',
          payExpireAt: Date.now() + 14 * 60_000,
        }),
    },
    { name: '待接单', render: () => card('待接单', 'PAID', ['URGE', 'CANCEL'], { ...manual, dueAt: inTwoHours }) },
    {
      name: '超时',
      render: () =>
        card('待接单', 'PAID', ['URGE', 'CANCEL'], {
          ...manual,
          late: { refundAt: Date.now() + 82_800_000, coupon: true },
        }),
    },
    {
      name: '待补充资料',
      render: () => card('待补充资料', 'WAIT_INFO', ['SUPPLY', 'CANCEL'], { ...manual, notice: '请补充皮肤列表截图' }),
    },
    {
      name: '退款中',
      render: () => card('退款中', 'REFUNDING', [], { ...manual, payStatus: 'REFUNDING' }),
    },
    { name: '已退款', render: () => card('已退款', 'REFUNDED', ['DELETE'], { ...manual, payStatus: 'REFUNDED' }) },
    {
      name: '选择对比',
      render: () => (
        <>
          <SelectableOrderCard
            order={sampleOrder({ actions: ['COMPARE'] })}
            picked={[sampleOrder()]}
            prices
            onToggle={nothing}
          />
          <SelectableOrderCard
            order={sampleOrder({ orderId: 'other' })}
            picked={[sampleOrder()]}
            prices
            onToggle={nothing}
          />
        </>
      ),
    },
    { name: '没有记录', render: () => <NoOrders tab='ALL' game={undefined} onAll={nothing} /> },
    { name: '没有进行中', render: () => <NoOrders tab='ING' game={undefined} onAll={nothing} /> },
  ],
}

export default gallery
