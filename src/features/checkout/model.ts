import type { Order } from '@/contract/types'

/** State of an order from the point of view of payment. */
export type PayStage = 'payable' | 'paid' | 'refund' | 'closed'

/** Only the server's status counts, not the URL or the cashier's result. */
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

/** URLs cannot distinguish unset from empty, so choosing no coupon has its own value. */
export const NO_COUPON = 'none'
/** URL parameter to call parameter: undefined = best coupon by the server, empty = none. */
export const couponIdFromParam = (param: string | undefined) => (param === NO_COUPON ? '' : param)
export const couponIdToParam = (couponId: string | undefined) => couponId || NO_COUPON
