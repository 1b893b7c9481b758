import type { Selectable } from 'kysely'
import type { Backtest } from '../../db/columns'
import type { Db } from '../../db/database'
import type { DB } from '../../db/tables'
import { DAY } from '../../engine/numbers'

/** With fewer tested sales no accuracy is published (spec: 样本不足). */
export const MIN_TESTED = 50

export interface BacktestRun {
  gameId: string
  synthetic: boolean
  /** share of generated sales, 0 to 1 */
  syntheticShare: number
  result: Backtest
  /** ms */
  ranAt: number
}

/** Stores a run under its model version; a repeated run of the version replaces it. */
export async function storeBacktest(db: Db, run: BacktestRun): Promise<void> {
  const { gameId, synthetic, syntheticShare, result, ranAt } = run
  const row = { synthetic, synthetic_share: syntheticShare, result: JSON.stringify(result), ran_at: ranAt }
  await db
    .insertInto('backtests')
    .values({ game_id: gameId, model_version: result.modelVersion, ...row })
    .onConflict((c) => c.columns(['game_id', 'model_version']).doUpdateSet(row))
    .execute()
}

const runOf = (row: Selectable<DB['backtests']>): BacktestRun => ({
  ...{ gameId: row.game_id, synthetic: row.synthetic, syntheticShare: row.synthetic_share },
  ...{ result: row.result, ranAt: row.ran_at },
})

/** The latest run of a game. */
export async function newestBacktest(db: Db, gameId: string): Promise<BacktestRun | undefined> {
  const row = await db
    .selectFrom('backtests')
    .selectAll()
    .where('game_id', '=', gameId)
    .orderBy('ran_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && runOf(row)
}

/** The latest run of every game that has one. */
export async function newestBacktests(db: Db): Promise<BacktestRun[]> {
  const rows = await db
    .selectFrom('backtests')
    .distinctOn('game_id')
    .selectAll()
    .orderBy('game_id')
    .orderBy('ran_at', 'desc')
    .execute()
  return rows.map(runOf)
}

/** runs from before are not published as of the last 30 days */
const RECENT = 30 * DAY

export interface PublishedError {
  accuracy: number
  synthetic?: true
}

/**
 * Median error of the last 30 days, for games whose latest run tested enough recent sales, the newest of them within
 * these 30 days. `synthetic`: of generated sales, which must be stated beside it.
 */
export async function publishedErrors(db: Db, now: number): Promise<Map<string, PublishedError>> {
  const runs = await newestBacktests(db)
  return new Map(
    runs.flatMap(({ gameId, synthetic, result: { recent } }) =>
      recent.n >= MIN_TESTED && recent.until > now - RECENT
        ? [[gameId, { accuracy: recent.medianError, ...(synthetic && { synthetic }) }] as const]
        : [],
    ),
  )
}
