import { type SqlBool, sql } from 'kysely'
import { FEATURED_REPORT_TOKEN, PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { maskNick } from '@/contract/mask'
import { DAY_MS } from '@/contract/time'
import type { Report, Req, Res } from '@/contract/types'
import { AppError } from '../../app-error'
import type { OpenCtx } from '../../context'
import type { Db } from '../../db/database'
import { readReasons } from '../../engine/confidence'
import type { StoredReport } from './store'
import { type Row, toReport, toVisitor } from './view'

/** ms; older prices are not informative */
const SHOWN_FOR = 90 * DAY_MS

/**
 * Unlocked reports with high confidence of users who agreed (off by default): the newest of each account. Queried every
 * time, so that a report disappears as soon as its owner withdraws consent, deletes it or leaves.
 */
const chosen = (db: Db, now: number) =>
  db
    .selectFrom('reports as r')
    .innerJoin('orders as o', 'o.id', 'r.order_id')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .where(sql<SqlBool>`u.settings @> '{"showAsExample": true}'`)
    .where('u.erased', '=', false)
    .where('o.mode', '=', 'AI')
    .where('o.deleted_at', 'is', null)
    .where('r.status', '=', 'UNLOCKED')
    .where('r.created_at', '>', now - SHOWN_FOR)
    .where(sql<SqlBool>`r.body -> 'confidence' ->> 'level' = 'HIGH'`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as newer')
            .select('newer.report_no')
            .whereRef('newer.user_id', '=', 'r.user_id')
            .whereRef('newer.account_id', '=', 'r.account_id')
            .whereRef('newer.created_at', '>', 'r.created_at')
            .where('newer.status', '=', 'UNLOCKED')
            .where('newer.model_id', 'is not', null),
        ),
      ),
    )

/** Why the report was chosen, by its own figures. */
function reasonOf({ confidence: { score, reasons } }: StoredReport): string {
  const { comparables, complete } = readReasons(reasons)
  return [
    `可信度 ${Math.round(score)} 分`,
    ...(comparables === undefined ? [] : [`可比样本 ${comparables} 个`]),
    ...(complete === undefined ? [] : [`资料完整度 ${Math.round(complete * 100)}%`]),
  ].join(' · ')
}

/** The public gallery, newest first. */
export async function excellentReports(
  { db, games, clock }: OpenCtx,
  { pageNo = 1, pageSize = PAGE_SIZE_DEFAULT, gameId }: Req<'app', 'excellentReportList'>,
): Promise<Res<'app', 'excellentReportList'>> {
  const all = chosen(db, clock.now())
  const mine = gameId ? all.where('r.game_id', '=', gameId) : all
  const [rows, { total }, shelf] = await Promise.all([
    mine
      .select(['r.report_no', 'r.game_id', 'o.title', 'u.nickname', 'r.predict_fen', 'r.created_at', 'r.body'])
      .orderBy('r.created_at', 'desc')
      .orderBy('r.report_no')
      .limit(pageSize)
      .offset((pageNo - 1) * pageSize)
      .execute(),
    mine.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    games.all(),
  ])
  const names = new Map(shelf.map(({ config }) => [config.gameId, config.name]))
  const list = rows.map(({ body, ...row }) => {
    const stored = body as unknown as StoredReport
    return {
      reportNo: row.report_no,
      gameId: row.game_id,
      gameName: names.get(row.game_id) ?? row.game_id,
      title: row.title,
      nickMasked: maskNick(row.nickname),
      predictFen: row.predict_fen,
      lowFen: stored.price.lowFen,
      highFen: stored.price.highFen,
      reason: reasonOf(stored),
      createdAt: row.created_at,
      synthetic: stored.model.synthetic,
    }
  })
  return { list, total, pageNo, pageSize }
}

export const isExcellentToken = (token: string | undefined): boolean => token === FEATURED_REPORT_TOKEN

/**
 * A report of the gallery, without login. Any other number gets the same error, whether it exists or not.
 * @throws AppError SHARE_REVOKED
 */
export async function excellentReport({ db, games, clock }: OpenCtx, reportNo = ''): Promise<Report> {
  const now = clock.now()
  const row: Row | undefined = await chosen(db, now)
    .selectAll('r')
    .select(['o.title', 'o.mode', 'o.schema_version'])
    .where('r.report_no', '=', reportNo)
    .executeTakeFirst()
  if (!row) throw new AppError('SHARE_REVOKED', { msg: '这份报告已不再展示' })
  const { config } = await games.find(row.game_id)
  return { ...toVisitor(toReport(row, config, [], now)), account: {} }
}
