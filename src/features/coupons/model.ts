import { couponDates } from '@/contract/couponDates'
import { userCouponStatusText } from '@/contract/labels'
import type { CentreCoupon, UserCoupon } from '@/contract/types'
import { nav } from '@/router/nav'
import { copy } from './copy'

/** Validity period of a coupon that has not been received yet. */
export function validityText({ validType, days, startAt, endAt }: CentreCoupon, now: number): string {
  return validType === 'DAYS' ? copy.days(days ?? 0) : couponDates({ startAt: startAt ?? 0, endAt: endAt ?? 0 }, now)
}

/** Why a coupon cannot be received or used; undefined if it can. */
export function unavailableReason({ state, mine }: Pick<CentreCoupon, 'state' | 'mine'>): string | undefined {
  return state === 'RECEIVED' && mine && mine !== 'UNUSED' ? userCouponStatusText[mine] : undefined
}

/** Opens the page where the coupon can be used. */
export function openUsePage({ scope, gameIds, type }: Pick<UserCoupon, 'scope' | 'gameIds' | 'type'>) {
  const mode = scope === 'MANUAL' ? 'MANUAL' : 'AI'
  const [gameId] = gameIds
  if (scope === 'GAME' && gameIds.length === 1 && gameId) return void nav.to('evaluationFillInInfo', { gameId, mode })
  // a free-report coupon applies to existing reports
  if (type === 'FREE') return void nav.to('mineEvaluationRecords', { tab: 'DONE' })
  return void nav.to('evaluationChooseGame', { mode })
}
