import { AppError } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import { type AgreedPrice, type Appraisal, meanPrice, middlePrice } from '../../reports/appraised-price'

/** Two appraisals that differ by more than this share of their mean are not averaged: a third decides. */
const MAX_APART = 0.2

/** SECOND: awaits the other appraiser's price · THIRD: both were given but are too far apart */
export type AppraisalWait = 'SECOND' | 'THIRD'

/** Appraisals of a version of an order's report, oldest first. */
export const appraisalsOf = async (db: Db, orderId: string, version: number): Promise<Appraisal[]> => {
  const rows = await db
    .selectFrom('appraisals as o')
    .innerJoin('staff as s', 's.staff_id', 'o.staff_id')
    .select(['o.staff_id', 's.nick', 's.no', 's.years', 'o.price_fen', 'o.comment', 'o.work'])
    .where('o.order_id', '=', orderId)
    .where('o.version', '=', version)
    .orderBy('o.at')
    .orderBy('o.staff_id')
    .execute()
  return rows.map((r) => ({
    ...{ staffId: r.staff_id, name: r.nick, no: r.no, years: r.years },
    ...{ priceFen: r.price_fen, comment: r.comment, details: r.work },
  }))
}

/** Stores an appraisal, or replaces the same appraiser's on the same version. */
export async function storeAppraisal(
  tx: Db,
  { orderId, version, mine, now }: { orderId: string; version: number; mine: Appraisal; now: number },
): Promise<void> {
  const { staffId, priceFen, comment, details } = mine
  const values = { price_fen: priceFen, comment, at: now, work: JSON.stringify(details) }
  await tx
    .insertInto('appraisals')
    .values({ order_id: orderId, version, staff_id: staffId, ...values })
    .onConflict((c) => c.columns(['order_id', 'version', 'staff_id']).doUpdateSet(values))
    .execute()
}

const isApart = ({ priceFen: a }: Appraisal, { priceFen: b }: Appraisal) => Math.abs(a - b) > (MAX_APART * (a + b)) / 2

/**
 * Adds an appraisal of an expert order. Two appraisers value it without seeing each other's price, which is their mean; if
 * they are too far apart, a third does and the middle one is the price. An appraiser may correct the own price until the
 * second one is given. Call in the transaction that locks the order's row.
 * @throws AppError ORDER_STATUS_CHANGED: the two are given and a third is awaited
 */
export async function addAppraisal(
  tx: Db,
  entry: { orderId: string; version: number; mine: Appraisal; now: number },
): Promise<AgreedPrice | AppraisalWait> {
  const { orderId, version, mine } = entry
  const given = await appraisalsOf(tx, orderId, version)
  const others = given.filter(({ staffId }) => staffId !== mine.staffId)
  if (others.length === 1 && given.length === 2)
    throw new AppError('ORDER_STATUS_CHANGED', { msg: '两位的估价相差超过 20%，等待第三位估价师，不能再改' })
  await storeAppraisal(tx, entry)
  const [first, second] = others
  if (!first) return 'SECOND'
  if (second) return middlePrice([first, second, mine])
  return isApart(first, mine) ? 'THIRD' : meanPrice(first, mine)
}
