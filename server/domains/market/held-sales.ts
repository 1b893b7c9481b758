import { sql } from 'kysely'
import { AppError, invalid } from '../../core/app-error'
import type { Db } from '../../db/database'
import type { HoldReason, SaleChannel } from '../../db/sale-channels'
import { insertSales, type SaleRow } from '../../db/sales'

export const holdReasonText: Record<HoldReason, string> = {
  NEW: '新合作方',
  LEVEL: '来源偏离行情',
  OUTLIER: '价格远离行情',
  PROOF: '附成交截图，采用后送体验券',
}

export const saleChannelText: Record<SaleChannel, string> = {
  IMPORT: '导入',
  PARTNER: '合作方',
  FOLLOW_UP: '卖出回访',
  APPRAISER: '估价师登记',
  LISTING: '商品文字',
}

export type ReviewDecision = 'ACCEPTED' | 'REFUSED'

/** held sales that one bulk decision covers at most */
const MAX_AT_ONCE = 5_000
const MAX_NOTE = 200

/** @throws AppError VALIDATION_FAILED without a reason */
export function requireReason(note: string): string {
  const reason = note.trim()
  if (reason === '' || reason.length > MAX_NOTE)
    throw invalid([{ path: 'note', msg: `请填写理由（1 到 ${MAX_NOTE} 字）` }])
  return reason
}

/** Those of the sales that wait: accepted ones join the others, refused ones of a partner are kept, as it may send them again. */
async function decide(tx: Db, ids: readonly number[], decision: ReviewDecision, now: number): Promise<SaleRow[]> {
  const isOpen = sql<boolean>`(id in (${sql.join(ids)}) and refused_at is null)`
  const kept = tx.updateTable('held_sales').set({ refused_at: now }).where(isOpen).where('channel', '=', 'PARTNER')
  const refused = decision === 'REFUSED' ? await kept.returningAll().execute() : []
  const gone = await tx.deleteFrom('held_sales').where(isOpen).returningAll().execute()
  const sales = [...refused, ...gone].map(
    (r): SaleRow => ({
      ...{ gameId: r.game_id, kind: r.kind, priceFen: r.price_fen, at: r.at, attributes: r.attributes },
      ...{ source: r.source, externalId: r.external_id, channel: r.channel },
      ...(r.listed_at !== null && { listedAt: r.listed_at }),
      ...(r.residual !== null && { residual: r.residual }),
      ...(r.reporter !== null && { reporter: r.reporter }),
      ...(r.device !== null && { device: r.device }),
    }),
  )
  if (decision === 'ACCEPTED') await insertSales(tx, sales)
  return sales
}

/** Decides one held sale. @throws AppError NOT_FOUND: decided already, or unknown */
export async function decideOne(tx: Db, id: number, decision: ReviewDecision, now: number): Promise<SaleRow> {
  const [sale] = await decide(tx, [id], decision, now)
  if (!sale) throw new AppError('NOT_FOUND', { msg: '这一条已经处理过，或不存在' })
  return sale
}

/** Decides all waiting sales of a source, for example of a new partner. @throws AppError NOT_FOUND: none waits */
export async function decideSource(tx: Db, source: string, decision: ReviewDecision, now: number): Promise<SaleRow[]> {
  const rows = await openSales(tx).select('held_sales.id').where('source', '=', source).limit(MAX_AT_ONCE).execute()
  if (rows.length === 0) throw new AppError('NOT_FOUND', { msg: '这个来源没有待核的成交' })
  return decide(
    tx,
    rows.map(({ id }) => id),
    decision,
    now,
  )
}

/** Sales that wait for staff, the oldest first. */
export const openSales = (db: Db) =>
  db.selectFrom('held_sales').where('refused_at', 'is', null).orderBy('held_at').orderBy('held_sales.id')
