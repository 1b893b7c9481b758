import type { Db } from '../../db/database'

/** Locks an order's row for the transaction, so that what happens to one order is processed one after another. */
export const lockOrder = (tx: Db, orderId: string) =>
  tx.selectFrom('orders').selectAll().where('id', '=', orderId).forUpdate().executeTakeFirst()
