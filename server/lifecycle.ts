import type { Deps } from './context'
import type { Sweep } from './jobs/sweep'
import type { Readiness } from './readiness'

/** Where the process is between its start and its end; health and new requests depend on it. */
export interface Life {
  phase: 'starting' | 'ready' | 'draining'
  /** set before `ready` */
  deps: Deps | undefined
  /** runs what is due; set before `ready` */
  sweep: Sweep | undefined
  /** whether database and disk can be used right now; set before `ready` */
  readiness: (() => Promise<Readiness>) | undefined
}

export const createLife = (): Life => ({ phase: 'starting', deps: undefined, sweep: undefined, readiness: undefined })
