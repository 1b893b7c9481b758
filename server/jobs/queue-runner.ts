import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Logger } from '../core/log'
import { queuePool } from '../db/queue'
import type { DB } from '../db/tables'
import { byPriority, type Group, ignore, repeat, type Schedule } from './runner'

/** ms: between two looks for due groups; after which a worker that has not renewed its locks counts as dead */
const TIMES = { poll: 2000, dead: 30_000 }

/**
 * Schedules groups in their order after some ms; `unsafe_dedupe`: those that are neither scheduled nor run. All have one
 * priority: the one that has been due for longest is first. Kills never use up their attempts.
 */
export const schedule = (db: Kysely<DB>, groups: readonly Group[], wait: number, mode: 'replace' | 'unsafe_dedupe') =>
  sql`select graphile_worker.add_job(name, job_key => name, job_key_mode => ${mode}::text, max_attempts => 32767,
      run_at => now() + ${wait}::bigint * interval '1 millisecond' + n * interval '1 microsecond')
    from unnest(${groups.map(({ name }) => name)}::text[]) with ordinality as j (name, n)`.execute(db)

const giveBack = (db: Kysely<DB>, locks: RawBuilder<unknown>) =>
  sql`select graphile_worker.force_unlock_workers(array_agg(distinct locked_by)) from graphile_worker.jobs
    where ${locks} having count(*) > 0`.execute(db)

/**
 * Renews the locks of a worker, and gives back groups whose lock nobody has renewed for so many ms. Deletes what is left
 * of a run that scheduled the next one and was killed before its end: it has no key.
 */
async function renewLocks(db: Kysely<DB>, id: string, dead: number): Promise<void> {
  await sql`update graphile_worker._private_jobs set locked_at = now() where locked_by = ${id}`.execute(db)
  await giveBack(db, sql`locked_at < now() - ${dead}::bigint * interval '1 millisecond'`)
  await sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs
    where key is null and locked_at is null having count(*) > 0`.execute(db)
}

/**
 * Over all processes on this PostgreSQL, by graphile-worker: a group is one row of its queue, and a run schedules the
 * next. What graphile-worker lacks is here: a killed process gives its groups back after half a minute, and a statement
 * of the queue that fails does not end the process.
 */
export const byQueue =
  (db: Kysely<DB>, log: Logger, { poll, dead } = TIMES): Schedule =>
  (groups, run, signal) => {
    /**
     * Runs some groups, one at a time, until the process stops or a statement of the queue fails. It is then unknown what
     * the statement has done, such as lock a row that nobody runs. So the worker ends, and its groups are given back.
     */
    async function work(own: readonly Group[]): Promise<void> {
      const { Logger, runTaskList } = await import('graphile-worker')
      // before a worker is made, which leaves some kilobytes behind in the package, also while the database is away
      await schedule(db, own, 0, 'unsafe_dedupe')
      const failed = new AbortController()
      const task = async (group: Group) => schedule(db, [group], await run(group).catch(() => poll), 'replace')
      const tasks = Object.fromEntries(own.map((group) => [group.name, async () => void (await task(group))]))
      // what fails is logged by those who notice
      const logger = new Logger(() => ignore)
      const options = { concurrency: 1, pollInterval: poll, noHandleSignals: true, noPreparedStatements: true, logger }
      const pool = queuePool(db, (err) => failed.abort(err))
      const worker = runTaskList(options, tasks, pool)
      worker.promise.catch(ignore)
      const end = AbortSignal.any([signal, failed.signal])
      while (!end.aborted) {
        await delay(dead / 3, undefined, { signal: end, ref: false }).catch(ignore)
        if (!end.aborted) await renewLocks(db, worker.id, dead).catch(told)
      }
      await Promise.resolve(worker.gracefulShutdown()).catch(ignore)
      await giveBack(db, sql`locked_by = ${worker.id}`)
      failed.signal.throwIfAborted()
    }
    const told = (err: unknown) => log.warn({ err }, 'the job queue is not available')
    const again = (own: readonly Group[]) => repeat(() => work(own).catch(told).then(ignore), poll, signal)
    return Promise.all(byPriority(groups).map(again))
  }
