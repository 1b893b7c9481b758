import { syncClock } from '../clock-sync'
import type { Deps } from '../context'
import type { Job } from '../domains/shared/job'
import type { Logger } from '../log'

export interface JobRunner {
  /** Runs all due work, including work that becomes due by it; ends when a pass finds nothing more. */
  round(): Promise<void>
  /** Starts no further rounds or rows; waits for the current row. */
  stop(): Promise<void>
}

/** Passes of one round: bounds a round whose work never ends, so that the next one is not delayed. */
const MAX_PASSES = 50

/**
 * Runs the jobs every `everyMs` ms. Rounds of one process never overlap, those of two processes may. Jobs marked
 * `apart` have rounds of their own.
 * @param everyMs 0 = only when `round` is called (tests)
 */
export function startJobRunner(deps: Deps, jobs: readonly Job[], everyMs: number, log: Logger): JobRunner {
  const stopping = new AbortController()
  const { signal } = stopping

  const runOne = async ({ name, run }: Job): Promise<number> => {
    try {
      return await run({ ...deps, stopping: signal }, deps.clock.now())
    } catch (err) {
      // a failing job does not stop the others; it runs again in the next round
      if (!signal.aborted) log.error({ err, job: name }, 'job failed')
      return 0
    }
  }

  const all = async (own: readonly Job[]) => {
    if (signal.aborted || !(await syncClock(deps.clock, deps.db, log))) return
    for (let pass = 0; pass < MAX_PASSES && !signal.aborted; pass += 1) {
      let done = 0
      for (const job of own) done += signal.aborted ? 0 : await runOne(job)
      if (done === 0) return
    }
  }

  /** Runs rounds of some jobs one after the other. */
  const sequenceOf = (own: readonly Job[]) => {
    let last: Promise<void> = Promise.resolve()
    let next: Promise<void> | undefined
    // a round requested during another one runs after it, because the clock may have moved; one queued round is enough
    return () => {
      next ??= last
        .catch(() => undefined)
        .then(() => {
          next = undefined
          return all(own)
        })
      last = next
      return last
    }
  }
  const first = sequenceOf(jobs.filter(({ apart }) => !apart))
  const afterwards = sequenceOf(jobs.filter(({ apart }) => apart))
  const round = async () => {
    await first()
    await afterwards()
  }
  // errors of jobs are logged there, so only the log itself can fail here
  const timer = everyMs > 0 ? setInterval(() => void round().catch(() => undefined), everyMs) : undefined
  timer?.unref()

  return {
    round,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await round().catch(() => undefined)
    },
  }
}
