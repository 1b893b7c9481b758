import type { JobDeps } from '../../core/context'

/** A background job that finds due work by the state of rows. Updates are conditional, so running twice is harmless. */
export interface Job {
  name: string
  /** depends on a service that orders and payments do not need, or may have a backlog: runs after them, cannot delay them */
  lowPriority?: true
  /** ms between two runs over all processes; default `POLL_INTERVAL_MS`, for work that a user is waiting for */
  every?: number
  /** @returns how many rows it changed; 0 when nothing was due */
  run(deps: JobDeps, now: number): Promise<number>
}

/** ms between two looks for due jobs */
export const POLL_INTERVAL_MS = 5000

/** ms between two runs of a job. */
export const intervalOf = ({ every = POLL_INTERVAL_MS }: Job): number => every
