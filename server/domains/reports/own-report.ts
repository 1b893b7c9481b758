import type { Db } from '../../db/database'

/** Begins the query of an order's newest report by its owner; end it by `executeTakeFirstOrThrow(reportNotFound)`. */
export const selectOwnReport = (db: Db, userId: string, orderId: string) =>
  db
    .selectFrom('reports')
    .where('reports.order_id', '=', orderId)
    .where('reports.user_id', '=', userId)
    .orderBy('reports.version', 'desc')
    .limit(1)
