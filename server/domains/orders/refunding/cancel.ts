import { cancelReasons } from '@/contract/labels'
import { type OrderStatus, orderStatusText } from '@/contract/orderStatus'
import { visibleText } from '@/contract/rules'
import type { Order, Req, Res } from '@/contract/types'
import { AppError, invalid, orderNotFound } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { release } from '../../payments/coupons/redemption'
import { lockUser } from '../../shared/locks'
import { isUnaccepted } from '../appraising/blind-estimates'
import { statusAt } from '../deadlines'
import { findOrder } from '../list'
import { transitionOrder } from '../order-transitions'
import { selectOwnOrder } from '../own-order'
import { beginRefund } from './request-refund'

const OTHER = cancelReasons[cancelReasons.length - 1]

/** How an order is cancelled, by mode and status; other statuses cannot be cancelled. */
const methods: Partial<Record<`${'AI' | 'MANUAL'}.${OrderStatus}`, 'CANCEL' | 'REFUND' | 'REVIEW'>> = {
  'AI.WAIT_AUTH': 'CANCEL',
  'AI.UNLOCKED': 'REVIEW',
  'MANUAL.UNPAID': 'CANCEL',
  'MANUAL.PAID': 'REFUND',
  'MANUAL.ASSIGNED': 'REVIEW',
  'MANUAL.WAIT_INFO': 'REVIEW',
}

function checkedReason({ reason, remark = '' }: Req<'evaluation', 'applyCancel'>) {
  if (!cancelReasons.some((listed) => listed === reason))
    throw invalid([{ path: 'reason', msg: `请选择取消原因：${cancelReasons.join('、')}` }])
  const words = remark.trim()
  if (reason === OTHER && visibleText(words) === '') throw invalid([{ path: 'remark', msg: '请填写取消原因' }])
  return { reason, remark: words }
}

const lockOwnOrder = (tx: Db, userId: string, orderId: string, now: number) =>
  selectOwnOrder(tx, userId, orderId)
    .select(['id', 'user_id', 'title', 'mode', 'status', 'pay_fen', 'pay_status', 'refund_answer'])
    .select([statusAt(now).as('now_status'), isUnaccepted.as('unaccepted')])
    .forUpdate()
    .executeTakeFirstOrThrow(orderNotFound)

/**
 * Cancels an order: an unpaid one is cancelled and its coupon released, one that no appraiser has accepted is refunded in
 * full at once, an accepted one goes to review.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED, ORDER_STATUS_CHANGED
 */
export async function applyCancel(
  ctx: UserCtx,
  req: Req<'evaluation', 'applyCancel'>,
): Promise<Res<'evaluation', 'applyCancel'>> {
  const { reason, remark } = checkedReason(req)
  const now = ctx.clock.now()
  const { orderId } = req
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, ctx.userId)
    const order = await lockOwnOrder(tx, ctx.userId, orderId, now)
    const from = order.now_status
    const unaccepted = from === 'ASSIGNED' && order.unaccepted
    const method = unaccepted ? 'REFUND' : methods[`${order.mode}.${from}`]
    const actor = `user:${ctx.userId}` as const
    if (!method) throw new AppError('ORDER_STATUS_CHANGED')
    if (req.seen !== undefined && req.seen !== from && !(unaccepted && req.seen === 'PAID'))
      throw new AppError('ORDER_STATUS_CHANGED', {
        msg: `订单刚刚变为“${orderStatusText(order.mode, from)}”，退款方式也变了，请重新确认`,
      })
    if (method === 'CANCEL') {
      const patch = { cancel_reason: remark ? `${reason}：${remark}` : reason }
      if (!(await transitionOrder(tx, { orderId, from, to: 'CANCELED', now, actor, patch, note: reason })))
        throw new AppError('ORDER_STATUS_CHANGED')
      await release(tx, { orderId, now })
      return { status: 'CANCELED', refundFen: 0 }
    }
    if (order.pay_status !== 'PAID' || (order.mode === 'AI' && order.pay_fen === 0))
      throw new AppError('ORDER_STATUS_CHANGED', { msg: '这个订单没有可退的款项' })
    if (order.refund_answer !== null)
      throw new AppError('ORDER_STATUS_CHANGED', { msg: '退款申请已被拒绝，如有疑问请联系客服' })
    const begin = { from, now, actor, reason, remark, review: method === 'REVIEW' }
    if (!(await beginRefund(tx, order, { ...begin, ...(unaccepted && { only: isUnaccepted }) })))
      throw new AppError('ORDER_STATUS_CHANGED')
    const { status } = await tx
      .selectFrom('orders')
      .select('status')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow()
    return { status: status as Order['status'], refundFen: order.pay_fen }
  })
}

const ENDED: readonly OrderStatus[] = ['DONE', 'EXPIRED', 'REFUNDED', 'CANCELED', 'CLOSED']

/**
 * Closes an unpaid order. An ended order is removed from its owner's list.
 * @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED
 */
export async function closeOrder(ctx: UserCtx, orderId: string): Promise<Order> {
  const now = ctx.clock.now()
  await ctx.db.transaction().execute(async (tx) => {
    const order = await lockOwnOrder(tx, ctx.userId, orderId, now)
    if (order.status === 'UNPAID') {
      await transitionOrder(tx, { orderId, from: 'UNPAID', to: 'CLOSED', now, actor: `user:${ctx.userId}` })
      return release(tx, { orderId, now })
    }
    if (!ENDED.includes(order.now_status)) throw new AppError('ORDER_STATUS_CHANGED')
    await tx.updateTable('orders').set({ deleted_at: now }).where('id', '=', orderId).execute()
  })
  return findOrder(ctx, orderId)
}
