import type { Order, SaleFollowUp, ValuationEvaluation } from '@/contract/types'
import { sampleManualOrder } from '@/samples/order'
import type { Gallery } from '@/ui/gallery'
import { ReviewContent } from './ReviewScreen'
import { SaleContent } from './SaleContent'

const nothing = () => undefined
const createdAt = 1_763_692_800_000
const reported = sampleManualOrder({ status: 'REPORTED', payStatus: 'PAID', actions: ['VIEW', 'EVALUATE'] })
const review: ValuationEvaluation = {
  orderId: 'gallery',
  score: 2,
  accuracy: 'LOW',
  tags: ['依据清楚'],
  content: '皮肤估得偏低。',
  createdAt,
}
const content = (order: Order, given: ValuationEvaluation | null) => (
  <ReviewContent order={order} review={given} onSent={nothing} />
)

const followUp: SaleFollowUp = {
  ...{ orderId: 'gallery', gameId: 'hok', gameName: '王者荣耀', title: '王者荣耀 · 安卓微信' },
  ...{ predictFen: 232_300, reportedAt: createdAt, thanked: false },
}

const gallery: Gallery = {
  title: '评价',
  states: [
    { name: '评价', render: () => content(reported, null) },
    { name: '卖出回访', render: () => <SaleContent followUp={followUp} /> },
    {
      name: '卖出回访填写后',
      render: () => (
        <SaleContent
          followUp={{
            ...{ ...followUp, thanked: true },
            answer: { outcome: 'SOLD', soldFen: 225_000, soldAt: createdAt, platform: '某平台', toldAt: createdAt },
          }}
        />
      ),
    },
    { name: '评价后追加', render: () => content({ ...reported, evaluated: true }, review) },
    {
      name: '追评后',
      render: () =>
        content(
          { ...reported, status: 'REVALUING', actions: ['VIEW'] },
          { ...review, addition: '已复估。', addedAt: createdAt },
        ),
    },
  ],
}

export default gallery
