/** Runs the steps of `npm test` in parallel. */
import { availableParallelism, totalmem } from 'node:os'

/** Bytes of memory per worker: a jest worker with jsdom or PGlite, tsc, webpack. */
const WORKER_BYTES = 2 * 1024 ** 3

/** Number of CPU-bound processes this machine can run at once. */
export const workers = Math.max(1, Math.min(availableParallelism(), Math.floor(totalmem() / WORKER_BYTES)))

/**
 * Starts steps in the order of the list while slots are free. A step waits for the steps it needs; if one of them
 * fails, it is not run and counts as failed.
 * @param {{name: string, slots?: number, needs?: string[], run: (args: string[]) => Promise<boolean>}[]} steps `slots`:
 * number of workers the step occupies, 1 by default; `run` resolves to whether the step succeeded
 * @param {string[]} args passed to every step
 * @returns {Promise<{name: string, ok: boolean, ms: number}[]>} in order of completion; `ms` is wall time
 */
export async function schedule(steps, args = [], slots = workers) {
  const waiting = [...steps]
  const running = new Map()
  const done = []
  let free = slots
  const result = (name) => done.find((one) => one.name === name)
  const end = (name, ok, ms) => done.push({ name, ok, ms })
  while (waiting.length > 0 || running.size > 0) {
    for (const step of [...waiting]) {
      const needs = (step.needs ?? []).map(result)
      const size = Math.min(step.slots ?? 1, slots)
      if (needs.some((one) => one && !one.ok)) {
        waiting.splice(waiting.indexOf(step), 1)
        end(step.name, false, 0)
        continue
      }
      // no step overtakes one that waits for more slots, to avoid starvation
      if (size > free) break
      if (!needs.every(Boolean)) continue
      waiting.splice(waiting.indexOf(step), 1)
      free -= size
      const started = Date.now()
      const finished = step
        .run(args)
        .catch((error) => {
          process.stderr.write(`${error.stack}\n`)
          return false
        })
        .then((ok) => {
          running.delete(step.name)
          free += size
          end(step.name, ok, Date.now() - started)
        })
      running.set(step.name, finished)
    }
    if (running.size > 0) await Promise.race(running.values())
    else if (waiting.length > 0 && waiting.every((step) => (step.needs ?? []).some((name) => !result(name))))
      throw new Error(`steps need what is never run: ${waiting.map(({ name }) => name).join(', ')}`)
  }
  return done
}
