import type { Gallery } from '@/ui/gallery'
import { OrderCountsCard } from './parts/OrderCountsCard'
import { GuestHeader } from './parts/UserHeader'

const gallery: Gallery = {
  title: '我的',
  states: [
    { name: '未登录', render: () => <GuestHeader /> },
    { name: '数量', render: () => <OrderCountsCard counts={{ unpaid: 0, ing: 1, done: 120, refund: 0 }} prices /> },
    {
      name: '不显示支付',
      render: () => <OrderCountsCard counts={{ unpaid: 2, ing: 1, done: 0, refund: 0 }} prices={false} />,
    },
  ],
}

export default gallery
