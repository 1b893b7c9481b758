import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { AppError, invalid } from '../../app-error'
import type { Db } from '../../db/database'
import type { HoldReason, SaleChannel } from '../../db/sale-channels'
import { insertSales, type SaleRow, SYNTHETIC } from '../../db/sales'

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

interface Decided {
  decision: ReviewDecision
  /** why; shown in the history */
  note: string
  staffId: string
  /** ms */
  now: number
}

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

async function decide(tx: Db, ids: readonly number[], { decision, note, staffId, now }: Decided): Promise<SaleRow[]> {
  const rows = await tx
    .updateTable('held_sales')
    .set({ decided_at: now, decided_by: staffId, decision, note })
    .where('id', 'in', ids)
    .where('decided_at', 'is', null)
    .returningAll()
    .execute()
  const sales = rows.map(
    (r): SaleRow => ({
      ...{ gameId: r.game_id, kind: r.kind, priceFen: r.price_fen, at: r.at, attributes: r.attributes },
      ...{ source: r.source, externalId: r.external_id, channel: r.channel },
      ...(r.sale_id !== null && { id: r.sale_id }),
      ...(r.listed_at !== null && { listedAt: r.listed_at }),
      ...(r.residual !== null && { residual: r.residual }),
      ...(r.reporter !== null && { reporter: r.reporter }),
      ...(r.device !== null && { device: r.device }),
      ...(r.fingerprint !== null && { fingerprint: r.fingerprint }),
    }),
  )
  if (decision === 'ACCEPTED' && sales.length > 0) await insertSales(tx, sales)
  return sales
}

/** Decides one held sale; an accepted one joins the others. @throws AppError NOT_FOUND: decided already, or unknown */
export async function decideOne(tx: Db, id: number, decided: Decided): Promise<SaleRow> {
  const [sale] = await decide(tx, [id], decided)
  if (!sale) throw new AppError('NOT_FOUND', { msg: '这一条已经处理过，或不存在' })
  return sale
}

/** Decides all waiting sales of a source, for example after its operator has corrected them. @returns how many */
export async function decideSource(tx: Db, source: string, decided: Decided): Promise<SaleRow[]> {
  const rows = await tx
    .selectFrom('held_sales')
    .select('id')
    .where('source', '=', source)
    .where('decided_at', 'is', null)
    .orderBy('id')
    .limit(MAX_AT_ONCE)
    .execute()
  if (rows.length === 0) throw new AppError('NOT_FOUND', { msg: '这个来源没有待核的成交' })
  return decide(
    tx,
    rows.map(({ id }) => id),
    decided,
  )
}

interface HeldSalesFilter {
  /** part of source, external id or game id */
  q: string
  decided: boolean
  /** after this one, in the order of the list */
  from?: { at: number; id: string } | undefined
}

/** Held sales, those waiting oldest first, the decided ones newest first. */
export const heldSales = (db: Db, { q, decided, from }: HeldSalesFilter, limit: number) =>
  db
    .selectFrom('held_sales')
    .leftJoin('staff', 'staff.staff_id', 'held_sales.decided_by')
    .selectAll('held_sales')
    .select('staff.nick')
    .where('decided_at', decided ? 'is not' : 'is', null)
    .$if(q !== '', (query) =>
      query.where(
        sql<boolean>`position(lower(${q}) in lower(concat_ws(' ', source, external_id, held_sales.game_id))) > 0`,
      ),
    )
    .$if(from !== undefined, (query) =>
      query.where(
        decided
          ? sql<boolean>`(decided_at, held_sales.id) < (${from?.at}::bigint, ${from?.id}::bigint)`
          : sql<boolean>`(held_at, held_sales.id) > (${from?.at}::bigint, ${from?.id}::bigint)`,
      ),
    )
    .orderBy(decided ? 'decided_at' : 'held_at', decided ? 'desc' : 'asc')
    .orderBy('held_sales.id', decided ? 'desc' : 'asc')
    .limit(limit)
    .execute()

interface Source {
  gameId: string
  channel: SaleChannel
  /** who sent them: a partner's or an import's name, or one of our own */
  source: string
}

export interface StoredQuality extends Source {
  n: number
  /** sales and listings of the last 30 days */
  recent: number
  /** ms; null: all of them wait */
  newest: number | null
  /** median log residual on arrival; null without comparison */
  shift: number | null
  /** that median of the last 30 days, less that of before */
  drift: number | null
  /** share of those compared that were more than twice or less than half of the expectation */
  outliers: number | null
}

export interface SourceQuality extends StoredQuality {
  waiting: number
}

/**
 * Volume, freshness and agreement with the market of what was stored, by game and source. Reads and sorts all sales, so
 * it is cached (`PublicStatistics`).
 */
export async function storedQuality(db: Db, now: number): Promise<StoredQuality[]> {
  const since = sql`${now}::bigint - ${sql.lit(30 * DAY_MS)}::bigint`
  const median = (condition: RawBuilder<unknown>) =>
    sql`percentile_cont(0.5) within group (order by residual) filter (where ${condition})`
  const { rows } = await sql<StoredQuality>`
    select game_id as "gameId", channel, source, count(*)::int as n,
      (count(*) filter (where at > ${since}))::int as recent, max(at) as newest, ${median(sql`true`)} as shift,
      ${median(sql`at > ${since}`)} - ${median(sql`at <= ${since}`)} as drift,
      (avg(case when abs(residual) > 0.69 then 1.0 else 0.0 end) filter (where residual is not null))::float8 as outliers
    from sales group by 1, 2, 3`.execute(db)
  return rows
}

const keyOf = ({ gameId, channel, source }: Source) => JSON.stringify([gameId, channel, source])

const byGame = (a: SourceQuality, b: SourceQuality) =>
  a.gameId.localeCompare(b.gameId) ||
  Number(a.source === SYNTHETIC) - Number(b.source === SYNTHETIC) ||
  b.n - a.n ||
  a.source.localeCompare(b.source)

/** The quality of each source, with the number of sales that wait for a decision now. */
export async function withWaiting(db: Db, stored: readonly StoredQuality[]): Promise<SourceQuality[]> {
  const held = await db
    .selectFrom('held_sales')
    .select(['game_id as gameId', 'channel', 'source', (e) => e.fn.countAll<number>().as('waiting')])
    .where('decided_at', 'is', null)
    .groupBy(['game_id', 'channel', 'source'])
    .execute()
  const bySource = new Map<string, SourceQuality>(stored.map((row) => [keyOf(row), { ...row, waiting: 0 }]))
  const none = { n: 0, recent: 0, newest: null, shift: null, drift: null, outliers: null }
  for (const row of held) bySource.set(keyOf(row), { ...none, ...bySource.get(keyOf(row)), ...row })
  return [...bySource.values()].sort(byGame)
}
