/** Effects of a refund's outcome on its order. */
import { yuan } from '@/contract/format'
import type { OrderStatus } from '@/contract/orderStatus'
import type { Db } from '../../../db/database'
import { release } from '../../payments/coupons/redemption'
import { restoreRevaluationCoupon, revokeRevaluationCoupon } from '../../payments/coupons/revaluation-coupon'
import { lockOrder } from '../lock-order'
import { notifyOwner } from '../notify-owner'
import { type Actor, modesOf, transitionOrder } from '../order-transitions'
import { deliveryDueAt, SUPPLY_PERIOD_MS } from '../periods'

const COUPON_BACK = '；所用的优惠券未过期的，已退回“我的优惠券”'

/**
 * The refund of the payment that settled the order is complete: REFUNDING → REFUNDED, the coupon is released, a bought
 * report is locked again. Not for surplus payments (SURPLUS of `markPaid`): they do not affect the order. Idempotent.
 * @param why for the user: the reason of an order that cost nothing and that the owner has not cancelled
 */
export async function onRefunded(tx: Db, orderId: string, now: number, why?: string): Promise<void> {
  const order = await lockOrder(tx, orderId)
  if (!order) return
  const patch = { pay_status: 'REFUNDED', refund_due_at: null }
  if (!(await transitionOrder(tx, { orderId, from: 'REFUNDING', to: 'REFUNDED', now, actor: 'provider', patch })))
    return
  const { ourFault } = await refundCause(tx, order.id)
  await release(tx, { orderId, now, ourFault })
  if (order.mode === 'AI')
    await tx
      .updateTable('reports')
      .set({ status: 'LOCKED' })
      .where('order_id', '=', orderId)
      .where('status', '=', 'UNLOCKED')
      .execute()
  await notifyOwner(tx, order, {
    ...{ type: 'REFUNDED', bizType: 'REFUND', tab: 'REFUND', now },
    ...(order.pay_fen > 0
      ? { title: '退款到账', summary: `“${order.title}”的 ${yuan(order.pay_fen)} 已原路退回` }
      : {
          title: '订单已取消',
          summary: `“${order.title}”${why ? `${why}，` : ''}未付款${order.discount_fen > 0 ? COUPON_BACK : ''}`,
        }),
  })
}

/**
 * The provider completed a refund: one we requested, also if it had first refused it and the order had returned to its
 * earlier status, or one that the payer requested from it. The order becomes REFUNDED.
 * @returns false when it was delivered meanwhile: it keeps its report and status, for staff to decide, but not what
 * only a paid order has: revaluation and coupon for a bad rating
 */
export async function onProviderRefund(tx: Db, orderId: string, now: number): Promise<boolean> {
  const order = await lockOrder(tx, orderId)
  if (!order) return false
  const from = order.status as OrderStatus
  if (from !== 'REFUNDING') {
    await revokeRevaluationCoupon(tx, orderId)
    if (!modesOf(from, 'REFUNDING').includes(order.mode)) {
      await tx.updateTable('orders').set({ revalued: true }).where('id', '=', orderId).execute()
      return false
    }
    const patch = { pay_status: 'REFUNDING', refund_from: from, refund_answer: null }
    await transitionOrder(tx, {
      orderId,
      from,
      to: 'REFUNDING',
      now,
      actor: 'provider',
      patch,
      note: '支付平台完成了退款',
    })
  }
  await onRefunded(tx, orderId, now)
  return true
}

interface Back {
  orderId: string
  /** what the user is told */
  reason: string
  now: number
  actor?: Actor
  title?: string
}

/**
 * REFUNDING → the earlier status, with the reason; our time limit restarts. Without `actor` it is the provider that refuses.
 * @returns false when not REFUNDING
 */
export async function revertRefunding(tx: Db, back: Back): Promise<boolean> {
  const { orderId, reason, now, actor = 'provider', title = '退款未成功' } = back
  const order = await lockOrder(tx, orderId)
  if (order?.status !== 'REFUNDING') return false
  const to = (order.refund_from ?? (order.mode === 'AI' ? 'UNLOCKED' : 'ASSIGNED')) as OrderStatus
  const patch = {
    pay_status: 'PAID',
    refund_due_at: null,
    refund_answer: reason,
    cancel_reason: null,
    ...(order.mode === 'MANUAL' && { due_at: deliveryDueAt(now), reassigned_at: null }),
    ...(to === 'WAIT_INFO' && { info_due_at: now + SUPPLY_PERIOD_MS }),
  }
  await transitionOrder(tx, { orderId, from: 'REFUNDING', to, now, actor, patch, note: reason })
  await restoreRevaluationCoupon(tx, orderId, now)
  // it is listed with the other orders again
  await notifyOwner(tx, order, { title, summary: `“${order.title}”：${reason}`, bizType: 'REFUND', now })
  return true
}

/**
 * Whether we caused the refund: last requested by a time limit (`system`) or by staff, also if the provider completed it
 * later; not when only the payer asked, us or the provider.
 */
async function refundCause(tx: Db, orderId: string): Promise<{ ourFault: boolean }> {
  const last = await tx
    .selectFrom('order_events')
    .select('actor')
    .where('order_id', '=', orderId)
    .where('to_status', '=', 'REFUNDING')
    .where('actor', '<>', 'provider')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { ourFault: last !== undefined && !last.actor.startsWith('user:') }
}
