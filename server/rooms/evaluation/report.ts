import type { Selectable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { maskGameId } from '@/contract/mask'
import type { Report, Req } from '@/contract/types'
import type { OpenCtx } from '../../context'
import type { ReportsTable } from '../../db/tables'
import type { Valued } from '../../engine/types'
import { invalid, Refusal } from '../../refusal'

/** lines of the breakdown that a locked report shows (product 2.4) */
const LOCKED_LINES = 2

/** What the table keeps of a valuation: all of it, and whether its model knows generated sales. */
export type StoredReport = Omit<Valued, 'ok' | 'model'> & { model: Valued['model'] & { synthetic: boolean } }

type Row = Selectable<ReportsTable> & { title: string }

/** The lines that weigh most, in the order of the breakdown. */
function topLines(lines: StoredReport['breakdown']): StoredReport['breakdown'] {
  const most = [...lines].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen)).slice(0, LOCKED_LINES)
  return lines.filter((line) => most.includes(line))
}

/** Unlocked for good, even when it is past its date. */
const isOpen = (row: Row) => row.status !== 'LOCKED'

function statusAt({ status, valid_until }: Row, now: number): Report['status'] {
  const live = status === 'LOCKED' || status === 'UNLOCKED'
  return live && valid_until <= now ? 'EXPIRED' : (status as Report['status'])
}

/** The public id the user typed, so that they recognise the account; never whole. */
function idMasked(config: FormConfig, answers: Answers): { idMasked?: string } {
  const field = config.fields.find((f) => f.role === 'lookup')
  const id = field && answers[field.key]
  return typeof id === 'string' && id !== '' ? { idMasked: maskGameId(id) } : {}
}

/** A report for its owner. Parts that are locked are absent, not hidden. */
function toReport(row: Row, config: FormConfig, now: number): Report {
  const body = row.body as unknown as StoredReport
  const open = isOpen(row)
  return {
    reportNo: row.report_no,
    orderId: row.order_id,
    gameId: row.game_id,
    mode: 'AI',
    version: row.version,
    status: statusAt(row, now),
    title: row.title,
    account: idMasked(config, row.inputs.answers),
    price: body.price,
    confidence: body.confidence,
    breakdown: open ? body.breakdown : topLines(body.breakdown),
    counts: {
      breakdown: body.breakdown.length,
      topItems: body.topItems.length,
      comparables: body.comparables.length,
      history: 0,
      raise: body.raise.length,
    },
    ...(body.liquidity && { liquidity: body.liquidity }),
    risk: body.risk,
    ...(open && {
      percentile: body.percentile,
      topItems: body.topItems,
      comparables: body.comparables,
      history: [],
      raise: body.raise,
    }),
    model: body.model,
    aiGenerated: false,
    createdAt: row.created_at,
    validUntil: row.valid_until,
    mine: true,
  }
}

/**
 * A report by its order or its number, newest version. Only the owner finds it.
 * @throws Refusal NOT_LOGGED_IN, NOT_FOUND, VALIDATION_FAILED
 */
export async function findReport(ctx: OpenCtx, { orderId, reportNo }: Req<'evaluation', 'reportGet'>): Promise<Report> {
  if (!orderId && !reportNo) throw invalid([{ path: 'orderId', msg: '请给出订单或报告编号' }])
  const userId = await ctx.viewer()
  // the same answer whether or not the report exists: logging in may help, guessing does not
  if (!userId) throw new Refusal('NOT_LOGGED_IN')
  let query = ctx.db
    .selectFrom('reports')
    .innerJoin('orders', 'orders.id', 'reports.order_id')
    .selectAll('reports')
    .select('orders.title')
    .where('reports.user_id', '=', userId)
  if (orderId) query = query.where('reports.order_id', '=', orderId)
  if (reportNo) query = query.where('reports.report_no', '=', reportNo)
  const row = await query.orderBy('reports.version', 'desc').limit(1).executeTakeFirst()
  if (!row) throw new Refusal('NOT_FOUND', { msg: '没有找到这份报告' })
  const { config } = await ctx.games.find(row.game_id)
  return toReport(row, config, ctx.clock.now())
}
