import { DAY_MS } from '@/contract/time'
import type { CentreCoupon, UserCoupon } from '@/contract/types'

const rule = { templateId: 't1', name: '新人立减', type: 'DIRECT', amountFen: 500, thresholdFen: 1990 } as const

/** A coupon of a user, valid for another month. */
export const sampleCoupon = (over: Partial<UserCoupon> = {}): UserCoupon => ({
  ...rule,
  couponId: 'c1',
  scope: 'MANUAL',
  gameIds: [],
  status: 'UNUSED',
  startAt: 0,
  endAt: Date.now() + 30 * DAY_MS,
  receivedAt: 0,
  ...over,
})

/** A coupon that can be taken at the coupon centre. */
export const sampleCentreCoupon = (over: Partial<CentreCoupon> = {}): CentreCoupon => ({
  ...rule,
  scope: 'MANUAL',
  gameIds: [],
  total: 100,
  left: 40,
  perUser: 1,
  validType: 'DAYS',
  days: 7,
  state: 'AVAILABLE',
  ...over,
})
