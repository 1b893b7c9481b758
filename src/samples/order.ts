import type { Order } from '@/contract/types'

const base: Order = {
  orderId: 'o1',
  orderNo: 'E20261121144901000001',
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
}

/** An AI valuation whose report is locked. */
export const sampleOrder = (over: Partial<Order> = {}): Order => ({
  ...base,
  predictFen: 197_500,
  lowFen: 148_200,
  highFen: 263_900,
  ...over,
})

/** A manual order that waits for its payment. */
export const sampleManualOrder = (over: Partial<Order> = {}): Order => ({
  ...base,
  orderNo: 'M20261121144901000001',
  mode: 'MANUAL',
  status: 'UNPAID',
  statusText: '待支付',
  originFen: 1990,
  payFen: 1990,
  level: 'STD',
  actions: ['PAY', 'CANCEL'],
  ...over,
})
