/** When a coupon can be used, apart from couponText.ts because the home page does not need it. Pure. */
import { DAY_MS } from './time'
import { dayText, momentText } from './timeText'
import type { UserCoupon } from './types'

/** time before its end from which a coupon expires soon */
const EXPIRING_SOON_MS = 3 * DAY_MS

/** `今天过期`, `明天过期`, `还剩 3 天` in the last three days; undefined before and after them. */
export function expiryWarning({ endAt }: Pick<UserCoupon, 'endAt'>, now: number): string | undefined {
  const left = endAt - now
  if (left <= 0 || left > EXPIRING_SOON_MS) return undefined
  const day = dayText(endAt, now)
  return day === '今天' || day === '明天' ? `${day}过期` : `还剩 ${Math.ceil(left / DAY_MS)} 天`
}

/** `12月19日过期`, in the last three days with the time, `明天 09:00 过期`; before its first day `12月1日 至 12月19日`. */
export function couponDates({ startAt, endAt }: Pick<UserCoupon, 'startAt' | 'endAt'>, now: number): string {
  if (startAt > now) return `${dayText(startAt, now)} 至 ${dayText(endAt, now)}`
  if (endAt <= now) return `${dayText(endAt, now)}已过期`
  return expiryWarning({ endAt }, now) ? `${momentText(endAt, now)} 过期` : `${dayText(endAt, now)}过期`
}
