/** Sales of valued accounts that staff learn of later and record at the desk. */
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import { recordedSaleOf } from '../market/recorded-sales'
import { noteSale } from '../orders/reported-sale'
import { lockUsers } from '../shared/locks'
import { acceptOrHold, FOLLOW_UP_SOURCE, type JudgedSale, judgeSale, removeSale } from './judged-sale'

interface Sale {
  soldFen: number
  /** first ms of the day, China time */
  soldAt: number
}

/** The sale as training data; undefined: no report, or nothing. To be called before the transaction of `recordSale`. */
export async function judgeRecordedSale(deps: Deps, orderId: string, sale: Sale): Promise<JudgedSale | undefined> {
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
  const told = {
    ...recordedSaleOf(orderId),
    channel: 'APPRAISER',
    kind: 'SOLD',
    priceFen: sale.soldFen,
    at: sale.soldAt,
  } as const
  return judgeSale(deps, { config, answers: report.inputs.answers, userId: report.user_id, sale: told })
}

/**
 * Stores the price at which the account of an order was sold, and teaches it to the models instead of what the owner
 * reported; `sale` undefined removes both. A doubtful price waits in the queue of the desk.
 * @returns false when nothing changed
 * @throws AppError as `noteSale`
 */
export async function recordSale(
  tx: Db,
  orderId: string,
  { sale, judged, now }: { sale: Sale | undefined; judged: JudgedSale | undefined; now: number },
): Promise<boolean> {
  // while the owner leaves, no sale with their marks may be added
  const order = await tx.selectFrom('orders').select('user_id').where('id', '=', orderId).executeTakeFirst()
  if (order) await lockUsers(tx, [order.user_id])
  if (!(await noteSale(tx, orderId, sale, now))) return false
  await removeSale(tx, recordedSaleOf(orderId))
  if (judged) {
    await withdrawReported(tx, orderId)
    await acceptOrHold(tx, judged, now)
  }
  return true
}

/** The owner's own report of this sale no longer teaches: one sale counts once. */
async function withdrawReported(tx: Db, orderId: string): Promise<void> {
  const reported = await tx
    .selectFrom('sale_followups')
    .select('sale_id')
    .where('order_id', '=', orderId)
    .where('sale_id', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!reported?.sale_id) return
  await removeSale(tx, { source: FOLLOW_UP_SOURCE, externalId: reported.sale_id })
  await tx
    .updateTable('sale_followups')
    .set({ sale_id: null, verdict: 'NOTED' })
    .where('order_id', '=', orderId)
    .execute()
}
