import type { Job } from '../../../jobs/sweep'
import { finish } from './finish'
import { outlive } from './forget'
import { moveTask, open } from './machine'

const DAY = 86_400_000
/** ms what a collector gave is kept, and what the form took from it (rule 2.5) */
const RAW_FOR = 7 * DAY
const FEATURES_FOR = 180 * DAY
/** ms after which a valuation that was begun is taken over: its process is gone */
const ABANDONED = 30_000
/** rows of one pass */
const BATCH = 100

/** Reads past their ten minutes. */
const expireTasks: Job = {
  name: 'auth-task-expire',
  async run({ db }, now) {
    const due = await db
      .selectFrom('auth_tasks')
      .select(['id', 'status'])
      .where('status', 'in', [...open])
      .where('expire_at', '<=', now)
      .limit(BATCH)
      .execute()
    const moved = await Promise.all(
      due.map(({ id, status }) => moveTask(db, { taskId: id, from: status, to: 'EXPIRED', now })),
    )
    return moved.filter(Boolean).length
  },
}

/** Reads whose data arrived, but whose process died before it was valued. */
const finishTasks: Job = {
  name: 'auth-task-finish',
  async run(deps, now) {
    const left = await deps.db
      .selectFrom('auth_tasks')
      .select('id')
      .where('status', '=', 'VALUING')
      .where('changed_at', '<=', now - ABANDONED)
      .limit(BATCH)
      .execute()
    for (const { id } of left) await finish(deps, id)
    return left.length
  },
}

/** Raw data after 7 days, features after 180. */
const keepNoLonger: Job = {
  name: 'auth-task-retention',
  async run({ db }, now) {
    const raw = await db
      .updateTable('auth_tasks')
      .set({ raw: null })
      .where('raw', 'is not', null)
      .where('read_at', '<=', now - RAW_FOR)
      .executeTakeFirst()
    const old = await db
      .selectFrom('auth_tasks')
      .select(['id', 'features'])
      .where('features', 'is not', null)
      .where('read_at', '<=', now - FEATURES_FOR)
      .limit(BATCH)
      .execute()
    for (const { id, features } of old) await db.transaction().execute((tx) => outlive(tx, id, features ?? {}))
    return Number(raw.numUpdatedRows) + old.length
  },
}

export const taskJobs: readonly Job[] = [expireTasks, finishTasks, keepNoLonger]
