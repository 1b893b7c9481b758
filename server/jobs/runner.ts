import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Deps } from '../core/context'
import type { Logger } from '../core/log'
import { databaseTime } from '../db/now'
import type { DB } from '../db/tables'
import { intervalOf, type Job, POLL_INTERVAL_MS } from '../domains/shared/job'

/** Jobs of one interval and priority, which are run together in their order. */
export interface Group {
  name: string
  jobs: readonly Job[]
}

type RunGroup = (group: Group) => Promise<number>
/** Runs every group until the signal, again after the ms that `run` tells. The promise ends with the last run. */
export type Schedule = (groups: readonly Group[], run: RunGroup, signal: AbortSignal) => Promise<unknown>

/** Passes of one run: bounds a run whose work never ends, so that the next one is not delayed. */
const MAX_PASSES = 50
/** ms until a job that failed is run again, if its interval is longer */
const RETRY_AFTER = 60_000

export const ignore = () => undefined

/** Records, in the database's time, that jobs have ended without an error. @param first only those without a record */
export async function noteSuccess(db: Kysely<DB>, names: readonly string[], first = false): Promise<void> {
  await sql`insert into job_runs as r (name, succeeded_at) select unnest(${names}::text[]), ${databaseTime}
    on conflict (name) do update set succeeded_at = excluded.succeeded_at where not ${first}::boolean`.execute(db)
}

const isLow = ({ lowPriority }: Job): boolean => lowPriority === true

export function groupsOf(jobs: readonly Job[]): Group[] {
  const nameOf = (job: Job) => `${isLow(job) ? 'low' : 'high'} ${intervalOf(job)}`
  return [...new Set(jobs.map(nameOf))].map((name) => ({ name, jobs: jobs.filter((job) => nameOf(job) === name) }))
}

/** Repeats work until the signal, after the ms that it tells; after an interval when it tells or does nothing. */
export async function repeat(work: () => Promise<number | undefined>, interval: number, signal: AbortSignal) {
  while (!signal.aborted) {
    await delay((await work().catch(ignore)) ?? interval, undefined, { signal, ref: false }).catch(ignore)
  }
}

/** Groups that are run one at a time, in their order; those of low priority apart, because others must not wait for them. */
export const byPriority = (groups: readonly Group[]): Group[][] =>
  [false, true].map((low) => groups.filter(({ jobs }) => jobs.some(isLow) === low)).filter((own) => own.length > 0)

/** In a process that is the only one on its database. */
export const byTimer: Schedule = (groups, run, signal) => {
  const inTurn = (own: readonly Group[]) => {
    const dueAt = new Map(own.map((group) => [group, 0]))
    const runDue = async () => {
      for (const [group, at] of dueAt)
        if (at <= performance.now()) dueAt.set(group, performance.now() + (await run(group)))
      return Math.min(...dueAt.values()) - performance.now()
    }
    return repeat(runDue, POLL_INTERVAL_MS, signal)
  }
  return Promise.all(byPriority(groups).map(inTurn))
}

export type JobRunner = ReturnType<typeof startJobRunner>

/**
 * Runs each job at its interval.
 * @param schedule none: they are run by `runAll` only
 */
export function startJobRunner(deps: Deps, jobs: readonly Job[], log: Logger, schedule?: Schedule) {
  const stopping = new AbortController()
  const { signal } = stopping
  /** Runs jobs in their order, and again while one of them finds work; tells the ms until they are due again. */
  async function run(group: readonly Job[]): Promise<number> {
    const done = new Set(group)
    const rowsOf = (job: Job) =>
      job.run({ ...deps, stopping: signal }, deps.clock.now()).catch((err: unknown) => {
        done.delete(job)
        if (!signal.aborted) log.error({ err, job: job.name }, 'job failed')
        return 0
      })
    for (let pass = 0, rows = 1; rows > 0 && pass < MAX_PASSES; pass += 1) {
      rows = 0
      for (const job of group) {
        // another process goes on with the rest
        if (signal.aborted) return 0
        rows += await rowsOf(job)
      }
    }
    const names = [...done].map(({ name }) => name)
    await noteSuccess(deps.db, names).catch((err) => log.warn({ err }, 'the success of jobs could not be noted'))
    const interval = Math.min(...group.map(intervalOf))
    return done.size < group.length ? Math.min(interval, RETRY_AFTER) : interval
  }
  const scheduled = schedule?.(groupsOf(jobs), (group) => run(group.jobs), signal)
  return {
    /** Runs all jobs in this process, including work that becomes due by them; ends when a pass finds nothing more. */
    runAll: () => run(jobs),
    /** Starts no further runs or rows; waits for the current row. */
    async stop() {
      stopping.abort()
      await scheduled
    },
  }
}
