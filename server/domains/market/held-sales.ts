import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../core/app-error'
import type { Db } from '../../db/database'
import type { HoldReason, SaleChannel } from '../../db/sale-channels'

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

/** held sales that one bulk decision covers at most */
const MAX_AT_ONCE = 5_000

/** Sales that wait for staff, the oldest first. */
export const openSales = (db: Db) =>
  db.selectFrom('held_sales').where('refused_at', 'is', null).orderBy('held_at').orderBy('held_sales.id')

const decided = ['channel', 'external_id', 'game_id', 'price_fen'] as const
const columns = sql.raw(
  'game_id, kind, price_fen, at, listed_at, source, external_id, attributes, channel, residual, reporter, device',
)

/**
 * Decides waiting sales: accepted ones join the others, refused ones are deleted, except those of a partner, which may send
 * them again. @param which condition on `held_sales` @throws AppError NOT_FOUND: none waits
 */
export async function decideHeld(tx: Db, which: RawBuilder<boolean>, decision: 'ACCEPTED' | 'REFUSED', now: number) {
  const ids = openSales(tx).select('held_sales.id').where(which).limit(MAX_AT_ONCE)
  const isOpen = sql<boolean>`(id in (${ids}) and refused_at is null)`
  const kept = tx.updateTable('held_sales').set({ refused_at: now }).where(isOpen).where('channel', '=', 'PARTNER')
  const refused = decision === 'REFUSED' ? await kept.returning(decided).execute() : []
  const deleted = await sql<(typeof refused)[number]>`
    with deleted as (delete from held_sales where ${isOpen} returning *),
      added as (insert into sales (${columns}) select ${columns} from deleted where ${decision === 'ACCEPTED'} on conflict do nothing)
    select channel, external_id, game_id, price_fen from deleted order by id`.execute(tx)
  const all = [...refused, ...deleted.rows]
  if (all.length === 0) throw new AppError('NOT_FOUND', { msg: '没有待核的成交，或已经处理过' })
  return all
}
