import type { Db } from '../../db/database'
import type { Backtest } from '../../engine/backtest'
import { DAY } from '../../engine/numbers'

/** Fewer tested sales say nothing that could be published (spec: 样本不足). */
export const MIN_TESTED = 50

export interface BacktestRun {
  gameId: string
  synthetic: boolean
  result: Backtest
  /** ms */
  ranAt: number
}

/** Keeps a run under its model version; the same version run again replaces it. */
export async function storeBacktest(db: Db, { gameId, synthetic, result, ranAt }: BacktestRun): Promise<void> {
  const row = { synthetic, result: JSON.stringify(result), ran_at: ranAt }
  await db
    .insertInto('backtests')
    .values({ game_id: gameId, model_version: result.modelVersion, ...row })
    .onConflict((c) => c.columns(['game_id', 'model_version']).doUpdateSet(row))
    .execute()
}

/** The newest run of a game. */
export async function newestBacktest(db: Db, gameId: string): Promise<BacktestRun | undefined> {
  const row = await db
    .selectFrom('backtests')
    .selectAll()
    .where('game_id', '=', gameId)
    .orderBy('ran_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { gameId, synthetic: row.synthetic, result: row.result, ranAt: row.ran_at }
}

/** The newest run of every game that has one. */
export async function newestBacktests(db: Db): Promise<BacktestRun[]> {
  const rows = await db
    .selectFrom('backtests')
    .distinctOn('game_id')
    .selectAll()
    .orderBy('game_id')
    .orderBy('ran_at', 'desc')
    .execute()
  return rows.map((r) => ({ gameId: r.game_id, synthetic: r.synthetic, result: r.result, ranAt: r.ran_at }))
}

/** what is older is not news of the last 30 days any more */
const RECENT = 30 * DAY

export interface PublishedError {
  accuracy: number
  synthetic?: true
}

/**
 * Median error of the last 30 days by game: of those whose newest run tested enough sales of that time, unless nobody has
 * reported sales since. `synthetic`: of generated sales, which must be said beside it.
 */
export async function publishedErrors(db: Db, now: number): Promise<Map<string, PublishedError>> {
  const runs = await newestBacktests(db)
  return new Map(
    runs.flatMap(({ gameId, synthetic, result: { recent } }) =>
      recent && recent.n >= MIN_TESTED && recent.until > now - RECENT
        ? [[gameId, { accuracy: recent.medianError, ...(synthetic && { synthetic }) }] as const]
        : [],
    ),
  )
}
