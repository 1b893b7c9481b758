import { yuan } from '@/contract/format'
import type { OrderStatus } from '@/contract/orderStatus'
import { AppError } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import { revokeRevaluationCoupon } from '../../payments/coupons/revaluation-coupon'
import { requestRefund } from '../../payments/create-refund'
import { lockOrder } from '../lock-order'
import { notifyOwner } from '../notify-owner'
import { type Actor, type OrderTransition, transitionOrder } from '../order-transitions'
import { REFUND_REVIEW_PERIOD_MS } from '../periods'
import { onRefunded, revertRefunding } from './refund-outcome'

export interface RefundOrder {
  id: string
  user_id: string
  title: string
  pay_fen: number
  mode: 'AI' | 'MANUAL'
}

/**
 * Text for the owner when a refund begins; for a free order, when it is cancelled. `why`: a decision that was not
 * the owner's.
 * @returns undefined when the message that it is cancelled follows at once and says all there is
 */
function beginningText(
  { title, pay_fen, mode }: RefundOrder,
  { review, why }: { review: boolean; why: string | undefined },
): { title: string; summary: string } | undefined {
  if (review) {
    const what = pay_fen > 0 ? '退款' : '取消'
    const when = mode === 'AI' ? '由客服审核' : `将在 24 小时内处理，逾期自动${what}`
    return { title: `${what}申请已提交`, summary: `“${title}”的${what}申请${when}` }
  }
  if (pay_fen === 0) return undefined
  const because = why === undefined ? '' : `${why}，`
  return { title: '正在退款', summary: `“${title}”${because}将全额退款 ${yuan(pay_fen)}，原路退回` }
}

/** Whether the provider has returned the payment already, at the payer's request, of an order that was delivered. */
const isPaidBack = async (tx: Db, orderId: string) =>
  (await tx
    .selectFrom('refunds')
    .select('id')
    .where('order_id', '=', orderId)
    .where('status', '=', 'DONE')
    .where('surplus', '=', false)
    .executeTakeFirst()) !== undefined

/** Starts the refund of the payment; an order without one to return is REFUNDED at once. `why` as in `beginningText` */
async function payBack(tx: Db, order: RefundOrder, reason: string, now: number, why?: string): Promise<void> {
  if (order.pay_fen === 0 || (await isPaidBack(tx, order.id))) await onRefunded(tx, order.id, now, why)
  else await requestRefund(tx, { orderId: order.id, reason, now })
}

interface Begin extends Pick<OrderTransition, 'now' | 'actor' | 'only'> {
  from: OrderStatus
  reason: string
  /** staff decide; without a decision within 24 h that of a manual order is granted */
  review: boolean
  remark?: string
}

/**
 * → REFUNDING: at once for orders nobody has worked on or that are late, otherwise with a review. The owner
 * of an AI report has read it: a refund is for wrong data only, so nothing but a decision grants it. A coupon given for
 * the order is revoked.
 * @returns false when the order is no longer in `from`
 * @throws AppError ORDER_STATUS_CHANGED: the owner asks, but has used the coupon
 */
export async function beginRefund(tx: Db, order: RefundOrder, b: Begin): Promise<boolean> {
  const { from, now, actor, only, reason } = b
  const patch = {
    pay_status: 'REFUNDING',
    refund_from: from,
    refund_due_at: b.review ? now + REFUND_REVIEW_PERIOD_MS : null,
    refund_answer: null,
    cancel_reason: b.remark ? `${reason}：${b.remark}` : reason,
  }
  const moved = await transitionOrder(tx, {
    orderId: order.id,
    from,
    to: 'REFUNDING',
    now,
    actor,
    patch,
    note: reason,
    ...(only && { only }),
  })
  if (!moved) return false
  if (!(await revokeRevaluationCoupon(tx, order.id)) && actor.startsWith('user:'))
    throw new AppError('ORDER_STATUS_CHANGED', { msg: '这份订单送的复估体验券已使用，不能再退款，如有疑问请联系客服' })
  const why = actor.startsWith('user:') ? undefined : (b.remark ?? reason)
  const text = beginningText(order, { review: b.review, why })
  if (text) await notifyOwner(tx, order, { ...text, bizType: 'REFUND', tab: 'REFUND', now })
  if (!b.review) await payBack(tx, order, reason, now, why)
  return true
}

/**
 * Decides a refund request under review. If it is granted, the payment is refunded; if it is refused, the order returns
 * to its earlier status and the user is told why.
 * @throws AppError ORDER_STATUS_CHANGED: not under review (any more)
 */
export async function decideRefund(
  tx: Db,
  d: { orderId: string; now: number; actor: Actor } & ({ grant: true } | { grant: false; answer: string }),
): Promise<void> {
  const { orderId, now, actor } = d
  const order = await lockOrder(tx, orderId)
  if (order?.status !== 'REFUNDING' || order.refund_due_at === null) throw new AppError('ORDER_STATUS_CHANGED')
  if (d.grant) {
    await tx.updateTable('orders').set({ refund_due_at: null }).where('id', '=', orderId).execute()
    // the predefined reason only: the user's free text must not reach the provider
    return payBack(tx, order, (order.cancel_reason ?? '').split('：')[0] ?? '', now)
  }
  await revertRefunding(tx, {
    orderId,
    reason: d.answer,
    now,
    actor,
    title: `${order.pay_fen > 0 ? '退款' : '取消'}申请未通过`,
  })
}
