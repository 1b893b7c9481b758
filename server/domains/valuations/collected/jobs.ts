import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '@/contract/time'
import { rowsJob } from '../../shared/due-rows'
import type { Job } from '../../shared/job'
import { eraseCollected } from './cancel-task'
import { finish } from './finish-task'

/** ms the features taken from collected data are kept */
const FEATURES_FOR = 180 * DAY_MS
/** ms after which a valuation in progress counts as abandoned by a crashed process */
const ABANDONED = 30_000
/** rows per pass */
const BATCH = 100
const taskId = sql<string>`collection_tasks.id`

/** Completes collections whose data arrived but whose process crashed before the valuation. */
const finishTasks = rowsJob({ name: 'collection completion' }, (deps, now) => ({
  due: (notQuarantined) =>
    deps.db
      .selectFrom('collection_tasks')
      .select('id')
      .where('status', '=', 'VALUING')
      .where('changed_at', '<=', now - ABANDONED)
      .where(notQuarantined(taskId))
      .limit(BATCH)
      .execute(),
  idOf: ({ id }) => id,
  process: ({ id }) => finish(deps, id),
}))

/** Deletes features after 180 days; the bodies of the reports made from them, long expired, stay. */
const forgetFeatures = rowsJob({ name: 'collection retention', every: HOUR_MS }, ({ db }, now) => ({
  due: (notQuarantined) =>
    db
      .selectFrom('collection_tasks')
      .select(['id', 'features'])
      .where('features', 'is not', null)
      .where('read_at', '<=', now - FEATURES_FOR)
      .where(notQuarantined(taskId))
      .limit(BATCH)
      .execute(),
  idOf: ({ id }) => id,
  async process(task) {
    await db.transaction().execute((tx) => eraseCollected(tx, task))
    return true
  },
}))

export const collectedJobs: readonly Job[] = [finishTasks, forgetFeatures]
