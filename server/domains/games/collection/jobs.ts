import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '@/contract/time'
import { changeDueRows, rowsJob } from '../../shared/due-rows'
import type { Job } from '../../shared/job'
import { AWAITING_RESULT, transitionTask } from './task-status'

/** ms raw data of a collector are kept */
const RAW_FOR = 7 * DAY_MS
/** rows per pass */
const BATCH = 100

/** Expires collections after ten minutes. */
const expireTasks = rowsJob({ name: 'collection expiry' }, ({ db }, now) => ({
  due: (notQuarantined) =>
    db
      .selectFrom('collection_tasks')
      .select(['id', 'status'])
      .where('status', 'in', [...AWAITING_RESULT])
      .where('expire_at', '<=', now)
      .where(notQuarantined(sql`collection_tasks.id`))
      .limit(BATCH)
      .execute(),
  idOf: ({ id }) => id,
  process: ({ id, status }) => transitionTask(db, { taskId: id, from: status, to: 'EXPIRED', now }),
}))

/** Deletes raw data after 7 days. */
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

export const collectionJobs: readonly Job[] = [expireTasks, forgetRaw]
