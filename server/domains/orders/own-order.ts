import { orderNotFound } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'

/** Begins the query of an order by its owner; end it by `executeTakeFirstOrThrow(orderNotFound)`. */
export const selectOwnOrder = (db: Db, userId: string, orderId: string) =>
  db.selectFrom('orders').where('orders.id', '=', orderId).where('orders.user_id', '=', userId)

/** An order of the calling user. @throws AppError NOT_FOUND, also for another user's */
export const ownOrder = ({ db, userId }: Pick<UserCtx, 'db' | 'userId'>, orderId: string) =>
  selectOwnOrder(db, userId, orderId).selectAll().executeTakeFirstOrThrow(orderNotFound)
