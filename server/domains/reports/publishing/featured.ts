import { FEATURED_REPORT_TOKEN, PAGE_SIZE_DEFAULT } from '@/contract/constants'
import type { FormConfig } from '@/contract/form/types'
import { maskNick } from '@/contract/mask'
import type { Report, ReportCard, Req, Res } from '@/contract/types'
import { AppError } from '../../../core/app-error'
import type { OpenCtx } from '../../../core/context'
import { exampleView, type ReportRow, redactForVisitor, reportView } from '../reading/view'
import { computedBodyOf } from '../store'
import { cardContent, soldOf } from './card-content'
import { featuredReports, filterFeatured } from './featured-query'
import type { PublicStatistics } from './public-statistics'

/** `reportNo` of an example begins with this, followed by the game's id. */
const EXAMPLE = 'example-'

/**
 * Valued accounts of past sales, for games without a report that may be shown; from the newest statistics of each
 * game.
 */
async function examplesOf(figures: PublicStatistics, games: readonly FormConfig[]): Promise<ReportCard[]> {
  const markets = await Promise.all(games.map(({ gameId }) => figures.market(gameId)))
  return games.flatMap(({ gameId, name: gameName }, i) => {
    const market = markets[i]
    if (!market?.example) return []
    const { title, price, percentile, comparables } = market.example
    const { predictFen, lowFen, highFen } = price
    return {
      ...{
        reportNo: EXAMPLE + gameId,
        gameId,
        gameName,
        title,
        nickMasked: '',
        predictFen,
        lowFen,
        highFen,
        percentile,
      },
      ...{ soldFen: soldOf({ price, comparables }), reason: '', createdAt: market.madeAt },
      synthetic: market.syntheticShare > 0,
    }
  })
}

/**
 * The featured reports, newest first. The selection is cached (`PublicStatistics`); whether each may still be shown is
 * checked for each request, so that a withdrawn one is not shown again. `perGame`: one of each game, an example where
 * there is none.
 */
export async function excellentReports(
  { db, repositories: { games, publicStatistics: figures }, clock }: OpenCtx,
  { pageNo = 1, pageSize = PAGE_SIZE_DEFAULT, gameId, perGame = false }: Req<'app', 'excellentReportList'>,
): Promise<Res<'app', 'excellentReportList'>> {
  const catalogue = await games.all()
  // an unknown game id must not become a key of the cache
  const exists = !gameId || catalogue.some(({ config }) => config.gameId === gameId)
  const gameIds = perGame && !gameId ? catalogue.map(({ config }) => config.gameId) : [gameId || undefined]
  const found = exists ? await Promise.all(gameIds.map((id) => figures.featured(id))) : []
  const numbers = perGame ? found.flatMap(([newest]) => newest ?? []) : found.flat()
  const page = numbers.slice((pageNo - 1) * pageSize, pageNo * pageSize)
  const total = numbers.length
  const unlisted = perGame && !gameId && pageNo === 1 ? catalogue.filter((_, i) => !found[i]?.length) : []
  const examples = await examplesOf(
    figures,
    unlisted.map(({ config }) => config),
  )
  if (page.length === 0) return { list: examples.slice(0, pageSize), total, pageNo, pageSize }
  const rows = await filterFeatured(db, clock.now(), page)
  const names = new Map(catalogue.map(({ config }) => [config.gameId, config.name]))
  const list = rows.flatMap((row) => {
    const body = computedBodyOf(row)
    if (!body) return []
    return {
      reportNo: row.report_no,
      gameId: row.game_id,
      gameName: names.get(row.game_id) ?? row.game_id,
      title: row.title,
      nickMasked: maskNick(row.nickname),
      predictFen: row.predict_fen,
      ...cardContent(body),
      createdAt: row.created_at,
    }
  })
  return { list: [...list, ...examples].slice(0, pageSize), total, pageNo, pageSize }
}

export const isExcellentToken = (token: string | undefined): boolean => token === FEATURED_REPORT_TOKEN

/** The whole report of an example. */
async function exampleReport({ repositories: { games, publicStatistics }, clock }: OpenCtx, reportNo: string) {
  const game = (await games.all()).find(({ config }) => reportNo === EXAMPLE + config.gameId)
  const market = game && (await publicStatistics.market(game.config.gameId))
  return market && exampleView({ config: game.config, market, now: clock.now() }, reportNo)
}

/**
 * A featured report or an example, without login. Any other number gets the same error, whether it exists or not.
 * @throws AppError SHARE_REVOKED
 */
export async function excellentReport(ctx: OpenCtx, reportNo = ''): Promise<Report> {
  const example = reportNo.startsWith(EXAMPLE) ? await exampleReport(ctx, reportNo) : undefined
  if (example) return { ...example, account: {} }
  const row: ReportRow | undefined = await featuredReports(ctx.db, ctx.clock.now())
    .selectAll('r')
    .select(['o.title', 'o.mode', 'o.level', 'o.schema_version'])
    .where('r.report_no', '=', reportNo)
    .executeTakeFirst()
  if (!row) throw new AppError('SHARE_REVOKED', { msg: '这份报告已不再展示' })
  return { ...redactForVisitor(await reportView(ctx, row)), account: {} }
}
