import { yuan } from '@/contract/format'
import type { OrderStatus } from '@/contract/labels'
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'
import { takeTicketBack } from '../coupons/recheck-ticket'
import { notify } from '../notifications/send'
import { requestRefund } from '../payments/refunds'
import { type Actor, type Move, move } from './machine'
import { backFromRefund, onRefunded, orderRecord } from './on-payment'
import { REVIEW_WITHIN } from './terms'

export interface RefundOrder {
  id: string
  user_id: string
  title: string
  pay_fen: number
  mode: 'AI' | 'MANUAL'
}

const tell = (tx: Db, order: RefundOrder, { title, summary, now }: { title: string; summary: string; now: number }) =>
  notify(tx, {
    userId: order.user_id,
    type: 'SYSTEM',
    title,
    summary,
    bizType: 'REFUND',
    bizId: order.id,
    link: orderRecord(order.id, 'REFUND'),
    now,
  })

/** Hands the money over to be given back; an order that cost nothing is through at once. */
async function payBack(tx: Db, order: RefundOrder, reason: string, now: number): Promise<void> {
  if (order.pay_fen === 0) await onRefunded(tx, order.id, now)
  else await requestRefund(tx, { orderId: order.id, reason, now })
}

interface Begin extends Pick<Move, 'now' | 'actor' | 'only'> {
  from: OrderStatus
  reason: string
  /** somebody of ours looks at it first: within 24 h, and silence is a yes */
  review: boolean
  remark?: string
}

/**
 * → REFUNDING: at once for what nobody has worked on or we were late with, with a review otherwise. A ticket that was
 * given for the order goes back too.
 * @returns false when the order is not in `from` any more
 * @throws AppError ORDER_STATUS_CHANGED: its owner asks, and has used the ticket
 */
export async function beginRefund(tx: Db, order: RefundOrder, b: Begin): Promise<boolean> {
  const { from, now, actor, only, reason } = b
  const patch = {
    pay_status: 'REFUNDING',
    refund_from: from,
    refund_due_at: b.review ? now + REVIEW_WITHIN : null,
    refund_answer: null,
    cancel_reason: b.remark ? `${reason}：${b.remark}` : reason,
  }
  const moved = await move(tx, {
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
  if (!(await takeTicketBack(tx, order.id)) && actor.startsWith('user:'))
    throw new AppError('ORDER_STATUS_CHANGED', { msg: '这份订单送的复估体验券已使用，不能再退款，如有疑问请联系客服' })
  const amount = yuan(order.pay_fen)
  await tell(tx, order, {
    title: b.review ? '退款申请已提交' : '正在退款',
    summary: b.review
      ? `“${order.title}”的退款申请将在 24 小时内处理，逾期自动全额退款 ${amount}`
      : `“${order.title}”${actor.startsWith('user:') ? '' : `${b.remark ?? reason}，`}将全额退款 ${amount}，原路退回`,
    now,
  })
  if (!b.review) await payBack(tx, order, reason, now)
  return true
}

/**
 * Answers a wish for a refund that is under review: granted, the money goes back; refused, the order goes back to where
 * it was and the user is told why.
 * @throws AppError ORDER_STATUS_CHANGED: not under review (any more)
 */
export async function decideRefund(
  tx: Db,
  d: { orderId: string; now: number; actor: Actor } & ({ grant: true } | { grant: false; answer: string }),
): Promise<void> {
  const { orderId, now, actor } = d
  const order = await tx
    .selectFrom('orders')
    .select(['id', 'user_id', 'title', 'pay_fen', 'mode', 'cancel_reason', 'status', 'refund_due_at'])
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
  if (order?.status !== 'REFUNDING' || order.refund_due_at === null) throw new AppError('ORDER_STATUS_CHANGED')
  if (d.grant) {
    await tx.updateTable('orders').set({ refund_due_at: null }).where('id', '=', orderId).execute()
    // the fixed words only: what the user wrote freely is nobody's business at the provider
    return payBack(tx, order, (order.cancel_reason ?? '').split('：')[0] ?? '', now)
  }
  await backFromRefund(tx, { orderId, reason: d.answer, now, actor, title: '退款申请未通过' })
}
