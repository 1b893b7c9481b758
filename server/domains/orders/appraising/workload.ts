import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import { type Appraiser, takeOrder } from './appraiser-actions'

/**
 * Orders that one appraiser may hold unfinished when taking another: at half an hour each, four are delivered within the
 * two working hours of `DELIVERY_HOURS`. Half an hour is an assumption, to be corrected by real work.
 */
export const MAX_UNFINISHED = 4

/**
 * SQL: number of orders whose price is awaited from an appraiser, without one of two prices that they have given and
 * without orders that wait for their owner.
 * @param staffId SQL of the appraiser's id
 */
export const unfinishedOf = (staffId: RawBuilder<string>) =>
  sql<number>`(select count(*)::int from orders o where o.appraiser_id = ${staffId}
    and (o.status = 'REVALUING' or (o.status = 'ASSIGNED' and not exists
      (select from appraisals p where p.order_id = o.id and p.staff_id = ${staffId}))))`

/**
 * Takes an order by an appraiser who has finished enough of the others. One that was given to them may always be taken:
 * it is theirs already. Call in a transaction.
 * @throws AppError ORDER_STATUS_CHANGED: as of `takeOrder`, or `MAX_UNFINISHED` orders are unfinished
 */
export async function takeWithinLimit(tx: Db, orderId: string, appraiser: Appraiser, now: number): Promise<void> {
  const { staffId } = appraiser
  // concurrent takes of different orders by the same person would each count without the other
  await tx.selectFrom('staff').select('staff_id').where('staff_id', '=', staffId).forNoKeyUpdate().execute()
  const own = unfinishedOf(sql`${staffId}::text`)
  const mayTake = sql<boolean>`(orders.appraiser_id is not distinct from ${staffId} or ${own} < ${MAX_UNFINISHED}::int)`
  if (await takeOrder(tx, orderId, appraiser, now, mayTake)) return
  const { rows } = await sql<{ n: number }>`select ${own} as n`.execute(tx)
  const unfinished = rows[0]?.n ?? 0
  if (unfinished < MAX_UNFINISHED) throw new AppError('ORDER_STATUS_CHANGED')
  const msg = `您手上有 ${unfinished} 单没有完成（最多同时 ${MAX_UNFINISHED} 单），请先交付再接单`
  throw new AppError('ORDER_STATUS_CHANGED', { msg })
}
