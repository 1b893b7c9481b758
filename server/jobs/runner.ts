import { syncClock } from '../core/clock-sync'
import type { Deps } from '../core/context'
import type { Logger } from '../core/log'
import { intervalOf, type Job } from '../domains/shared/job'
import { noteSuccess } from './last-success'

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

/** How a run ended. A job that was not begun, because the process stops, has no outcome. */
export type RunOutcome = 'DONE' | 'FAILED'

/** ms from the end of a run to the next one. */
export const delayAfter = (job: Job, outcome: RunOutcome): number =>
  (outcome === 'DONE' ? intervalOf(job) : Math.min(intervalOf(job), RETRY_AFTER)) - SLACK

/** Runs jobs one after the other, and again while one of them finds work. */
export type RunPasses = (jobs: readonly Job[]) => Promise<ReadonlyMap<string, RunOutcome>>

/** @param signal begins no further jobs and rows once it is aborted */
export function createPasses(deps: Deps, log: Logger, signal: AbortSignal): RunPasses {
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
  return async (jobs) => {
    const outcomes = new Map<string, RunOutcome>()
    for (let pass = 0; pass < MAX_PASSES && !signal.aborted; pass += 1) {
      let done = 0
      for (const job of jobs) done += signal.aborted ? 0 : await runOne(job, outcomes)
      if (done === 0) break
    }
    return outcomes
  }
}

export interface JobRunnerOptions {
  /** ms between polls for jobs that are due; 0 = jobs run only when `runAll` is called */
  pollInterval: number
  log: Logger
}

/**
 * Runs each job at its interval in this process, the only one on its database, and all of them when `runAll` is called.
 * Runs never overlap. Jobs marked `lowPriority` run apart from the others.
 */
export function startJobRunner(deps: Deps, jobs: readonly Job[], options: JobRunnerOptions): JobRunner {
  const { pollInterval, log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const runPasses = createPasses(deps, log, signal)
  /** when a job is due, by the monotonic clock */
  const dueAt = new Map<string, number>()

  const runDue = async (own: readonly Job[]) => {
    const started = performance.now()
    const due = own.filter(({ name }) => (dueAt.get(name) ?? 0) <= started)
    if (due.length === 0) return
    const outcomes = await runPasses(due)
    for (const job of due) {
      const outcome = outcomes.get(job.name)
      if (outcome) dueAt.set(job.name, started + delayAfter(job, outcome))
    }
    const done = due.filter(({ name }) => outcomes.get(name) === 'DONE').map(({ name }) => name)
    await noteSuccess(deps.db, done).catch((err: unknown) =>
      log.warn({ err }, 'the success of jobs could not be noted'),
    )
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
