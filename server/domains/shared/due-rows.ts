/**
 * Row processing for jobs: every row has its own try block, so a failing row does not block the others. A failed row is
 * retried with growing delays; after three failures it is quarantined until staff release it at the desk.
 */
import { type RawBuilder, sql } from 'kysely'
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
/** Rows per statement: a tenth of a second of locks, far below the time limit of a job's statement. */
const ROWS_AT_ONCE = 5000

/** SQL for a query of due rows: the row with this id is neither quarantined nor waiting for its next attempt. */
export type NotQuarantined = (id: RawBuilder<string>) => RawBuilder<boolean>

const notQuarantined =
  (job: string, now: number): NotQuarantined =>
  (id) =>
    sql<boolean>`not exists (select from job_failures f where f.job = ${job} and f.row_id = ${id}
    and (f.quarantined_at is not null or not ${isTimeReached(sql`f.next_at`, now, LONGEST_WAIT)}))`

/** true: changed · false: nothing to do now · STOP: nor with the remaining rows */
export type RowOutcome = boolean | 'STOP'

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
      if (outcome) moved += 1
      processed.push(idOf(row))
    } catch (err) {
      await noteFailure(deps, now, job, idOf(row), err)
    }
  }
  if (processed.length > 0)
    await sql`delete from job_failures where job = ${job} and row_id = any (${processed}::text[])
      and quarantined_at is null`.execute(deps.db)
  return moved
}

/** A job whose due rows are processed by `forEachDueRow`; their failures are stored under its name. */
export const rowsJob = <R>(
  job: Omit<Job, 'run'>,
  rowsOf: (deps: Deps, now: number) => Omit<DueRows<R>, 'job'>,
): Job => ({
  ...job,
  run: (deps, now) => forEachDueRow(deps, now, { job: job.name, ...rowsOf(deps, now) }),
})

/**
 * Changes thousands of due rows by one statement; the rest, and rows that are locked, by the next run.
 * @param due SQL over the table: the rows to change; a changed row is no longer due
 * @param change `delete from …` or `update … set …`, without its condition
 * @returns how many
 */
export async function changeDueRows(
  { db }: Deps,
  table: string,
  due: RawBuilder<unknown>,
  change: RawBuilder<unknown>,
): Promise<number> {
  const changed = await sql`${change} where ${due} and ctid = any (array(select ctid from ${sql.table(table)}
    where ${due} limit ${sql.lit(ROWS_AT_ONCE)} for update skip locked))`.execute(db)
  return Number(changed.numAffectedRows ?? 0)
}

/** Records a failure in the database, shared by all processes. @throws the error itself when the connection is lost */
async function noteFailure({ db, log }: Deps, now: number, job: string, rowId: string, err: unknown): Promise<void> {
  if (isConnectionLost(err)) throw err
  // locks and a full disk are not the row's fault, but the rows behind it must not wait either
  const counted = sql.lit(isDatabaseAway(err) ? 0 : 1)
  const reason = failureReason(err)
  const noted = await sql<{ attempts: number; quarantined: boolean }>`insert into job_failures as f
      (job, row_id, attempts, reason, next_at, first_at, last_at)
    values (${job}, ${rowId}, ${counted}, ${reason}, ${now + FIRST_WAIT}, ${now}, ${now})
    on conflict (job, row_id) do update set attempts = f.attempts + ${counted}, reason = excluded.reason,
      last_at = excluded.last_at, next_at = ${now}::bigint + ${sql.lit(FIRST_WAIT)} * (f.attempts + 1),
      quarantined_at = case when f.attempts + ${counted} >= ${sql.lit(MAX_FAILURES)} then ${now}::bigint end
    -- another process has not recorded the same attempt
    where f.quarantined_at is null and ${isTimeReached(sql`f.next_at`, now, LONGEST_WAIT)}
    returning attempts, quarantined_at is not null as quarantined`.execute(db)
  for (const { attempts, quarantined } of noted.rows) {
    const fields = { job, row: rowId, attempts, reason, err }
    if (quarantined) log.error({ ...fields, alarm: true }, 'a row of a job is quarantined')
    else log.warn(fields, 'a row of a job failed')
  }
}
