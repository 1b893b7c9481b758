import { EXPERT_FROM_FEN, MANUAL_FROM_FEN, UPPER_FROM_FEN } from '@/contract/constants'
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

/** The service advised for an account of this estimate, whatever is chosen; undefined where it depends on what is needed, or none is worth it. */
export function advisedLevel(aiFen: number | undefined): ManualLevel | undefined {
  if (aiFen === undefined || aiFen < MANUAL_FROM_FEN) return undefined
  if (aiFen < UPPER_FROM_FEN) return 'STD'
  return aiFen < EXPERT_FROM_FEN ? undefined : 'PRO'
}

/**
 * Services that cost much of what the account is worth: which share of the estimate the lowest one's price is, or what
 * another costs more than it. Below `MANUAL_FROM_FEN` none is worth its price.
 */
export function unadvisedShares({ levels, aiFen }: Pick<PreOrder, 'levels' | 'aiFen'>): Map<ManualLevel, number> {
  if (!levels || !aiFen || aiFen >= UPPER_FROM_FEN) return new Map()
  const against = keysOf(manualLevelText).filter((one) => aiFen < MANUAL_FROM_FEN || one !== 'STD')
  return new Map(against.map((one) => [one, (levels[one] - (one === 'STD' ? 0 : levels.STD)) / aiFen]))
}
