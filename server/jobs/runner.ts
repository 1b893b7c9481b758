import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Deps } from '../core/context'
import type { Logger } from '../core/log'
import { underLease } from '../db/lease'
import { databaseTime } from '../db/now'
import type { DB } from '../db/tables'
import { intervalOf, type Job } from '../domains/shared/job'

export interface JobRunner {
  /** Runs all jobs in this process, including work that becomes due by them; ends when a pass finds nothing more. */
  runAll(): Promise<void>
  /** Starts no further runs or rows; waits for the current row. */
  stop(): Promise<void>
}

/** Passes of one run: bounds a run whose work never ends, so that the next one is not delayed. */
const MAX_PASSES = 50
/** ms until a job that failed is run again, if its interval is longer */
const RETRY_AFTER = 60_000
/** ms by which a job is due early, so that it is not skipped by a poll at the same interval */
const SLACK = 500

/** Records, in the database's time, that jobs have ended without an error. @param first only those without a record */
export async function noteSuccess(db: Kysely<DB>, names: readonly string[], first = false): Promise<void> {
  await sql`insert into job_runs as r (name, succeeded_at) select unnest(${names}::text[]), ${databaseTime}
    on conflict (name) do update set succeeded_at = excluded.succeeded_at where not ${first}::boolean`.execute(db)
}

/**
 * Runs jobs in their order, and again while one of them finds work; tells the ms until each is due again.
 * @param signal begins no further jobs and rows once it is aborted
 */
function createPasses(deps: Deps, log: Logger, signal: AbortSignal) {
  /** @returns rows, undefined when it failed: that does not stop the others */
  const runOne = ({ name, run }: Job) =>
    run({ ...deps, stopping: signal }, deps.clock.now()).catch((err: unknown) => {
      if (!signal.aborted) log.error({ err, job: name }, 'job failed')
    })
  const setClock = () =>
    deps.clock.sync(deps.db, log).then(
      () => true,
      (err: unknown) => log.warn({ err }, 'the clock could not be set by the database'),
    )
  return async (jobs: readonly Job[]): Promise<ReadonlyMap<string, number>> => {
    if (jobs.length === 0 || !(await setClock())) return new Map()
    const failed = new Set<Job>()
    for (let pass = 0, found = true; found && pass < MAX_PASSES; pass += 1) {
      found = false
      for (const job of jobs) {
        if (signal.aborted) return new Map()
        const rows = await runOne(job)
        if (rows === undefined) failed.add(job)
        else found ||= rows > 0
      }
    }
    const done = jobs.filter((job) => !failed.has(job)).map(({ name }) => name)
    await noteSuccess(deps.db, done).catch((err) => log.warn({ err }, 'the success of jobs could not be noted'))
    const waitOf = (job: Job) => (failed.has(job) ? Math.min(intervalOf(job), RETRY_AFTER) : intervalOf(job)) - SLACK
    return new Map(jobs.map((job) => [job.name, waitOf(job)]))
  }
}

/** Those that others must not wait for are run apart. */
const partsOf = (jobs: readonly Job[]): (readonly Job[])[] =>
  [false, true].map((low) => jobs.filter(({ lowPriority = false }) => lowPriority === low))

const ignore = () => undefined

/** Repeats work after a pause (ms) until the signal, also when it throws. */
async function repeat(work: () => Promise<unknown>, pause: number, signal: AbortSignal) {
  while (!signal.aborted) {
    await work().catch(ignore)
    await delay(pause, undefined, { signal, ref: false }).catch(ignore)
  }
}

interface Options {
  /** ms between polls for jobs that are due; 0: none */
  pollInterval: number
  log: Logger
  /** ms: of the lease on running jobs */
  lease?: number
}

/**
 * Runs each job at its interval, and all of them in this process when `runAll` is called. Of the processes on one
 * database one runs the jobs; when it stops or is killed, another takes over.
 */
export function startJobRunner(deps: Deps, jobs: readonly Job[], { pollInterval, log, lease }: Options): JobRunner {
  const stopping = new AbortController()
  const { signal } = stopping
  const runJobs = createPasses(deps, log, signal)
  /** when a job is due, by the monotonic clock */
  const dueAt = new Map<string, number>()
  /** for each part, what runs some of it after its run before */
  const parts = partsOf(jobs).map((own) => {
    let last: Promise<void> = Promise.resolve()
    return (isMeant: (job: Job) => boolean): Promise<void> => {
      last = last.catch(ignore).then(async () => {
        for (const [name, wait] of await runJobs(own.filter(isMeant))) dueAt.set(name, performance.now() + wait)
      })
      return last
    }
  })
  const isDue = ({ name }: Job) => (dueAt.get(name) ?? 0) <= performance.now()
  const takeTurns = (run: (typeof parts)[number], part: number) => {
    const runDue = (lost: AbortSignal) => repeat(() => run(isDue), pollInterval, AbortSignal.any([signal, lost]))
    const told = (err: unknown) => log.warn({ err }, 'the lease on jobs is not available')
    return repeat(() => underLease(deps.db, `jobs ${part}`, runDue, lease).catch(told), pollInterval, signal)
  }
  const turns = pollInterval > 0 ? parts.map(takeTurns) : []
  return {
    async runAll() {
      for (const run of parts) await run(() => true)
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled([...turns, ...parts.map((run) => run(() => false))])
    },
  }
}
