import type { Selectable } from 'kysely'
import type { UserCoupon } from '@/contract/types'
import type { Db } from '../../../db/database'
import type { CouponTemplates, UserCoupons } from '../../../db/tables'

/** A user's coupon with its template's rule. */
export type OwnedCoupon = Selectable<UserCoupons> &
  Pick<
    Selectable<CouponTemplates>,
    'name' | 'type' | 'amount_fen' | 'percent' | 'cap_fen' | 'threshold_fen' | 'scope' | 'game_ids'
  >

export const ownedCoupons = (db: Db, userId: string) =>
  db
    .selectFrom('user_coupons')
    .innerJoin('coupon_templates as t', 't.template_id', 'user_coupons.template_id')
    .selectAll('user_coupons')
    .select(['t.name', 't.type', 't.amount_fen', 't.percent', 't.cap_fen', 't.threshold_fen', 't.scope', 't.game_ids'])
    .where('user_coupons.user_id', '=', userId)

/** The user's coupons that may still be used: unused or locked by an order. */
export const couponsOf = (db: Db, userId: string): Promise<OwnedCoupon[]> =>
  ownedCoupons(db, userId).where('user_coupons.status', 'in', ['UNUSED', 'LOCKED']).execute()

/** Status at this time: an unused coupon past its end is expired even before the job updates the row. */
const statusAt = (c: OwnedCoupon, now: number) => (c.status === 'UNUSED' && c.end_at <= now ? 'EXPIRED' : c.status)

/** A coupon as the contract has it. */
export function toUserCoupon(c: OwnedCoupon, now: number, discountFen?: number): UserCoupon {
  return {
    couponId: c.coupon_id,
    templateId: c.template_id,
    name: c.name,
    type: c.type,
    ...(c.amount_fen > 0 && { amountFen: c.amount_fen }),
    ...(c.percent !== null && { percent: c.percent }),
    ...(c.cap_fen !== null && { capFen: c.cap_fen }),
    thresholdFen: c.threshold_fen,
    scope: c.scope,
    gameIds: c.game_ids,
    status: statusAt(c, now),
    startAt: c.start_at,
    endAt: c.end_at,
    receivedAt: c.received_at,
    ...(c.used_at !== null && { usedAt: c.used_at }),
    ...(c.order_id !== null && { orderId: c.order_id }),
    ...(discountFen !== undefined && { discountFen }),
  }
}
