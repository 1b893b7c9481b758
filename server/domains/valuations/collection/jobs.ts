import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '@/contract/time'
import { isModelPending } from '../../models/repository'
import { changeDueRows, rowsJob } from '../../shared/due-rows'
import type { Job } from '../../shared/job'
import { deleteCollectedData } from './cancel-task'
import { finish } from './finish-task'
import { AWAITING_RESULT, transitionTask } from './task-status'

/** ms raw data of a collector, and the features taken from it, are kept */
const RAW_FOR = 7 * DAY_MS
const FEATURES_FOR = 180 * DAY_MS
/** ms after which a valuation in progress counts as abandoned by a crashed process */
const ABANDONED = 30_000
/** rows per pass */
const BATCH = 100
const taskId = sql<string>`collection_tasks.id`

/** Expires collections after ten minutes. */
const expireTasks = rowsJob({ name: 'collection expiry' }, (deps, now) => ({
  due: (notQuarantined) =>
    deps.db
      .selectFrom('collection_tasks')
      .select(['id', 'status'])
      .where('status', 'in', [...AWAITING_RESULT])
      .where('expire_at', '<=', now)
      .where(notQuarantined(taskId))
      .limit(BATCH)
      .execute(),
  idOf: ({ id }) => id,
  process: ({ id, status }) => transitionTask(deps.db, { taskId: id, from: status, to: 'EXPIRED', now }),
}))

/** Completes collections whose data arrived but whose process crashed before the valuation. */
const finishTasks = rowsJob({ name: 'collection completion' }, (deps, now) => {
  const pending = new Set<string>()
  return {
    due: (notQuarantined) =>
      deps.db
        .selectFrom('collection_tasks')
        .select(['id', 'game_id'])
        .where('status', '=', 'VALUING')
        .where('changed_at', '<=', now - ABANDONED)
        .where(notQuarantined(taskId))
        .limit(BATCH)
        .execute(),
    idOf: ({ id }) => id,
    async process({ id, game_id }) {
      if (pending.has(game_id)) return false
      try {
        await finish(deps, id)
        return true
      } catch (e) {
        // a game without a model yet is not a failure of the row
        if (!isModelPending(e)) throw e
        pending.add(game_id)
        return false
      }
    },
  }
})

const forgetRaw: Job = {
  name: 'raw data of collections',
  every: HOUR_MS,
  run: (deps, now) =>
    changeDueRows(
      deps,
      'collection_tasks',
      sql`raw is not null and read_at <= ${now - RAW_FOR}::bigint`,
      sql`update collection_tasks set raw = null`,
    ),
}

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
  async process({ id, features }) {
    await db.transaction().execute((tx) => deleteCollectedData(tx, id, features ?? {}))
    return true
  },
}))

export const taskJobs: readonly Job[] = [expireTasks, finishTasks, forgetRaw, forgetFeatures]
