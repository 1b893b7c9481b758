import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { AppError } from '../../../core/app-error'
import type { Db } from '../../../db/database'

/** ms of extended validity after a refund that we caused */
const EXTENSION = DAY_MS

interface Lock {
  couponId: string
  userId: string
  orderId: string
  /** ms */
  now: number
}

/**
 * UNUSED → LOCKED for one order, in one conditional update; idempotent for the same order. The caller has checked with
 * `ineligibleReason` that the coupon fits the order.
 * @throws AppError COUPON_NOT_USABLE: another user's, locked by another order, used, expired
 */
export async function lock(tx: Db, { couponId, userId, orderId, now }: Lock): Promise<void> {
  const row = await tx
    .updateTable('user_coupons')
    .set({ status: 'LOCKED', order_id: orderId })
    .where('coupon_id', '=', couponId)
    .where('user_id', '=', userId)
    .where('start_at', '<=', now)
    .where('end_at', '>', now)
    .where((e) => e.or([e('status', '=', 'UNUSED'), e.and([e('status', '=', 'LOCKED'), e('order_id', '=', orderId)])]))
    .returning('coupon_id')
    .executeTakeFirst()
  if (!row) throw new AppError('COUPON_NOT_USABLE')
}

/** LOCKED → USED: the order it was locked for is paid. */
export async function use(tx: Db, { orderId, now }: { orderId: string; now: number }): Promise<void> {
  await tx
    .updateTable('user_coupons')
    .set({ status: 'USED', used_at: now })
    .where('order_id', '=', orderId)
    .where('status', '=', 'LOCKED')
    .execute()
}

/**
 * Releases the order's coupon (cancel, close, failed payment, full refund): UNUSED again, or EXPIRED when
 * past its end or withdrawn. After a refund that we caused it stays valid for at least 24 hours.
 */
export async function release(
  tx: Db,
  { orderId, now, ourFault = false }: { orderId: string; now: number; ourFault?: boolean },
): Promise<void> {
  const end = ourFault ? sql<number>`greatest(end_at, ${now + EXTENSION}::bigint)` : sql<number>`end_at`
  await tx
    .updateTable('user_coupons')
    .set({
      status: sql`case when not withdrawn and ${end} > ${now}::bigint then 'UNUSED' else 'EXPIRED' end`,
      end_at: sql`case when withdrawn then end_at else ${end} end`,
      order_id: null,
      used_at: null,
    })
    .where('order_id', '=', orderId)
    .execute()
}
