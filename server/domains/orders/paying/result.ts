import type { Res } from '@/contract/types'
import { orderNotFound } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import { queryPaymentNow } from '../../payments/query-payments'
import { selectOwnOrder } from '../own-order'

type Status = Res<'pay', 'payResult'>['status']

const orderOf = ({ db, userId }: UserCtx, orderId: string) =>
  selectOwnOrder(db, userId, orderId)
    .leftJoinLateral(
      (e) =>
        e
          .selectFrom('payments')
          .select(['payments.id as payment_id', 'payments.status as payment_status'])
          .whereRef('payments.order_id', '=', 'orders.id')
          .orderBy('payments.created_at', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .select([
      'orders.status',
      'orders.pay_status',
      'orders.pay_expire_at',
      'orders.mode',
      'newest.payment_id',
      'newest.payment_status',
    ])
    .executeTakeFirstOrThrow(orderNotFound)

function statusOf(order: Awaited<ReturnType<typeof orderOf>>, now: number): Status {
  if (order.pay_status !== 'UNPAID') return 'PAID'
  const over = order.mode === 'MANUAL' && (order.pay_expire_at ?? 0) <= now
  if (['CLOSED', 'CANCELED', 'EXPIRED'].includes(order.status) || over) return 'CLOSED'
  // a report unlocked in another way needs no payment; one whose last attempt has ended waits for none
  if (order.mode === 'AI' && (order.status !== 'REPORTED' || order.payment_status === 'CLOSED')) return 'CLOSED'
  return order.payment_status === 'FAILED' ? 'FAILED' : 'PENDING'
}

/**
 * Whether an order is paid, by our records and the provider's; the client's claim is ignored. While it is open the
 * provider is queried, with a rate limit.
 * @throws AppError NOT_FOUND
 */
export async function payResult(ctx: UserCtx, orderId: string): Promise<{ status: Status }> {
  const now = ctx.clock.now()
  const order = await orderOf(ctx, orderId)
  const mustQuery = order.pay_status === 'UNPAID' && order.payment_status === 'CREATED' && order.payment_id !== null
  if (!mustQuery) return { status: statusOf(order, now) }
  const payment = await ctx.db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', order.payment_id as string)
    .executeTakeFirstOrThrow()
  await queryPaymentNow(ctx, payment, now)
  return { status: statusOf(await orderOf(ctx, orderId), now) }
}
