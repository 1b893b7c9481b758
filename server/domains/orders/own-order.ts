import { AppError } from '../../app-error'
import type { UserCtx } from '../../context'
import type { OrderRow } from './lock-price'

/** An order of the calling user. @throws AppError NOT_FOUND, also for another user's */
export async function ownOrder({ db, userId }: Pick<UserCtx, 'db' | 'userId'>, orderId: string): Promise<OrderRow> {
  const order = await db
    .selectFrom('orders')
    .selectAll()
    .where('id', '=', orderId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!order) throw new AppError('NOT_FOUND', { msg: '没有找到这个订单' })
  return order
}
