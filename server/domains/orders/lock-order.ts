import type { Db } from '../../db/database'

/** Locks an order's row for the transaction, so that notifications of one order are processed one after another. */
export const lockOrder = (tx: Db, orderId: string) =>
  tx
    .selectFrom('orders')
    .select(['id', 'user_id', 'mode', 'title', 'status', 'pay_fen', 'discount_fen', 'pay_expire_at', 'appraiser_id'])
    .select('created_at')
    .where('id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
