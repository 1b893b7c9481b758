import { sql } from 'kysely'
import { yuan } from '@/contract/format'
import { PAY_SUCCESS_PAGE, REPORT_PAGE } from '@/contract/pages'
import type { Db } from '../../../db/database'
import { notify } from '../../accounts/notifications/send'
import { use } from '../../payments/coupons/redemption'
import { pageLink } from '../../shared/page-link'
import { lockOrder } from '../lock-order'
import { transitionOrder } from '../order-transitions'
import { deliveryDueAt } from '../periods'
import { unlockReport } from '../unlock-report'

async function markManualPaid(tx: Db, orderId: string, now: number): Promise<boolean> {
  return transitionOrder(tx, {
    orderId,
    from: 'UNPAID',
    to: 'PAID',
    now,
    actor: 'provider',
    patch: { pay_status: 'PAID', paid_at: now, due_at: deliveryDueAt(now) },
    only: sql<boolean>`pay_expire_at >= ${now}::bigint`,
  })
}

async function markAiPaid(tx: Db, orderId: string, payFen: number, now: number): Promise<boolean> {
  const by = payFen === 0 ? 'COUPON' : 'PAY'
  if (!(await unlockReport(tx, { orderId, by, now, actor: 'provider' }))) return false
  await tx.updateTable('orders').set({ pay_status: 'PAID', paid_at: now }).where('id', '=', orderId).execute()
  return true
}

/**
 * Settles a paid order in the caller's transaction: UNPAID → PAID for a manual one, unlocks the report of an AI one,
 * uses up the coupon and writes one message. Also for orders that cost nothing (`pay_fen` 0).
 *
 * The caller guarantees that this payment was not settled before (unique transaction id) and that its amount is the
 * order's `pay_fen`.
 * @param now ms: when it was paid, at most the current time; an order that waited for its notification is not closed
 * yet
 * @returns SURPLUS when the order no longer awaits payment (closed, cancelled, unlocked, paid by another payment): the
 * caller refunds this payment
 */
export async function markPaid(tx: Db, orderId: string, now: number): Promise<'SETTLED' | 'SURPLUS'> {
  const order = await lockOrder(tx, orderId)
  if (!order) return 'SURPLUS'
  const expired = order.pay_expire_at === null || order.pay_expire_at < now
  if (order.mode === 'AI' && expired) return 'SURPLUS'
  const done =
    order.mode === 'AI' ? await markAiPaid(tx, orderId, order.pay_fen, now) : await markManualPaid(tx, orderId, now)
  if (!done) return 'SURPLUS'
  await use(tx, { orderId, now })
  const opened = order.mode === 'AI' && `“${order.title}”的完整报告已可查看`
  await notify(tx, {
    userId: order.user_id,
    type: 'PAID',
    title: order.pay_fen > 0 ? '支付成功' : opened ? '解锁成功' : '下单成功',
    summary: `${order.pay_fen > 0 ? `已支付 ${yuan(order.pay_fen)}` : '无需付款'}，${opened || '估价师将尽快接单'}`,
    bizType: 'ORDER',
    bizId: orderId,
    link: opened ? pageLink(REPORT_PAGE, { orderId }) : pageLink(PAY_SUCCESS_PAGE, { orderId }),
    now,
  })
  return 'SETTLED'
}
