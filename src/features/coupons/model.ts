import { couponDates, couponTerm } from '@/contract/couponText'
import { couponScopeText, userCouponStatusText } from '@/contract/labels'
import { DAY_MS } from '@/contract/time'
import type { CentreCoupon, UserCoupon } from '@/contract/types'
import { nav } from '@/router/nav'
import { copy } from './copy'

/** days before its end from which a coupon shows that it expires soon */
const EXPIRING_SOON_MS = 3 * DAY_MS

/** `3 天后过期` in the last three days; undefined before. */
export function expiryWarning(
  { status, endAt }: Pick<UserCoupon, 'status' | 'endAt'>,
  now: number,
): string | undefined {
  const left = endAt - now
  if (status !== 'UNUSED' || left <= 0 || left > EXPIRING_SOON_MS) return undefined
  return copy.soon(Math.ceil(left / DAY_MS))
}

type Rule = Pick<UserCoupon, 'type' | 'amountFen' | 'percent' | 'capFen' | 'thresholdFen' | 'scope'>

/** Conditions of use, one per line. */
export function ruleLines(c: Rule, dates: string): string[] {
  return [
    ...(c.type === 'FREE' ? [copy.rules.free] : [couponTerm(c)]),
    couponScopeText[c.scope],
    dates,
    copy.rules.one,
    copy.rules.back,
  ]
}

/** Validity period of a coupon that has not been received yet. */
export function validityText({ validType, days, startAt, endAt }: CentreCoupon): string {
  return validType === 'DAYS' ? copy.days(days ?? 0) : couponDates({ startAt: startAt ?? 0, endAt: endAt ?? 0 })
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
  return void nav.tab('evaluation', { mode })
}
