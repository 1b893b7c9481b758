import { syncClock } from '../clock-sync'
import type { Deps } from '../context'
import type { Job } from '../domains/shared/job'
import type { Logger } from '../log'

export interface Sweep {
  /** Does all work that is due now and whatever that makes due; ends when a pass finds nothing more. */
  round(): Promise<void>
  /** No more rounds and no more rows; waits for the row under way. */
  stop(): Promise<void>
}

/** Passes of one round: work that never ends must not hold the next timer. */
const MAX_PASSES = 50

/**
 * Runs the jobs every `everyMs` ms. Rounds of one process never overlap; of two processes they may. Jobs that stand apart
 * have rounds of their own.
 * @param everyMs 0 = only when `round` is called (tests)
 */
export function startSweep(deps: Deps, jobs: readonly Job[], everyMs: number, log: Logger): Sweep {
  const stopping = new AbortController()
  const { signal } = stopping

  const runOne = async ({ name, run }: Job): Promise<number> => {
    try {
      return await run({ ...deps, stopping: signal }, deps.clock.now())
    } catch (err) {
      // one broken job keeps no other from its work; it is tried again next time
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

  /** Rounds of some jobs, one after the other. */
  const sequenceOf = (own: readonly Job[]) => {
    let last: Promise<void> = Promise.resolve()
    let next: Promise<void> | undefined
    // a round asked for during another starts after it: the clock may have moved meanwhile. One that waits is enough
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
  // a job's error is logged where it happens, so what fails here is the log itself
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
