import type { Order } from '@/contract/types'
import type { Gallery } from '@/ui/gallery'
import { Counts } from './parts/Counts'
import { GuestHead, HeadBones, HeadFailed } from './parts/Head'
import { OrderCard } from './parts/OrderCard'

const order: Order = {
  orderId: 'o1',
  orderNo: 'E20261121144917433411',
  mode: 'AI',
  gameId: 'hok',
  gameName: '王者荣耀',
  gameIcon: '',
  title: '王者荣耀 · 安卓微信 · V8',
  status: 'REPORTED',
  statusText: '待解锁',
  payStatus: 'UNPAID',
  originFen: 0,
  discountFen: 0,
  payFen: 0,
  createdAt: 1_763_692_800_000,
  evaluated: false,
  actions: ['VIEW'],
  predictFen: 197_500,
  lowFen: 148_200,
  highFen: 263_900,
}
const bare = { predictFen: undefined, lowFen: undefined, highFen: undefined }

const gallery: Gallery = {
  title: '我的',
  states: [
    { name: '未登录', render: () => <GuestHead /> },
    { name: '加载中', render: () => <HeadBones /> },
    { name: '加载失败', render: () => <HeadFailed onRetry={() => undefined} /> },
    { name: '数量', render: () => <Counts counts={{ unpaid: 0, ing: 1, done: 120, refund: 0 }} /> },
    { name: '记录：待解锁', render: () => <OrderCard order={order} /> },
    {
      name: '记录：估价中',
      render: () => (
        <OrderCard order={{ ...order, ...bare, status: 'PROCESSING', statusText: '估价中', actions: [] }} />
      ),
    },
    {
      name: '记录：已过期',
      render: () => (
        <OrderCard order={{ ...order, status: 'EXPIRED', statusText: '已过期', actions: ['VIEW', 'REVALUE'] }} />
      ),
    },
    {
      name: '记录：样本不足',
      render: () => (
        <OrderCard
          order={{ ...order, ...bare, status: 'INSUFFICIENT', statusText: '样本不足', actions: ['REVALUE'] }}
        />
      ),
    },
  ],
}

export default gallery
