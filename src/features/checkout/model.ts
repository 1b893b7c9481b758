import { keysOf, type ManualLevel, manualLevelText } from '@/contract/labels'
import type { Order, PreOrder } from '@/contract/types'

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

/** The service advised, whatever is chosen; undefined where it depends on what is needed, or none is worth it. */
export const advisedLevel = (advice: PreOrder['advice']): ManualLevel | undefined =>
  advice === 'STD' || advice === 'PRO' ? advice : undefined

/** Services that cost much of what the account is worth. */
export function unadvisedLevels(advice: PreOrder['advice']): readonly ManualLevel[] {
  if (advice !== 'NONE' && advice !== 'STD') return []
  return keysOf(manualLevelText).filter((one) => one !== advice)
}

/** Which share of the AI estimate the lowest service costs, or another one costs more than it; undefined without an estimate. */
export function shareOfEstimate({ levels, aiFen }: PreOrder, level: ManualLevel): number | undefined {
  if (!levels || !aiFen) return undefined
  return (levels[level] - (level === 'STD' ? 0 : levels.STD)) / aiFen
}

/** Texts that the buyer agreed to on this visit, by order: the cashier follows the checkout. */
export const consents = new Map<string, string>()
