import { type Selectable, sql } from 'kysely'
import { AppError, orderNotFound } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import type { Orders } from '../../../db/tables'
import type { Settings } from '../../../settings'
import {
  compareByDiscount,
  discountedPrice,
  ineligibleReason,
  type Price,
  type Purchase,
} from '../../payments/coupons/eligibility'
import { lock, release } from '../../payments/coupons/redemption'
import { couponsOf, type OwnedCoupon } from '../../payments/coupons/user-coupons'
import { isReportValid, reportValidUntil } from '../../reports/validity'
import { selectOwnOrder } from '../own-order'
import { PAYMENT_PERIOD_MS } from '../periods'

export type OrderRow = Selectable<Orders>

/** What is bought; manual orders keep the price of their creation. */
export const purchaseOf = (settings: Settings, order: OrderRow): Purchase => ({
  orderId: order.id,
  mode: order.mode,
  gameId: order.game_id,
  originFen: order.mode === 'AI' ? settings.aiReportFen : order.origin_fen,
})

/** Time limit for paying the order, ms; for an AI order without a begun payment, as if one began now. */
export const paymentDeadline = (order: OrderRow, now: number): number =>
  order.mode === 'MANUAL' || (order.pay_expire_at ?? 0) > now
    ? (order.pay_expire_at ?? now)
    : Math.min(now + PAYMENT_PERIOD_MS, reportValidUntil(order.reported_at ?? now))

/**
 * @throws AppError PAY_CLOSED: closed, cancelled, expired or past its time limit · ORDER_STATUS_CHANGED: paid, unlocked
 * or not yet payable
 */
export function assertPayable(order: OrderRow, now: number): void {
  const waits = order.status === (order.mode === 'AI' ? 'REPORTED' : 'UNPAID')
  const over = order.mode === 'AI' ? !isReportValid(order.reported_at, now) : (order.pay_expire_at ?? 0) <= now
  if (['CLOSED', 'CANCELED', 'EXPIRED'].includes(order.status) || (waits && over)) throw new AppError('PAY_CLOSED')
  if (!waits) throw new AppError('ORDER_STATUS_CHANGED')
}

/**
 * The chosen coupon: absent = the best usable one, empty = none.
 * @throws AppError COUPON_NOT_USABLE with the reason
 */
export function chooseCoupon(
  held: readonly OwnedCoupon[],
  purchase: Purchase,
  couponId: string | undefined,
  now: number,
): OwnedCoupon | undefined {
  if (couponId === '') return undefined
  if (couponId === undefined)
    return held.filter((c) => !ineligibleReason(c, purchase, now)).sort(compareByDiscount(purchase.originFen))[0]
  const wanted = held.find((c) => c.coupon_id === couponId)
  if (!wanted) throw new AppError('COUPON_NOT_USABLE')
  const reason = ineligibleReason(wanted, purchase, now)
  if (reason) throw new AppError('COUPON_NOT_USABLE', { msg: `该优惠券不可用：${reason}` })
  return wanted
}

export interface LockedPrice extends Price {
  couponId: string | undefined
  /** ms */
  payExpireAt: number
  order: OrderRow
}

/**
 * Fixes the price before a payment is created: locks the order's row, replaces its coupon by the chosen one and writes
 * the amounts. Call in the transaction that writes the payment, and not while an earlier payment of the order may still
 * succeed with other amounts.
 * @throws AppError NOT_FOUND (also another user's), PAY_CLOSED, ORDER_STATUS_CHANGED, COUPON_NOT_USABLE
 */
export async function lockPrice(
  tx: Db,
  settings: Settings,
  { userId, orderId, couponId, now }: { userId: string; orderId: string; couponId: string | undefined; now: number },
): Promise<LockedPrice> {
  const order = await selectOwnOrder(tx, userId, orderId).selectAll().forUpdate().executeTakeFirstOrThrow(orderNotFound)
  assertPayable(order, now)
  const purchase = purchaseOf(settings, order)
  const coupon = chooseCoupon(await couponsOf(tx, userId), purchase, couponId, now)
  if (order.coupon_id && order.coupon_id !== coupon?.coupon_id) await release(tx, { orderId, now })
  if (coupon) await lock(tx, { couponId: coupon.coupon_id, userId, orderId, now })
  const price = discountedPrice(purchase, coupon)
  const payExpireAt = paymentDeadline(order, now)
  const change = {
    coupon_id: coupon?.coupon_id ?? null,
    origin_fen: price.originFen,
    discount_fen: price.discountFen,
    pay_fen: price.payFen,
    pay_expire_at: payExpireAt,
  }
  await tx.updateTable('orders').set(change).where('id', '=', orderId).execute()
  return { ...price, couponId: coupon?.coupon_id, payExpireAt, order: { ...order, ...change } }
}

/** Releases the coupon and removes the discount of an unpaid order; `lockPrice` sets both again. */
export async function resetPrice(tx: Db, orderId: string, now: number): Promise<void> {
  await release(tx, { orderId, now })
  await tx
    .updateTable('orders')
    .set({ coupon_id: null, discount_fen: 0, pay_fen: sql<number>`origin_fen` })
    .where('id', '=', orderId)
    .execute()
}
