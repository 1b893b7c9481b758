/** Texts about coupons. Pure. */
import { MISSING, shortYuan } from './format'
import type { UserCoupon } from './types'

type Rule = Pick<UserCoupon, 'type' | 'amountFen' | 'percent' | 'capFen' | 'thresholdFen'>

/** Value of a coupon: `¥5`, `8.5折`, `免费`; `—` if the server omits it. */
export function couponWorth({ type, amountFen, percent }: Rule): string {
  if (type === 'FREE') return '免费'
  if (type !== 'PERCENT') return shortYuan(amountFen)
  return percent === undefined ? MISSING : `${percent / 10}折`
}

const inYuan = (fen: number): string => `${shortYuan(fen).replace('¥', '')}元`

/** Minimum price for its use: `满19元可用`. */
export const fromText = (thresholdFen: number): string => `满${inYuan(thresholdFen)}可用`

/** Terms of use: `满19元可用`, `无门槛，最多减5元`. */
export function couponTerm({ type, capFen, thresholdFen }: Rule): string {
  const from = thresholdFen > 0 ? fromText(thresholdFen) : '无门槛'
  return type === 'PERCENT' && capFen !== undefined ? `${from}，最多减${inYuan(capFen)}` : from
}
