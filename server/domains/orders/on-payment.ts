import { sql } from 'kysely'
import { yuan } from '@/contract/format'
import type { OrderStatus } from '@/contract/labels'
import { PAY_SUCCESS_PAGE, RECORDS_PAGE, REPORT_PAGE } from '@/contract/pages'
import type { Db } from '../../db/database'
import { release, use } from '../coupons/lock'
import { returnTicket, takeTicketBack } from '../coupons/recheck-ticket'
import { notify } from '../notifications/send'
import { pageLink } from '../shared/page-link'
import { workingTimeFrom } from '../shared/working-hours'
import { type Actor, modesOf, move } from './order-status'
import { DELIVER_WITHIN, SUPPLY_WITHIN } from './terms'
import { unlockReport } from './unlock-report'

/** Text of a payment; without an amount when a coupon covered it all. */
const paidWords = (fen: number) => (fen > 0 ? `已支付 ${yuan(fen)}` : '已用优惠券抵扣，无需付款')
const orderPage = (orderId: string) => pageLink(PAY_SUCCESS_PAGE, { orderId })

/** Link to the records with this order on top: number, reason, progress of the refund. */
export const orderRecord = (orderId: string, tab: 'ALL' | 'REFUND') => pageLink(RECORDS_PAGE, { tab, orderId })

const lockedRow = (tx: Db, orderId: string) =>
  tx
    .selectFrom('orders')
    .select(['id', 'user_id', 'mode', 'title', 'status', 'pay_fen', 'discount_fen', 'pay_expire_at', 'appraiser_id'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()

async function settleManual(tx: Db, orderId: string, now: number): Promise<boolean> {
  return move(tx, {
    orderId,
    from: 'UNPAID',
    to: 'PAID',
    now,
    actor: 'provider',
    patch: { pay_status: 'PAID', paid_at: now, due_at: workingTimeFrom(now, DELIVER_WITHIN) },
    only: sql<boolean>`pay_expire_at >= ${now}::bigint`,
  })
}

async function settleAi(tx: Db, orderId: string, payFen: number, now: number): Promise<boolean> {
  const by = payFen === 0 ? 'COUPON' : 'PAY'
  if (!(await unlockReport(tx, { orderId, by, now, actor: 'provider' }))) return false
  await tx.updateTable('orders').set({ pay_status: 'PAID', paid_at: now }).where('id', '=', orderId).execute()
  return true
}

/**
 * Settles a paid order in the caller's transaction: UNPAID → PAID for a manual one, unlocks the report of an AI one,
 * uses up the coupon and writes the message. Also for orders that cost nothing (`pay_fen` 0).
 *
 * The caller guarantees that this payment was not settled before (unique transaction id) and that its amount is the
 * order's `pay_fen`.
 * @param now ms: when it was paid, at most the current time; an order that waited for its notification is not closed
 * yet
 * @returns LATE when the order no longer awaits payment (closed, cancelled, unlocked, paid by another payment): the
 * caller refunds this payment
 */
export async function settlePaid(tx: Db, orderId: string, now: number): Promise<'SETTLED' | 'LATE'> {
  const order = await lockedRow(tx, orderId)
  if (!order) return 'LATE'
  const expired = order.pay_expire_at === null || order.pay_expire_at < now
  if (order.mode === 'AI' && expired) return 'LATE'
  const done =
    order.mode === 'AI' ? await settleAi(tx, orderId, order.pay_fen, now) : await settleManual(tx, orderId, now)
  if (!done) return 'LATE'
  await use(tx, { orderId, now })
  await notify(tx, {
    userId: order.user_id,
    type: 'PAID',
    title: order.pay_fen > 0 ? '支付成功' : '下单成功',
    summary: `${paidWords(order.pay_fen)}，${order.mode === 'AI' ? '完整报告已解锁' : '估价师将尽快接单'}`,
    bizType: 'ORDER',
    bizId: orderId,
    link: order.mode === 'AI' ? pageLink(REPORT_PAGE, { orderId }) : orderPage(orderId),
    now,
  })
  return 'SETTLED'
}

/**
 * The refund of the payment that settled the order is complete: REFUNDING → REFUNDED, the coupon is released, a bought
 * report is locked again. Not for surplus payments (LATE above): they do not affect the order. Idempotent.
 */
export async function onRefunded(tx: Db, orderId: string, now: number): Promise<void> {
  const order = await lockedRow(tx, orderId)
  if (!order) return
  const patch = { pay_status: 'REFUNDED', refund_due_at: null }
  if (!(await move(tx, { orderId, from: 'REFUNDING', to: 'REFUNDED', now, actor: 'provider', patch }))) return
  const { ourFault } = await refundCause(tx, orderId)
  await release(tx, { orderId, now, ourFault })
  if (order.mode === 'AI')
    await tx
      .updateTable('reports')
      .set({ status: 'LOCKED' })
      .where('order_id', '=', orderId)
      .where('status', '=', 'UNLOCKED')
      .execute()
  await notify(tx, {
    userId: order.user_id,
    type: 'REFUNDED',
    title: '退款到账',
    summary: `“${order.title}”的 ${yuan(order.pay_fen)} 已原路退回`,
    bizType: 'REFUND',
    bizId: orderId,
    link: orderRecord(orderId, 'REFUND'),
    now,
  })
}

/**
 * The provider completed a refund it had first refused: the order, which had returned to its earlier status, becomes
 * REFUNDED.
 * @returns false when it was delivered meanwhile: nothing is changed, staff must decide
 */
export async function onRefundedAfterAll(tx: Db, orderId: string, now: number): Promise<boolean> {
  const order = await lockedRow(tx, orderId)
  if (!order) return false
  const from = order.status as OrderStatus
  if (from !== 'REFUNDING') {
    if (!modesOf(from, 'REFUNDING').includes(order.mode)) return false
    await takeTicketBack(tx, orderId)
    const patch = { pay_status: 'REFUNDING', refund_from: from, refund_answer: null }
    await move(tx, { orderId, from, to: 'REFUNDING', now, actor: 'provider', patch, note: '支付平台后来完成了退款' })
  }
  await onRefunded(tx, orderId, now)
  return true
}

interface Back {
  orderId: string
  /** for the user */
  reason: string
  now: number
  actor: Actor
  title: string
}

/** REFUNDING → the earlier status, with the reason; our time limit restarts. @returns false when not REFUNDING */
export async function backFromRefund(tx: Db, { orderId, reason, now, actor, title }: Back): Promise<boolean> {
  const order = await tx
    .selectFrom('orders')
    .select(['user_id', 'mode', 'title', 'refund_from'])
    .where('id', '=', orderId)
    .where('status', '=', 'REFUNDING')
    .forUpdate()
    .executeTakeFirst()
  if (!order) return false
  const to = (order.refund_from ?? (order.mode === 'AI' ? 'UNLOCKED' : 'ASSIGNED')) as OrderStatus
  const patch = {
    pay_status: 'PAID',
    refund_due_at: null,
    refund_answer: reason,
    cancel_reason: null,
    ...(order.mode === 'MANUAL' && { due_at: workingTimeFrom(now, DELIVER_WITHIN) }),
    ...(to === 'WAIT_INFO' && { info_due_at: now + SUPPLY_WITHIN }),
  }
  await move(tx, { orderId, from: 'REFUNDING', to, now, actor, patch, note: reason })
  await returnTicket(tx, orderId, now)
  await notify(tx, {
    userId: order.user_id,
    type: 'SYSTEM',
    title,
    summary: `“${order.title}”：${reason}`,
    bizType: 'REFUND',
    bizId: orderId,
    // it is listed with the other orders again
    link: orderRecord(orderId, 'ALL'),
    now,
  })
  return true
}

/** The provider refuses to refund. Idempotent. */
export async function onRefundFailed(
  tx: Db,
  { orderId, reason, now }: { orderId: string; reason: string; now: number },
): Promise<void> {
  await backFromRefund(tx, { orderId, reason, now, actor: 'provider', title: '退款未成功' })
}

/** Whether we caused the refund: requested by a time limit (`system`) or by staff. */
async function refundCause(tx: Db, orderId: string): Promise<{ ourFault: boolean }> {
  const last = await tx
    .selectFrom('order_events')
    .select('actor')
    .where('order_id', '=', orderId)
    .where('to_status', '=', 'REFUNDING')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { ourFault: !last?.actor.startsWith('user:') }
}
