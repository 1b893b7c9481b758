import type { Deps } from '../../context'

/** A background job that finds due work by the state of rows. Updates are conditional, so running twice is harmless. */
export interface Job {
  name: string
  /** depends on a service that orders and payments do not need, so it runs in separate rounds */
  apart?: true
  /** @returns how many rows it changed; 0 when nothing was due */
  run(deps: Deps, now: number): Promise<number>
}
