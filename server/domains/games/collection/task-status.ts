import type { Expression, SqlBool, Updateable } from 'kysely'
import { sql } from 'kysely'
import type { TaskStatus } from '@/contract/types'
import type { Db } from '../../../db/database'
import type { CollectionTasks } from '../../../db/tables'

/** Statuses of a successful collection, in order; one in any of them is running. */
export const TASK_SEQUENCE: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING']

/** Transitions of a collection. Once it is being valued it can only end. */
const taskTransitions: { readonly [From in TaskStatus]: readonly TaskStatus[] } = {
  CREATED: ['WAIT_SCAN', 'COLLECTING', 'FAILED', 'EXPIRED', 'CANCELED'],
  WAIT_SCAN: ['SCANNED', 'FAILED', 'EXPIRED', 'CANCELED'],
  SCANNED: ['COLLECTING', 'FAILED', 'EXPIRED', 'CANCELED'],
  COLLECTING: ['VALUING', 'FAILED', 'EXPIRED', 'CANCELED'],
  VALUING: ['SUCCESS', 'INSUFFICIENT', 'FAILED', 'CANCELED'],
  SUCCESS: [],
  INSUFFICIENT: [],
  FAILED: [],
  EXPIRED: [],
  CANCELED: [],
}

/** A user has at most one of these per game. */
export const isRunning = (status: TaskStatus): boolean => TASK_SEQUENCE.includes(status)
/** Waiting for the user or the collector: can be cancelled and can expire. */
export const AWAITING_RESULT: readonly TaskStatus[] = ['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING']

interface TaskMove {
  taskId: string
  from: TaskStatus
  to: TaskStatus
  /** ms */
  now: number
  patch?: Updateable<CollectionTasks>
  /** additional condition */
  only?: Expression<SqlBool>
}

/**
 * The only way to change a task's status: updates it where it is still `from` and writes the log, in one statement. A
 * task that ends needs the asking price no longer, which is removed.
 * @returns false when a concurrent request changed it first
 * @throws Error when the table has no such transition: a programming error
 */
export async function transitionTask(db: Db, { taskId, from, to, now, patch, only }: TaskMove): Promise<boolean> {
  if (!taskTransitions[from].includes(to)) throw new Error(`tasks do not go from ${from} to ${to}`)
  const moved = await db
    .with('moved', (q) =>
      q
        .updateTable('collection_tasks')
        .set({ ...patch, ...(!isRunning(to) && { listing_fen: null }), status: to, changed_at: now })
        .where('id', '=', taskId)
        .where('status', '=', from)
        .$if(only !== undefined, (u) => u.where(only ?? sql<boolean>`true`))
        .returning('id'),
    )
    .insertInto('collection_task_events')
    .columns(['task_id', 'at', 'from_status', 'to_status'])
    .expression((e) =>
      e
        .selectFrom('moved')
        .select([
          'moved.id',
          sql<number>`${now}::bigint`.as('at'),
          sql<string>`${from}::text`.as('from_status'),
          sql<string>`${to}::text`.as('to_status'),
        ]),
    )
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}
