import type { Deps } from '../../context'

/** Work that is due, found by the state of rows. Every row is changed by a conditional update, so doubles do nothing. */
export interface Job {
  name: string
  /** asks a service that orders and money do not need: it runs after the others, and they never wait for it */
  apart?: true
  /** @returns how many rows it moved; 0 when nothing was due */
  run(deps: Deps, now: number): Promise<number>
}
