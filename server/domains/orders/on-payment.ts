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
import { type Actor, modesOf, move } from './machine'
import { DELIVER_WITHIN, SUPPLY_WITHIN } from './terms'
import { unlockReport } from './unlock-report'

/** Nobody paid ¥0.00. */
const paidWords = (fen: number) => (fen > 0 ? `已支付 ${yuan(fen)}` : '已用优惠券抵扣，无需付款')
const orderPage = (orderId: string) => pageLink(PAY_SUCCESS_PAGE, { orderId })

/** The records with how this order stands on top: number, reason, how far the refund is. */
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
 * An order is paid for: a manual one goes UNPAID → PAID, the report of an AI one is unlocked; the coupon is used up and
 * the message written, all in the caller's transaction. Also for orders that cost nothing (`pay_fen` 0).
 *
 * The caller vouches that this payment was not settled before (unique transaction id) and that its amount is the
 * order's `pay_fen`.
 * @param now ms: when it was paid, at most the clock's now; an order that waited for its notification is not closed yet
 * @returns LATE when the order does not wait for money any more (closed, cancelled, unlocked, paid by another
 *   payment): the caller gives this payment back
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
 * The money of the payment that settled the order is back with the user: REFUNDING → REFUNDED, the coupon is given
 * back, a report that was bought is locked again. Not for surplus payments (LATE above): the order keeps its state.
 * A second call does nothing.
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
 * The provider paid back after all what it had refused to: the order, which had gone back to where it was, ends as one
 * that is refunded.
 * @returns false when it has been delivered meanwhile: nothing is changed, somebody has to decide
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

/** REFUNDING → where the order was, with the reason, and our time starts anew. @returns false when it is not REFUNDING */
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
    // it stands among the others again
    link: orderRecord(orderId, 'ALL'),
    now,
  })
  return true
}

/** The provider will not pay the money back. A second call does nothing. */
export async function onRefundFailed(
  tx: Db,
  { orderId, reason, now }: { orderId: string; reason: string; now: number },
): Promise<void> {
  await backFromRefund(tx, { orderId, reason, now, actor: 'provider', title: '退款未成功' })
}

/** Who wanted the refund: a rule of the clock (`system`) or staff means that it was our fault. */
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
