import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { databaseTime } from '../db/now'
import type { Tables } from '../db/tables'
import { intervalOf, type Job } from '../domains/shared/job'

/** ms a lease lasts: jobs of a killed process wait for that long */
const LEASE_MS = 30_000
const RENEWAL_MS = 10_000
/** ms until a job that failed is run again, if its interval is longer */
const RETRY_AFTER = 60_000
/** ms by which a job is due early, so that it is not skipped by a poll at the same interval */
const SLACK = 500

/** How a run ended: SKIPPED, because the process stops. */
export type RunOutcome = 'DONE' | 'FAILED' | 'SKIPPED'

export interface JobLeases {
  names: ReadonlySet<string>
  /** Releases the leases; each job is due again after its interval, a failed one sooner, a skipped one at once. */
  release(outcomes: ReadonlyMap<string, RunOutcome>): Promise<void>
}

/** Leases those of the jobs that are due and that no other process runs. */
export type LeaseJobs = (jobs: readonly Job[]) => Promise<JobLeases>

/** SQL table `j (name, every)` of the jobs and their intervals. */
const table = (rows: readonly { name: string; ms: number }[]): RawBuilder<unknown> =>
  sql`unnest(${rows.map(({ name }) => name)}::text[], ${rows.map(({ ms }) => ms)}::bigint[])`

/**
 * Leases in the table `job_runs`, by conditional updates in the database's time: one process at a time runs a job, and
 * not before its interval has passed. A lease is renewed while the job runs and holds no connection.
 */
export function createJobLeases(db: Kysely<Tables>): LeaseJobs {
  const holder = randomUUID()
  const stored = new Set<string>()

  async function addMissing(jobs: readonly Job[]) {
    const rows = jobs
      .filter(({ name }) => !stored.has(name))
      .map(({ name }) => ({ name, holder: null, next_at: 0, succeeded_at: databaseTime }))
    if (rows.length === 0) return
    await db
      .insertInto('job_runs')
      .values(rows)
      .onConflict((c) => c.doNothing())
      .execute()
    for (const { name } of rows) stored.add(name)
  }

  return async (jobs) => {
    await addMissing(jobs)
    const intervals = jobs.map((job) => ({ name: job.name, ms: intervalOf(job) }))
    const { rows } = await sql<{ name: string; started: number }>`
      with due as (
        select r.name from job_runs r join ${table(intervals)} as j (name, every) using (name)
        -- a later time than any lease sets was set while the database's clock was wrong
        where r.next_at <= ${databaseTime} or r.next_at > ${databaseTime} + greatest(j.every, ${LEASE_MS}::bigint)
        for update of r skip locked)
      update job_runs r set holder = ${holder}, next_at = ${databaseTime} + ${LEASE_MS}::bigint
      from due where r.name = due.name
      returning r.name, r.next_at - ${LEASE_MS}::bigint as started`.execute(db)
    const names = rows.map(({ name }) => name)
    const started = Number(rows[0]?.started)
    const renew = () =>
      db
        .updateTable('job_runs')
        .set({ next_at: sql<number>`${databaseTime} + ${LEASE_MS}::bigint` })
        .where('holder', '=', holder)
        .where('name', 'in', names)
        .execute()
        // the database is unavailable: the next renewal succeeds, or the lease expires
        .catch(() => undefined)
    const timer = names.length > 0 ? setInterval(() => void renew(), RENEWAL_MS) : undefined
    timer?.unref()
    return {
      names: new Set(names),
      async release(outcomes) {
        clearInterval(timer)
        if (names.length === 0) return
        const delays = intervals
          .filter(({ name }) => names.includes(name))
          .map(({ name, ms }) => ({ name, ms: delayOf(outcomes.get(name) ?? 'SKIPPED', ms) }))
        const done = names.filter((name) => outcomes.get(name) === 'DONE')
        await sql`update job_runs r set holder = null, next_at = ${started}::bigint + j.delay,
          succeeded_at = case when r.name = any(${done}::text[]) then ${databaseTime} else r.succeeded_at end
          from ${table(delays)} as j (name, delay) where r.name = j.name and r.holder = ${holder}`.execute(db)
      },
    }
  }
}

function delayOf(outcome: RunOutcome, every: number): number {
  if (outcome === 'SKIPPED') return 0
  return (outcome === 'FAILED' ? Math.min(every, RETRY_AFTER) : every) - SLACK
}
