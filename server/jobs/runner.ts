import { syncClock } from '../clock-sync'
import type { Deps } from '../context'
import type { Job } from '../domains/shared/job'
import type { Logger } from '../log'
import { createJobLeases, type LeaseJobs, type RunOutcome } from './job-leases'

export interface JobRunner {
  /** Runs all jobs, including work that becomes due by them; ends when a pass finds nothing more. */
  runAll(): Promise<void>
  /** Starts no further runs or rows; waits for the current row. */
  stop(): Promise<void>
}

/** Passes of one run: bounds a run whose work never ends, so that the next one is not delayed. */
const MAX_PASSES = 50

export interface JobRunnerOptions {
  /** ms between polls for jobs that are due in all processes; 0 = jobs run only when `runAll` is called (tests) */
  pollInterval: number
  log: Logger
  /** replaces the leases in the database, for tests */
  lease?: LeaseJobs
}

/**
 * Runs each job at its interval, in one process at a time, and all of them when `runAll` is called. Runs of one
 * process never overlap. Jobs marked `lowPriority` run apart from the others.
 */
export function startJobRunner(deps: Deps, jobs: readonly Job[], options: JobRunnerOptions): JobRunner {
  const { pollInterval, log, lease = createJobLeases(deps.db) } = options
  const stopping = new AbortController()
  const { signal } = stopping

  const runOne = async ({ name, run }: Job, outcomes: Map<string, RunOutcome>): Promise<number> => {
    try {
      const rows = await run({ ...deps, stopping: signal }, deps.clock.now())
      if (outcomes.get(name) !== 'FAILED') outcomes.set(name, 'DONE')
      return rows
    } catch (err) {
      outcomes.set(name, 'FAILED')
      // a failing job does not stop the others; it runs again in a later run
      if (!signal.aborted) log.error({ err, job: name }, 'job failed')
      return 0
    }
  }

  const runPasses = async (own: readonly Job[]): Promise<Map<string, RunOutcome>> => {
    const outcomes = new Map<string, RunOutcome>()
    for (let pass = 0; pass < MAX_PASSES && !signal.aborted; pass += 1) {
      let done = 0
      for (const job of own) done += signal.aborted ? 0 : await runOne(job, outcomes)
      if (done === 0) break
    }
    return outcomes
  }

  const runDue = async (own: readonly Job[]) => {
    try {
      const { names, release } = await lease(own)
      // an error of the log must not keep the jobs from other processes
      let outcomes = new Map<string, RunOutcome>()
      try {
        outcomes = await runPasses(own.filter(({ name }) => names.has(name)))
      } finally {
        await release(outcomes)
      }
    } catch (err) {
      // the database is unavailable; leases expire on their own
      log.warn({ err }, 'jobs could not be leased')
    }
  }

  /** Runs some jobs one after the other. */
  const sequenceOf = (own: readonly Job[]) => {
    let last: Promise<unknown> = Promise.resolve()
    let next: Promise<unknown> | undefined
    let wantsAll = false
    // a run requested during another one runs after it, because the clock may have moved; one queued run is enough
    return (which: 'ALL' | 'DUE') => {
      if (which === 'ALL') wantsAll = true
      next ??= last
        .catch(() => undefined)
        .then(async () => {
          const work = wantsAll ? runPasses : runDue
          next = undefined
          wantsAll = false
          if (!signal.aborted && (await syncClock(deps.clock, deps.db, log))) await work(own)
        })
      last = next
      return last
    }
  }
  const first = sequenceOf(jobs.filter(({ lowPriority }) => !lowPriority))
  const afterwards = sequenceOf(jobs.filter(({ lowPriority }) => lowPriority))
  const run = async (which: 'ALL' | 'DUE') => {
    await first(which)
    await afterwards(which)
  }
  // errors of jobs are logged there, so only the log itself can fail here
  const timer = pollInterval > 0 ? setInterval(() => void run('DUE').catch(() => undefined), pollInterval) : undefined
  timer?.unref()

  return {
    runAll: () => run('ALL'),
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await run('DUE').catch(() => undefined)
    },
  }
}
