import { AppError, invalid } from '../../app-error'
import type { Db } from '../../db/database'

/** Opinions that differ by more than this share of their mean give no price: the appraisers must agree on one. */
const MAX_APART = 0.2
/** characters */
const REASON_MIN = 4

export interface Opinion {
  staffId: string
  name: string
  no: string
  years: number
  priceFen: number
  comment: string
}

/** SECOND: awaits the other appraiser's price · AGREEMENT: both were given but are too far apart */
export type Waits = 'SECOND' | 'AGREEMENT'

export interface Agreed {
  priceFen: number
  lowFen: number
  highFen: number
  first: Opinion
  second: Opinion
}

/** Opinions on a version of an order's report, oldest first. */
export const opinionsOf = async (db: Db, orderId: string, version: number): Promise<Opinion[]> => {
  const rows = await db
    .selectFrom('opinions as o')
    .innerJoin('staff as s', 's.staff_id', 'o.staff_id')
    .select(['o.staff_id', 's.nick', 's.no', 's.years', 'o.price_fen', 'o.comment'])
    .where('o.order_id', '=', orderId)
    .where('o.version', '=', version)
    .orderBy('o.at')
    .orderBy('o.staff_id')
    .execute()
  return rows.map((r) => ({
    ...{ staffId: r.staff_id, name: r.nick, no: r.no, years: r.years },
    ...{ priceFen: r.price_fen, comment: r.comment },
  }))
}

const keep = (tx: Db, orderId: string, version: number, { staffId, priceFen, comment }: Opinion, at: number) =>
  tx
    .insertInto('opinions')
    .values({ order_id: orderId, version, staff_id: staffId, price_fen: priceFen, comment, at })
    .onConflict((c) => c.columns(['order_id', 'version', 'staff_id']).doUpdateSet({ price_fen: priceFen, comment, at }))
    .execute()

/** Settles two opinions that are too far apart: one appraiser sets a price between them and gives a reason. */
function settled(mine: Opinion, own: Opinion, other: Opinion): Pick<Agreed, 'priceFen'> & { said: Opinion } {
  const [low, high] = [Math.min(own.priceFen, other.priceFen), Math.max(own.priceFen, other.priceFen)]
  if (mine.priceFen < low || mine.priceFen > high)
    throw invalid([{ path: 'priceFen', msg: '定价应在两位估价师的估价之间' }])
  if (mine.comment.length < REASON_MIN) throw invalid([{ path: 'comment', msg: '请写明两位核对后的定价理由' }])
  return { priceFen: mine.priceFen, said: { ...own, comment: mine.comment } }
}

/**
 * Adds an opinion on an expert order (rule 2.1: two appraisers). Each is hidden from the other until both are given.
 * The price is their mean, in whole yuan. Call in the transaction that locks the order's row.
 * @throws AppError ORDER_STATUS_CHANGED: two others have given opinions · VALIDATION_FAILED
 */
export async function addOpinion(
  tx: Db,
  { orderId, version, mine, now }: { orderId: string; version: number; mine: Opinion; now: number },
): Promise<Agreed | Waits> {
  const said = await opinionsOf(tx, orderId, version)
  const own = said.find(({ staffId }) => staffId === mine.staffId)
  const [other, third] = said.filter(({ staffId }) => staffId !== mine.staffId)
  if (third) throw new AppError('ORDER_STATUS_CHANGED', { msg: '两位估价师都已估价，请返回队列' })
  const both = own && other ? settled(mine, own, other) : undefined
  if (!both) await keep(tx, orderId, version, mine, now)
  if (!other) return 'SECOND'
  const last = both?.said ?? mine
  const mean = (last.priceFen + other.priceFen) / 2
  if (!both && Math.abs(last.priceFen - other.priceFen) > MAX_APART * mean) return 'AGREEMENT'
  const [first, second] = said[0]?.staffId === last.staffId ? [last, other] : [other, last]
  return {
    priceFen: both?.priceFen ?? Math.max(1, Math.round(mean / 100)) * 100,
    lowFen: Math.min(last.priceFen, other.priceFen),
    highFen: Math.max(last.priceFen, other.priceFen),
    first,
    second,
  }
}
