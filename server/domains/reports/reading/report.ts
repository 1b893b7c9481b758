import { type Kysely, sql } from 'kysely'
import { isEmbedToken } from '@/contract/constants'
import type { Report, Req } from '@/contract/types'
import { AppError, invalid, reportNotFound } from '../../../core/app-error'
import type { OpenCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { precompiledQuery, sessionQuery } from '../../../db/precompiled-query'
import type { DB } from '../../../db/tables'
import { withAppraiserStatistics } from '../../content/appraiser-statistics'
import { embedIssuedAt } from '../publishing/embed'
import { excellentReport, isExcellentToken } from '../publishing/featured'
import { shareOfToken } from '../publishing/share'
import { proofOf } from '../publishing/verification'
import { recompute } from './recompute'
import {
  isReportUnlocked,
  type RelatedReport,
  type ReportRow,
  redactForVisitor,
  reportView,
  valuationView,
} from './view'

/** Other reports of the account that are loaded, newest first. */
const MAX_SIBLINGS = 20

/** SQL over a row `r` of reports: the account's other reports as JSON, newest first. */
const siblings = sql<RelatedReport[]>`(select coalesce(json_agg(s), '[]') from (
  select n.report_no, n.order_id, o.mode, n.created_at, n.predict_fen, n.body -> 'price' as price,
    n.body -> 'confidence' as confidence, n.body -> 'changed' as changed,
    n.body -> 'appraiser' ->> 'comment' as comment
  from reports n join orders o on o.id = n.order_id
  where n.user_id = r.user_id and n.game_id = r.game_id and n.account_id = r.account_id and n.report_no <> r.report_no
  order by n.created_at desc limit ${sql.lit(MAX_SIBLINGS)}) as s)`

const ownBy =
  (column: 'r.order_id' | 'r.report_no') =>
  (db: Kysely<DB>, { userId, id }: { userId: string; id: string }) =>
    db
      .selectFrom('reports as r')
      .innerJoin('orders', 'orders.id', 'r.order_id')
      .selectAll('r')
      .leftJoin('report_shares as share', (j) =>
        j.onRef('share.report_no', '=', 'r.report_no').on('share.revoked_at', 'is', null),
      )
      .leftJoin('account_names as named', (j) =>
        j.onRef('named.user_id', '=', 'r.user_id').onRef('named.account_id', '=', 'r.account_id'),
      )
      .select([
        'orders.title',
        'orders.mode',
        'orders.level',
        'orders.schema_version',
        'orders.ask_fen',
        'share.token as share_token',
        'named.name',
      ])
      .select(siblings.as('siblings'))
      .where('r.user_id', '=', userId)
      .where(column, '=', id)
      .orderBy('r.version', 'desc')
      .limit(1)
const [byOrder, byNumber] = [ownBy('r.order_id'), ownBy('r.report_no')]
const [ownByOrder, ownByNumber] = [precompiledQuery(byOrder), precompiledQuery(byNumber)]
const [readByOrder, readByNumber] = [sessionQuery(byOrder), sessionQuery(byNumber)]

/** The owner's report, latest version, with the account's other reports. */
export async function ownReport(db: Db, userId: string, { orderId, reportNo }: Req<'evaluation', 'reportGet'>) {
  const [row] = await (reportNo
    ? ownByNumber(db, { userId, id: reportNo })
    : ownByOrder(db, { userId, id: orderId ?? '' }))
  return orderId && row?.order_id !== orderId ? undefined : row
}

const rowOf = (db: Db, reportNo: string) =>
  db
    .selectFrom('reports as r')
    .innerJoin('orders', 'orders.id', 'r.order_id')
    .selectAll('r')
    .select(['orders.title', 'orders.mode', 'orders.level', 'orders.schema_version', 'orders.embeds_ended_at'])
    .where('r.report_no', '=', reportNo)
    .executeTakeFirstOrThrow()

/** The report of a share token. @throws AppError NOT_FOUND, SHARE_REVOKED */
async function sharedReport(db: Db, token: string, reportNo: string | undefined) {
  const share = await shareOfToken(db, token, reportNo || undefined)
  if (!share) throw reportNotFound()
  if (share.revoked_at !== null) throw new AppError('SHARE_REVOKED')
  return rowOf(db, share.report_no)
}

/** The report of an embedding token, also for its owner. @throws AppError NOT_FOUND, SHARE_REVOKED */
async function embedded(ctx: OpenCtx, token: string, reportNo = '') {
  const madeAt = embedIssuedAt(ctx, token, reportNo, ctx.clock.now())
  if (madeAt === 'WRONG') throw reportNotFound()
  if (madeAt === 'EXPIRED') throw new AppError('SHARE_REVOKED', { msg: '链接已过期' })
  const row = await rowOf(ctx.db, reportNo)
  if (madeAt <= (row.embeds_ended_at ?? 0)) throw new AppError('SHARE_REVOKED')
  return row
}

/** A report for a visitor. A whole one has its proof, like the poster, whose page shows neither nickname nor range. */
async function visitorReport(
  ctx: OpenCtx,
  row: Awaited<ReturnType<typeof rowOf>>,
  { without }: Req<'evaluation', 'reportGet'>,
): Promise<Report> {
  if (without) throw new AppError('REPORT_LOCKED')
  const report = await withAppraiserStatistics(ctx, redactForVisitor(await reportView(ctx, row)))
  return isReportUnlocked(row) ? { ...report, ...proofOf(ctx, row) } : report
}

/** Why there is no report: the order ended without a price, or it is not the user's. */
async function noReport(db: Db, userId: string, orderId: string | undefined): Promise<AppError> {
  const order = orderId
    ? await db
        .selectFrom('orders')
        .select(['status', 'game_id'])
        .where('id', '=', orderId)
        .where('user_id', '=', userId)
        .executeTakeFirst()
    : undefined
  if (order?.status === 'INSUFFICIENT') return new AppError('SAMPLE_INSUFFICIENT', { data: { gameId: order.game_id } })
  return reportNotFound()
}

/** The price without comparables rejected by the owner; not stored. */
async function reprice(ctx: OpenCtx, row: ReportRow, without: string[]): Promise<Report['repriced']> {
  if (!isReportUnlocked(row) || row.model_id === null) throw new AppError('REPORT_LOCKED')
  await ctx.limits.enforce('reprice', row.user_id)
  const valued = await recompute(ctx, row, without)
  if (!valued.ok) throw new AppError('SAMPLE_INSUFFICIENT', { msg: '剔除后可比账号不足 5 个，无法重新估价' })
  return { without, ...valuationView(valued) }
}

/**
 * A report by order or number, latest version. For its owner, and as a visitor's view for holders of a valid share or
 * embedding token. Featured reports are public.
 * @throws AppError NOT_LOGGED_IN, NOT_FOUND, SHARE_REVOKED, SAMPLE_INSUFFICIENT, VALIDATION_FAILED; with `without` also
 * REPORT_LOCKED, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function findReport(ctx: OpenCtx, req: Req<'evaluation', 'reportGet'>): Promise<Report> {
  if (!req.orderId && !req.reportNo && !req.shareToken)
    throw invalid([{ path: 'orderId', msg: '链接里缺少订单编号或报告编号' }])
  if (isExcellentToken(req.shareToken)) return excellentReport(ctx, req.reportNo)
  if (req.shareToken && isEmbedToken(req.shareToken))
    return visitorReport(ctx, await embedded(ctx, req.shareToken, req.reportNo), req)
  if (!req.shareToken) return ownView(ctx, req)
  const userId = await ctx.viewer()
  const shared = await sharedReport(ctx.db, req.shareToken, req.reportNo)
  return shared.user_id === userId
    ? ownView(ctx, { ...req, orderId: undefined, reportNo: shared.report_no })
    : visitorReport(ctx, shared, req)
}

/** A report for its owner. */
async function ownView(ctx: OpenCtx, req: Req<'evaluation', 'reportGet'>): Promise<Report> {
  const { orderId, reportNo } = req
  // without a login the error is the same whether or not the report exists, so that numbers cannot be probed
  const { session, rows } = await ctx.queryWithSession(reportNo ? readByNumber : readByOrder, {
    id: reportNo || orderId || '',
  })
  const row = rows.find((found) => !orderId || found.order_id === orderId)
  if (!row) throw await noReport(ctx.db, session.userId, orderId)
  const { share_token: shareToken, name, ask_fen: askFen } = row
  const own = await withAppraiserStatistics(ctx, await reportView(ctx, row, row.siblings))
  const report = {
    ...own,
    ...(name !== null && { account: { ...own.account, name } }),
    ...(askFen !== null && { asking: { fen: askFen, overPrice: askFen / own.price.predictFen - 1 } }),
    ...(shareToken && { shareToken }),
    ...proofOf(ctx, row),
  }
  if (!req.without) return report
  return { ...report, repriced: await reprice(ctx, row, req.without.split(',')) }
}
