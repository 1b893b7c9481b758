/** Sales of valued accounts that staff learn of later and record at the desk. */
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import { FOLLOW_UP_SOURCE } from '../../db/sales'
import { staffSaleOf } from '../market/staff-sales'
import { type Sale, storeSoldPrice } from '../orders/sold-price'
import { lockUsers } from '../shared/locks'
import {
  acceptOrHold,
  type RemovedSale,
  removeSale,
  type ScreenedSale,
  screenReportedSale,
  stillReported,
} from './screened-sale'
import { keepAsNote } from './withdraw-prices'

/** The sale as training data; undefined: no report, or nothing. To be called before the transaction of `recordStaffSale`. */
export async function screenStaffSale(deps: Deps, orderId: string, sale: Sale): Promise<ScreenedSale | undefined> {
  const report = await deps.db
    .selectFrom('orders')
    .innerJoin('reports', 'reports.order_id', 'orders.id')
    .select(['orders.game_id', 'orders.user_id', 'reports.inputs'])
    .where('orders.id', '=', orderId)
    .orderBy('reports.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!report) return undefined
  const { config } = await deps.games.find(report.game_id)
  const recorded = {
    ...staffSaleOf(orderId),
    channel: 'APPRAISER',
    kind: 'SOLD',
    priceFen: sale.soldFen,
    at: sale.soldAt,
  } as const
  return screenReportedSale(deps, { config, answers: report.inputs.answers, userId: report.user_id, sale: recorded })
}

/**
 * Stores the price at which the account of an order was sold, and lets the models learn from it instead of what the
 * owner reported; `sale` undefined removes both. A price in doubt waits in the queue of the desk.
 * @returns false when nothing changed
 * @throws AppError as `storeSoldPrice`
 */
export async function recordStaffSale(
  tx: Db,
  orderId: string,
  { sale, screened, now }: { sale: Sale | undefined; screened: ScreenedSale | undefined; now: number },
): Promise<boolean> {
  // while the owner's account is being deleted, no sale with their hash may be added
  const order = await tx.selectFrom('orders').select('user_id').where('id', '=', orderId).executeTakeFirst()
  if (order) await lockUsers(tx, [order.user_id])
  if (!(await storeSoldPrice(tx, orderId, sale, now))) return false
  const recorded = await removeSale(tx, staffSaleOf(orderId))
  const used = await stillReported(tx, orderId, screened)
  const reported = used && (await withdrawReported(tx, orderId))
  // models forget what was recorded before when nothing takes its place
  await acceptOrHold(tx, used, { now, corrects: recorded ?? reported })
  return true
}

/** The models no longer learn from the owner's own report of this sale: one sale counts once. @returns as `removeSale` */
async function withdrawReported(tx: Db, orderId: string): Promise<RemovedSale | undefined> {
  const reported = await tx
    .selectFrom('sale_followups')
    .select('sale_id')
    .where('order_id', '=', orderId)
    .where('sale_id', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!reported?.sale_id) return undefined
  const removed = await removeSale(tx, { source: FOLLOW_UP_SOURCE, externalId: reported.sale_id })
  await keepAsNote(tx).where('order_id', '=', orderId).execute()
  return removed
}
