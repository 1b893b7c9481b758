import type { Order } from '@/contract/types'

/** Where an order stands for somebody who wants to pay for it. */
export type PayStage = 'payable' | 'paid' | 'refund' | 'closed'

/** The server's status alone decides; what an address or a cashier says does not count. */
export function payStageOf({
  mode,
  status,
  payStatus,
  actions,
}: Pick<Order, 'mode' | 'status' | 'payStatus' | 'actions'>): PayStage {
  if (payStatus === 'REFUNDING' || payStatus === 'REFUNDED' || status === 'REFUNDING' || status === 'REFUNDED')
    return 'refund'
  if (actions.includes('PAY') || (mode === 'AI' && actions.includes('UNLOCK'))) return 'payable'
  return status === 'CANCELED' || status === 'CLOSED' || status === 'EXPIRED' ? 'closed' : 'paid'
}

/** In an address an unset value and an empty one are the same, so wanting no coupon has a word. */
export const NO_COUPON = 'none'
/** From the address to what the calls are sent: undefined = the server's best, empty = none. */
export const couponIdFromParam = (param: string | undefined) => (param === NO_COUPON ? '' : param)
export const couponIdToParam = (couponId: string | undefined) => couponId || NO_COUPON
