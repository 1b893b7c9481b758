import { couponDates, couponTerm } from '@/contract/couponText'
import { couponScopeText, userCouponStatusText } from '@/contract/labels'
import { DAY_MS } from '@/contract/time'
import type { CentreCoupon, UserCoupon } from '@/contract/types'
import { nav } from '@/router/nav'
import { copy } from './copy'

/** product 3, page 25 */
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

/** What it may be used for, line by line. */
export function ruleLines(c: Rule, dates: string): string[] {
  return [
    ...(c.type === 'FREE' ? [copy.rules.free] : [couponTerm(c)]),
    couponScopeText[c.scope],
    dates,
    copy.rules.one,
    copy.rules.back,
  ]
}

/** When a coupon of the centre may be used once it is received. */
export function validityText({ validType, days, startAt, endAt }: CentreCoupon): string {
  return validType === 'DAYS' ? copy.days(days ?? 0) : couponDates({ startAt: startAt ?? 0, endAt: endAt ?? 0 })
}

/** What has become of a coupon that was received and cannot be used (any more); undefined while it can. */
export function unavailableReason({ state, mine }: Pick<CentreCoupon, 'state' | 'mine'>): string | undefined {
  return state === 'RECEIVED' && mine && mine !== 'UNUSED' ? userCouponStatusText[mine] : undefined
}

/** To where it can be used: its only game, or the mode it is for. */
export function openUsePage({ scope, gameIds, type }: Pick<UserCoupon, 'scope' | 'gameIds' | 'type'>) {
  const mode = scope === 'MANUAL' ? 'MANUAL' : 'AI'
  const [gameId] = gameIds
  if (scope === 'GAME' && gameIds.length === 1 && gameId) return void nav.to('evaluationFillInInfo', { gameId, mode })
  // a ticket for a full report is for one that is there already
  if (type === 'FREE') return void nav.to('mineEvaluationRecords', { tab: 'DONE' })
  return void nav.tab('evaluation', { mode })
}
