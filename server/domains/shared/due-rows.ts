/**
 * Row processing for jobs: every row has its own try block, so a failing row does not block the others. A failed row is
 * retried with growing delays; after three failures it is quarantined until staff release it at the desk.
 */
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Deps, JobDeps } from '../../core/context'
import { isConnectionLost, isDatabaseAway } from '../../db/errors'
import { isTimeReached } from './due'
import { failureReason } from './failure-reason'
import type { Job } from './job'

/** Failures after which a row is quarantined. */
const MAX_FAILURES = 3
/** ms until the second attempt; doubled for the third */
const FIRST_WAIT = 60_000
const LONGEST_WAIT = FIRST_WAIT * MAX_FAILURES
/** Rows per query when a statement for many rows has failed. */
const BATCH = 100
/** Statements per run: with a backlog, the other jobs of the process have their turn in between. */
const STATEMENTS = 20
/** Rows per statement: a tenth of a second of locks, far below the time limit of a job's statement. */
const ROWS_AT_ONCE = 5000
/** ms after its last failure until the failures of a row that is no longer due are deleted */
const FORGET_AFTER = 7 * DAY_MS

/** SQL for a query of due rows: the row with this id is neither quarantined nor waiting for its next attempt. */
export type NotQuarantined = (id: RawBuilder<string>) => RawBuilder<boolean>

const notQuarantined =
  (job: string, now: number): NotQuarantined =>
  (id) =>
    sql<boolean>`not exists (select from job_failures f where f.job = ${job} and f.row_id = ${id}
    and (f.quarantined_at is not null or not ${isTimeReached(sql`f.next_at`, now, LONGEST_WAIT)}))`

/** true: changed · false: nothing to do (any more) · LATER: cannot be tried now · STOP: nor can the remaining rows */
export type RowOutcome = boolean | 'LATER' | 'STOP'

export interface DueRows<R> {
  /** name under which failures are stored and shown; must not change */
  job: string
  /** the next due rows; they must filter by `notQuarantined`, or failing rows would always come first */
  due(notQuarantined: NotQuarantined): Promise<readonly R[]>
  /** the id given to `notQuarantined`; no personal data */
  idOf(row: R): string
  process(row: R): Promise<RowOutcome>
}

/**
 * Processes every due row, each in its own try block.
 * @returns how many were changed
 * @throws errors of a lost database connection: not the row's fault, and the next row would fail too
 */
export async function forEachDueRow<R>(deps: JobDeps, now: number, rows: DueRows<R>): Promise<number> {
  const { job, due, idOf } = rows
  const processed: string[] = []
  let moved = 0
  for (const row of await due(notQuarantined(job, now))) {
    if (deps.stopping?.aborted) break
    try {
      const outcome = await rows.process(row)
      if (outcome === 'STOP') break
      if (outcome === 'LATER') continue
      if (outcome) moved += 1
      processed.push(idOf(row))
    } catch (err) {
      await noteFailure(deps, { job, rowId: idOf(row), err, now })
    }
  }
  if (processed.length > 0)
    await deps.db
      .deleteFrom('job_failures')
      .where('job', '=', job)
      .where('row_id', 'in', processed)
      .where('quarantined_at', 'is', null)
      .execute()
  return moved
}

/** A job whose rows are processed by `forEachDueRow`; their failures are stored under its name. */
export const rowsJob = <R>({
  due,
  idOf,
  process,
  ...job
}: Omit<Job, 'run'> & {
  due(deps: Deps, now: number, notQuarantined: NotQuarantined): Promise<readonly R[]>
  idOf(row: R): string
  process(deps: Deps, row: R, now: number): Promise<RowOutcome>
}): Job => ({
  ...job,
  run: (deps, now) =>
    forEachDueRow(deps, now, {
      job: job.name,
      due: (notQuarantined) => due(deps, now, notQuarantined),
      idOf,
      process: (row) => process(deps, row, now),
    }),
})

interface DueChange {
  /** see `DueRows` */
  job: string
  table: string
  /** SQL of a row's id; no personal data */
  id: RawBuilder<string>
  /** SQL over the table: the rows to change; a changed row is no longer due */
  due: RawBuilder<boolean>
  /** `delete from …` or `update … set …`, without its condition */
  change: RawBuilder<unknown>
}

/** Changes all due rows, thousands by a statement; if one fails, one by one, each in its own try block. */
export async function changeDueRows(
  deps: JobDeps,
  now: number,
  { job, table, id, due, change }: DueChange,
): Promise<number> {
  const { db } = deps
  const affected = async (condition: RawBuilder<boolean>) =>
    Number((await sql`${change} where ${due} and ${condition}`.execute(db)).numAffectedRows ?? 0)
  const next = sql<boolean>`ctid = any (array(select ctid from ${sql.table(table)}
    where ${due} and ${notQuarantined(job, now)(id)} limit ${sql.lit(ROWS_AT_ONCE)}))`
  let changed = 0
  try {
    for (let statement = 0; statement < STATEMENTS && !deps.stopping?.aborted; statement++) {
      const n = await affected(next)
      changed += n
      if (n < ROWS_AT_ONCE) break
    }
    return changed
  } catch (err) {
    // a locked row or a timed-out statement must not block the others
    if (isConnectionLost(err)) throw err
    deps.log.warn({ err, job }, 'a statement for many rows failed, they are changed one by one')
  }
  const moved = await forEachDueRow(deps, now, {
    job,
    due: async (notQuarantined) => {
      const { rows } = await sql<{ id: string }>`select ${id} as id from ${sql.table(table)} where ${due}
        and ${notQuarantined(id)} limit ${sql.lit(BATCH)}`.execute(db)
      return rows
    },
    idOf: (row) => row.id,
    process: async (row) => (await affected(sql<boolean>`${id} = ${row.id}`)) > 0,
  })
  return changed + moved
}

interface Failure {
  job: string
  rowId: string
  err: unknown
  now: number
}

/** Records a failure in the database, shared by all processes. @throws the error itself when the connection is lost */
async function noteFailure({ db, log }: Deps, { job, rowId, err, now }: Failure): Promise<void> {
  if (isConnectionLost(err)) throw err
  // locks and a full disk are not the row's fault, but the rows behind it must not wait either
  const counted = isDatabaseAway(err) ? 0 : 1
  const reason = failureReason(err)
  const row = await db
    .insertInto('job_failures')
    .values({
      ...{ job, row_id: rowId, attempts: counted, reason, next_at: now + FIRST_WAIT },
      ...{ first_at: now, last_at: now, quarantined_at: null },
    })
    .onConflict((c) =>
      c
        .columns(['job', 'row_id'])
        .doUpdateSet({
          attempts: sql<number>`job_failures.attempts + ${sql.lit(counted)}`,
          reason,
          last_at: now,
          next_at: sql<number>`${now}::bigint + ${sql.lit(FIRST_WAIT)}::bigint * (job_failures.attempts + 1)`,
          quarantined_at: sql<number>`case when job_failures.attempts + ${sql.lit(counted)} >= ${sql.lit(MAX_FAILURES)}
            then ${now}::bigint end`,
        })
        // another process has already recorded the same attempt
        .where('job_failures.quarantined_at', 'is', null)
        .where(isTimeReached(sql`job_failures.next_at`, now, LONGEST_WAIT)),
    )
    .returning(['attempts', 'quarantined_at'])
    .executeTakeFirst()
  if (!row) return
  const fields = { job, row: rowId, attempts: row.attempts, reason, err }
  if (row.quarantined_at === null) log.warn(fields, 'a row of a job failed')
  else log.error({ ...fields, alarm: true }, 'a row of a job is quarantined')
}

/** Deletes failures of rows that are no longer due; quarantined ones stay until staff release them. */
export const purgeFailures = {
  name: 'old failures',
  async run({ db }: Deps, now: number): Promise<number> {
    const deleted = await db
      .deleteFrom('job_failures')
      .where('quarantined_at', 'is', null)
      .where('last_at', '<=', now - FORGET_AFTER)
      .executeTakeFirst()
    return Number(deleted.numDeletedRows)
  },
}
