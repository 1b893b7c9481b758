import type { Backtest } from '../../db/columns'
import type { Db } from '../../db/database'
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

/** How accurate the models in use were when they were trained, one of each game that has enough sales to tell. */
export async function accuracies(db: Db): Promise<BacktestRun[]> {
  const rows = await db
    .selectFrom('models')
    .select(['game_id', 'synthetic', 'synthetic_share', 'accuracy', 'trained_at'])
    .where('active', '=', true)
    .orderBy('game_id')
    .execute()
  return rows.flatMap((row) =>
    row.accuracy
      ? {
          ...{ gameId: row.game_id, synthetic: row.synthetic, syntheticShare: row.synthetic_share },
          ...{ result: row.accuracy, ranAt: row.trained_at },
        }
      : [],
  )
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
  return new Map(
    (await accuracies(db)).flatMap(({ gameId, synthetic, result: { recent } }) =>
      recent.n >= MIN_TESTED && recent.until > now - RECENT
        ? [[gameId, { accuracy: recent.medianError, ...(synthetic && { synthetic }) }] as const]
        : [],
    ),
  )
}
