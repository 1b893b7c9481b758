/** Sales of valued accounts that staff learn of later and record at the desk. */
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import { noteSale } from '../orders/reported-sale'
import { sha256 } from '../shared/secrets'
import { acceptOrHold, type JudgedSale, judgeSale, removeSale } from './judged-sale'

interface Sale {
  soldFen: number
  /** first ms of the day, China time */
  soldAt: number
}

/** One sale for an order. Hashed, because sales must not name the order, and so its owner. */
const identityOf = (orderId: string) => ({ source: 'appraiser', externalId: sha256(`sale:${orderId}`).slice(0, 32) })

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
    ...identityOf(orderId),
    channel: 'APPRAISER',
    kind: 'SOLD',
    priceFen: sale.soldFen,
    at: sale.soldAt,
  } as const
  return judgeSale(deps, { config, answers: report.inputs.answers, userId: report.user_id, sale: told })
}

/**
 * Stores the price at which the account of an order was sold, and teaches it to the models; `sale` undefined removes
 * both. A doubtful price waits in the queue of the desk.
 * @returns false when nothing changed
 * @throws AppError as `noteSale`
 */
export async function recordSale(
  tx: Db,
  orderId: string,
  { sale, judged, now }: { sale: Sale | undefined; judged: JudgedSale | undefined; now: number },
): Promise<boolean> {
  if (!(await noteSale(tx, orderId, sale, now))) return false
  await removeSale(tx, identityOf(orderId))
  if (judged) await acceptOrHold(tx, judged, now)
  return true
}
