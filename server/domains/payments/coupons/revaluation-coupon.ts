import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database'
import { grantByRule } from './grant'

const couponOf = (orderId: string) => sql<string>`(select revaluation_coupon_id from orders where id = ${orderId})`

/** Grants a coupon for another full report after a bad rating. */
export async function grantRevaluationCoupon(
  tx: Db,
  { orderId, userId, now }: { orderId: string; userId: string; now: number },
) {
  const couponId = await grantByRule(tx, 'RECHECK', userId, now)
  if (couponId)
    await tx.updateTable('orders').set({ revaluation_coupon_id: couponId }).where('id', '=', orderId).execute()
}

/**
 * What became of the coupon that a bad rating of an order earned; undefined without one. Ended before its time, or with
 * the payment returned, it is REVOKED.
 * @param isPaidBack over `orders`
 */
export async function revaluationCouponState(
  db: Db,
  orderId: string,
  isPaidBack: RawBuilder<boolean>,
  now: number,
): Promise<'GIVEN' | 'REVOKED' | undefined> {
  const coupon = await db
    .selectFrom('orders')
    .innerJoin('user_coupons as c', 'c.coupon_id', 'orders.revaluation_coupon_id')
    .select(['c.status', 'c.end_at', isPaidBack.as('isPaidBack')])
    .where('orders.id', '=', orderId)
    .executeTakeFirst()
  if (!coupon) return undefined
  return coupon.status === 'EXPIRED' && (coupon.isPaidBack || coupon.end_at > now) ? 'REVOKED' : 'GIVEN'
}

/**
 * Revokes the coupon of an order, so that a refunded user does not keep it.
 * @returns false when it was used or is locked
 */
export async function revokeRevaluationCoupon(tx: Db, orderId: string): Promise<boolean> {
  await tx
    .updateTable('user_coupons')
    .set({ status: 'EXPIRED' })
    .where('coupon_id', '=', couponOf(orderId))
    .where('status', '=', 'UNUSED')
    .execute()
  const used = await tx
    .selectFrom('user_coupons')
    .select('coupon_id')
    .where('coupon_id', '=', couponOf(orderId))
    .where('status', '<>', 'EXPIRED')
    .executeTakeFirst()
  return used === undefined
}

/** Restores the coupon when no refund was made; an expired one stays expired. */
export const restoreRevaluationCoupon = (tx: Db, orderId: string, now: number) =>
  tx
    .updateTable('user_coupons')
    .set({ status: 'UNUSED' })
    .where('coupon_id', '=', couponOf(orderId))
    .where('status', '=', 'EXPIRED')
    .where('end_at', '>', now)
    .execute()
