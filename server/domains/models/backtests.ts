import type { NotNull } from 'kysely'
import type { Db } from '../../db/database'
import { DAY } from '../../engine/numbers'

/** With fewer tested sales no accuracy is published (spec: 样本不足). */
export const MIN_TESTED = 50

export type BacktestRun = Awaited<ReturnType<typeof accuracies>>[number]

/** How accurate the models in use were when they were trained (ms), one of each game that has enough sales to tell. */
export const accuracies = (db: Db) =>
  db
    .selectFrom('models')
    .select(['game_id as gameId', 'synthetic', 'synthetic_share as syntheticShare', 'trained_at as ranAt'])
    .select('accuracy as result')
    .where('active', '=', true)
    .where('accuracy', 'is not', null)
    .$narrowType<{ result: NotNull }>()
    .orderBy('game_id')
    .execute()

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
