import { once } from 'node:events'
import type { TaskList } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import type { Deps } from '../core/context'
import type { Logger } from '../core/log'
import { databaseTime } from '../db/now'
import { queuePool } from '../db/queue'
import type { DB } from '../db/tables'
import type { Job } from '../domains/shared/job'
import { createPasses, type JobRunner, partsOf, repeat, startJobRunner } from './runner'

/** ms: between two looks for a due job; between two signs of life; without one until a process counts as dead */
const TIMES = { poll: 2000, beat: 10_000, dead: 30_000 }

/** Schedules at once, in their order, the jobs that are neither scheduled nor run. Kills never use up their attempts. */
export const scheduleMissing = (db: Kysely<DB>, jobs: readonly Job[]) =>
  sql`select graphile_worker.add_job(name, job_key => name, job_key_mode => 'unsafe_dedupe', max_attempts => 32767,
      run_at => now() + position * interval '1 microsecond')
    from unnest(${jobs.map(({ name }) => name)}::text[]) with ordinality as j (name, position)`.execute(db)

/** Schedules the next run of a job. All have one priority: the one that has been due for longest is first. */
export const scheduleNext = (db: Kysely<DB>, { name }: Job, wait: number) =>
  sql`select graphile_worker.add_job(${name}::text, job_key => ${name}::text, max_attempts => 32767,
    run_at => now() + ${wait}::bigint * interval '1 millisecond')`.execute(db)

/** Gives a sign of life of these workers. */
const noteWorkers = (db: Kysely<DB>, ids: readonly string[]) =>
  sql`insert into job_workers (id, seen_at) select unnest(${ids}::text[]), ${databaseTime}
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db)

/**
 * Gives back the jobs of a worker that has ended, and of those without a sign of life for so many ms. Deletes what is
 * left of a run that scheduled the next one and was killed before its end: it has no key.
 */
async function removeWorkers(db: Kysely<DB>, ended: string, dead: number): Promise<void> {
  await sql`delete from job_workers where id = ${ended} or seen_at < ${databaseTime} - ${dead}::bigint`.execute(db)
  await sql`select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where locked_by not in (select id from job_workers) having count(*) > 0`.execute(db)
  await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where key is null and locked_at is null having count(*) > 0`.execute(db)
}

/**
 * Runs each job at its interval over all processes on this PostgreSQL, by graphile-worker: a job is one row of its
 * queue, and a run schedules the next. What graphile-worker lacks is here: a killed process gives its jobs back after
 * half a minute, and a statement of the queue that fails does not end the process.
 * @param times shorter ones, for tests
 */
export function startQueueRunner(
  deps: Deps,
  jobs: readonly Job[],
  { log, times }: { log: Logger; times?: typeof TIMES },
): JobRunner {
  const { poll, beat, dead } = times ?? TIMES
  const { db } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const runJobs = createPasses(deps, log, signal)
  const manually = startJobRunner(deps, jobs, { pollInterval: 0, log })
  const workers = new Set<string>()
  const told = (err: unknown) => log.warn({ err }, 'the job queue is not available')

  /**
   * Runs some jobs, one at a time, until the process stops or a statement of the queue fails. It is then unknown what
   * the statement has done, such as lock a job that nobody runs. So the worker ends, and its jobs are given back.
   */
  async function work(own: readonly Job[]): Promise<void> {
    const { Logger, runTaskList } = await import('graphile-worker')
    // a worker leaves some kilobytes behind in the package, so none is made while the database is away
    await scheduleMissing(db, own)
    const failed = new AbortController()
    const task = (job: Job) => async () => {
      let wait: number | undefined
      try {
        wait = (await runJobs([job])).get(job.name)
      } finally {
        // a process that stops leaves the rest to another one
        await scheduleNext(db, job, wait ?? (signal.aborted ? 0 : poll))
      }
    }
    const tasks: TaskList = Object.fromEntries(own.map((job) => [job.name, task(job)]))
    // a worker that is not known when it takes a job counts as dead
    const known = Promise.resolve().then(() => noteWorkers(db, [worker.id]))
    const pool = queuePool(db, known, (err) => failed.abort(err))
    // what fails is logged by those who notice
    const logger = new Logger(() => () => undefined)
    const options = { concurrency: 1, pollInterval: poll, noHandleSignals: true, noPreparedStatements: true, logger }
    const worker = runTaskList(options, tasks, pool)
    worker.promise.catch(() => undefined)
    workers.add(worker.id)
    const end = AbortSignal.any([signal, failed.signal])
    if (!end.aborted) await once(end, 'abort')
    await Promise.resolve(worker.gracefulShutdown()).catch(() => undefined)
    workers.delete(worker.id)
    await removeWorkers(db, worker.id, dead)
    failed.signal.throwIfAborted()
  }

  const beats = async () => {
    await noteWorkers(db, [...workers])
    await removeWorkers(db, '', dead)
  }
  const working = partsOf(jobs).map((own) => repeat(() => work(own), poll, signal, told))
  void repeat(beats, beat, signal, told)
  return {
    runAll: manually.runAll,
    async stop() {
      stopping.abort()
      await Promise.all([...working, manually.stop()])
    },
  }
}
