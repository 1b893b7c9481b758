import { type Kysely, sql } from 'kysely'
import { HOME_ORDER_COUNT } from '@/contract/constants'
import { maskNick } from '@/contract/mask'
import type { HomeCounts, TickerOrder } from '@/contract/types'
import { createStaleCache, type Freshness } from '../../../core/stale-cache'
import type { MarketStatistics } from '../../../db/columns'
import type { Db } from '../../../db/database'
import type { DB } from '../../../db/tables'
import { accuracies, MIN_TESTED } from '../../models/backtests'
import { featuredNumbers } from './featured-query'

/** ms a figure is used without recomputation, and ms more while it is recomputed in the background */
const KEPT = { fresh: 30_000, stale: 60_000 } as const
/**
 * These times for the featured reports, where owners look for the report they have just agreed to show. Renewed at once:
 * callers do not wait for the search, and what a stale list lacks is found soon.
 */
const FEATURED = { fresh: 1_000, stale: 4_000, renewAfter: 0 } as const

type Counts = Omit<HomeCounts, 'games'>
type Market = MarketStatistics & { madeAt: number }
type Ticker = Pick<TickerOrder, 'nickMasked' | 'priceFen'> & { gameId: string; at: number }

async function readMarket(db: Db, gameId: string): Promise<Market | undefined> {
  const row = await db.selectFrom('market_statistics').selectAll().where('game_id', '=', gameId).executeTakeFirst()
  return row && { ...row.body, madeAt: row.made_at }
}

async function countAll(db: Db): Promise<Counts> {
  const { rows } = await sql<{ users: number; reports: number }>`
    select (select count(*) from users) as users, (select count(*) from reports) as reports`.execute(db)
  const { users = 0, reports = 0 } = rows[0] ?? {}
  const runs = (await accuracies(db)).filter(({ result }) => result.n >= MIN_TESTED)
  const errors = runs.map(({ result }) => result.medianError).sort((a, b) => a - b)
  return {
    users,
    reports,
    // the median over the games' median errors (the upper one for an even count)
    ...(errors.length > 0 && {
      accuracyMedian: errors[Math.floor(errors.length / 2)] ?? 0,
      synthetic: runs.some(({ synthetic }) => synthetic),
    }),
  }
}

/** newest reports that are searched for those of users who agreed (off by default), so that few of them are no scan */
const MAX_CANDIDATES = 10_000

async function newestValuations(db: Db): Promise<Ticker[]> {
  const newest = db
    .selectFrom('reports')
    .select(['game_id', 'predict_fen', 'created_at', 'user_id', 'order_id', 'status'])
    .orderBy('created_at', 'desc')
    .limit(MAX_CANDIDATES)
  const rows = await db
    .selectFrom(newest.as('reports'))
    .innerJoin('users', 'users.id', 'reports.user_id')
    .select(['reports.game_id', 'reports.predict_fen', 'reports.created_at', 'users.nickname'])
    .innerJoin('orders', 'orders.id', 'reports.order_id')
    .where(sql<boolean>`users.settings @> '{"showAsExample": true}'`)
    .where('users.erased', '=', false)
    .where('users.deletion_at', 'is', null)
    .where('reports.status', '<>', 'REVOKED')
    .where('orders.deleted_at', 'is', null)
    .orderBy('reports.created_at', 'desc')
    .limit(HOME_ORDER_COUNT)
    .execute()
  return rows.map((r) => ({
    gameId: r.game_id,
    nickMasked: maskNick(r.nickname),
    priceFen: Math.round(r.predict_fen / 10_000) * 10_000,
    at: r.created_at,
  }))
}

/**
 * Statistics that would be a scan of whole tables per request; home shows most of them to every visitor. Each process
 * caches them, so a figure is up to 90 s old.
 * @param now ms
 * @param kept durations in ms; 0 computes a figure for each request (tests)
 */
export function createPublicStatistics(db: Kysely<DB>, now: () => number, kept: Freshness = KEPT) {
  const figure = <T extends object>(freshness: Freshness) => {
    const { get, clear } = createStaleCache<T>(freshness)
    const find = async (key: string, compute: () => Promise<T>): Promise<T> => (await get(key, compute)) ?? compute()
    return { find, clear }
  }
  const [counts, ticker] = [figure<Counts>(kept), figure<Ticker[]>(kept)]
  const market = createStaleCache<Market>(kept)
  const featured = figure<string[]>(kept.fresh === 0 ? kept : FEATURED)
  return {
    /** users and reports, never rounded up, and the accuracy of the models */
    counts: () => counts.find('', () => countAll(db)),
    /** the newest valuations of users who agreed to publication: masked, prices rounded to 100 yuan */
    ticker: () => ticker.find('', () => newestValuations(db)),
    /** the market of a game, computed once a day; undefined before the first time */
    market: (gameId: string) => market.get(gameId, () => readMarket(db, gameId)),
    /** numbers of the featured reports, newest first; each must be checked before it is shown */
    featured: (gameId: string | undefined) =>
      featured.find(gameId ?? '', () => db.transaction().execute((tx) => featuredNumbers(tx, now(), gameId))),
    /** Lets this process search for them again, after an owner's consent. */
    forgetFeatured: featured.clear,
  }
}

export type PublicStatistics = ReturnType<typeof createPublicStatistics>
