/** Statuses of an order, the actions they allow and the tabs they are listed under, with their labels. */
import { momentText } from './timeText'

/** orders valued by the model */
export const aiOrderStatusText = {
  WAIT_AUTH: '待授权',
  PROCESSING: '估价中',
  FAILED: '估价失败',
  INSUFFICIENT: '样本不足',
  REPORTED: '待解锁',
  UNLOCKED: '已解锁',
  DONE: '已完成',
  EXPIRED: '已过期',
  REFUNDING: '退款中',
  REFUNDED: '已退款',
  CANCELED: '已取消',
  CLOSED: '已关闭',
} as const

/** orders valued by a person */
export const manualOrderStatusText = {
  UNPAID: '待支付',
  PAID: '待接单',
  ASSIGNED: '估价中',
  WAIT_INFO: '待补充资料',
  REPORTED: '已出报告',
  REVALUING: '复估中',
  REFUNDING: '退款中',
  DONE: '已完成',
  REFUNDED: '已退款',
  CANCELED: '已取消',
  CLOSED: '已关闭',
} as const

export type AiOrderStatus = keyof typeof aiOrderStatusText
export type ManualOrderStatus = keyof typeof manualOrderStatusText
export type OrderStatus = AiOrderStatus | ManualOrderStatus

/** An order that was given to an appraiser who has not begun it: not accepted yet. */
export const unacceptedText = '已分配，等待开始'

/** The label of a status, which depends on the mode. */
export function orderStatusText(mode: 'AI' | 'MANUAL', status: OrderStatus): string {
  const words: Partial<Record<OrderStatus, string>> = mode === 'AI' ? aiOrderStatusText : manualOrderStatusText
  return words[status] ?? '—'
}

/** actions the server allows on an order */
export const orderActionText = {
  PAY: '去支付',
  CANCEL: '取消订单',
  RETRY_AUTH: '重新授权',
  SUPPLY: '补充资料',
  URGE: '催一催',
  VIEW: '查看报告',
  UNLOCK: '解锁报告',
  REVALUE: '重新估价',
  EVALUATE: '去评价',
  COMPARE: '加入对比',
  ASK: '问估价师',
  REFUND: '申请退款',
  SELL: '去出售',
  DELETE: '删除',
} as const

/** REVALUE of an appraiser's report is the free revaluation while the report is valid; afterwards it is a new order. */
export const isFreeRevaluation = ({ mode, status }: { mode: 'AI' | 'MANUAL'; status: OrderStatus }): boolean =>
  mode === 'MANUAL' && status === 'REPORTED'

export const orderTabText = { ALL: '全部', ING: '进行中', DONE: '已完成', REFUND: '退款/取消' } as const

interface Late {
  late?: { refundAt: number; coupon: boolean } | undefined
  payFen: number
}

/** What follows from a late order. @param prices false where payment wording is not allowed */
export const lateText = ({ late, payFen }: Late, now: number, prices: boolean): string =>
  `${prices && late?.coupon ? '超时补偿券已发放；' : ''}${momentText(late?.refundAt, now)} 前未完成，${prices && payFen > 0 ? '自动全额退款' : '订单自动取消'}`

/** Until when information is awaited. @param paid whether there is a payment to return, where payment wording is allowed */
export const supplyUntilText = (at: number, now: number, paid: boolean): string =>
  `请在 ${momentText(at, now)} 前补充，逾期${paid ? '全额退款' : '订单自动取消'}`
