import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import { syncClock } from '../core/clock-sync'
import type { Deps } from '../core/context'
import type { Logger } from '../core/log'
import { queuePool, type RunStatement, statementsOn } from '../db/queue'
import type { Job } from '../domains/shared/job'
import { noteSuccess } from './last-success'
import { createPasses, delayAfter, type JobRunner, startJobRunner } from './runner'
import { noteWorkers, removeDeadWorkers, removeWorker, scheduleMissing, scheduleNext } from './schedule'

/** ms */
const TIMES = {
  /** between two looks for a due job, and before the next look after a failed one */
  poll: 2000,
  /** between two signs of life, each of which also looks for dead processes and missing jobs */
  beat: 10_000,
  /** without a sign of life until a process counts as dead */
  dead: 30_000,
}

export interface QueueRunnerOptions {
  log: Logger
  /** shorter times, for tests */
  times?: Partial<typeof TIMES>
}

/**
 * Runs each job at its interval over all processes on this PostgreSQL, by graphile-worker: a job is one row of its
 * queue, and a run schedules the next. Jobs marked `lowPriority` have a worker of their own. What graphile-worker lacks
 * is here: a killed process gives its jobs back after half a minute (there: four hours), and the process survives a
 * statement of the queue that fails (there: an unhandled rejection).
 */
export function startQueueRunner(deps: Deps, jobs: readonly Job[], { log, times }: QueueRunnerOptions): JobRunner {
  const { poll, beat, dead } = { ...TIMES, ...times }
  const { db } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const runPasses = createPasses(deps, log, signal)
  const manually = startJobRunner(deps, jobs, { pollInterval: 0, log })
  /** ids of the workers of this process */
  const workers = new Set<string>()

  /** Never throws: an error of the log, such as a full disk, must not end a worker. */
  const logSafely = (level: 'warn' | 'debug', fields: object, message: string) => {
    try {
      log[level](fields, message)
    } catch {
      // logging itself failed: give up
    }
  }

  async function runJob(job: Job): Promise<void> {
    if (!(await syncClock(deps.clock, db, log))) throw new Error('the time is unknown')
    // a process that stops leaves the rest to another one
    let wait = 0
    try {
      const outcome = (await runPasses([job])).get(job.name)
      if (outcome && !signal.aborted) wait = delayAfter(job, outcome)
      if (outcome === 'DONE') await noteSuccess(db, [job.name])
    } finally {
      await scheduleNext(db, job, wait)
    }
  }

  /**
   * Runs some jobs, one at a time, until the process stops or a statement of the queue fails. It is then unknown what
   * the statement has done, such as lock a job that nobody runs. So the worker ends, and its jobs are given back.
   */
  async function work(own: readonly Job[]): Promise<void> {
    const { Logger, runTaskList } = await import('graphile-worker')
    // a worker leaves some kilobytes behind in the package, so none is made while the database is away
    await sql`select 1`.execute(db)
    const over = new AbortController()
    const end = () => over.abort()
    signal.addEventListener('abort', end, { once: true })
    // before it takes a job: one that was killed then is noticed
    const known = Promise.resolve().then(() => noteWorkers(db, [worker.id]))
    known.catch(end)
    const pending = new Set<Promise<unknown>>()
    const attempt: RunStatement = async (text, values) => {
      try {
        await known
        return await statementsOn(db)(text, values)
      } catch (err) {
        if (!over.signal.aborted) logSafely('warn', { err }, 'the job queue is not available')
        end()
        return []
      }
    }
    const run: RunStatement = (text, values) => {
      const answer = attempt(text, values)
      pending.add(answer)
      return answer.finally(() => pending.delete(answer))
    }
    const logger = new Logger(() => (level, message) => {
      // what fails is logged by those who notice
      logSafely('debug', { level, queue: message }, 'job queue')
    })
    const tasks: TaskList = Object.fromEntries(own.map((job) => [job.name, () => runJob(job)] as const))
    const options = { concurrency: 1, pollInterval: poll, noHandleSignals: true, noPreparedStatements: true, logger }
    const worker = runTaskList(options, tasks, queuePool(run))
    worker.promise.then(end, end)
    workers.add(worker.id)
    try {
      if (!over.signal.aborted && !signal.aborted) await once(over.signal, 'abort')
    } finally {
      await Promise.resolve(worker.gracefulShutdown()).catch(() => undefined)
      await Promise.all(pending)
      signal.removeEventListener('abort', end)
      workers.delete(worker.id)
      // with the database away they are given back when the worker counts as dead
      await removeWorker(db, worker.id).catch(() => undefined)
    }
  }

  async function keepWorking(own: readonly Job[]): Promise<void> {
    while (!signal.aborted) {
      await work(own).catch((err: unknown) => logSafely('warn', { err }, 'the job queue is not available'))
      await delay(poll, undefined, { signal }).catch(() => undefined)
    }
  }

  let beating = false
  async function sendHeartbeat(): Promise<void> {
    if (beating) return
    beating = true
    try {
      await noteWorkers(db, [...workers])
      await removeDeadWorkers(db, dead)
      await db.transaction().execute((tx) => scheduleMissing(tx, jobs))
    } catch (err) {
      logSafely('warn', { err }, 'the job queue is not available')
    } finally {
      beating = false
    }
  }

  void sendHeartbeat()
  const timer = setInterval(() => void sendHeartbeat(), beat)
  timer.unref()
  const working = [
    keepWorking(jobs.filter(({ lowPriority }) => !lowPriority)),
    keepWorking(jobs.filter(({ lowPriority }) => lowPriority)),
  ]

  return {
    runAll: manually.runAll,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await Promise.all([...working, manually.stop()])
    },
  }
}
