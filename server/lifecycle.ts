import type { Deps } from './context'
import type { PoolMetrics } from './db/pool-metrics'
import type { JobRunner } from './jobs/runner'
import type { Readiness } from './readiness'

/** Phase of the process between start and exit; health checks and new requests depend on it. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining'
  /** set before `ready` */
  deps: Deps | undefined
  /** runs due jobs; set before `ready` */
  jobRunner: JobRunner | undefined
  /** whether database and disk are usable now; set before `ready` */
  readiness: (() => Promise<Readiness>) | undefined
  /** of the connections for requests; undefined before the start is over and with the embedded database */
  poolMetrics: PoolMetrics | undefined
}

/** Dependencies of the handlers. No request is served before they are set. @throws Error on a bug in that order */
export function depsOf({ deps }: Lifecycle): Deps {
  if (!deps) throw new Error('a request was let through before the start was over')
  return deps
}

export const createLifecycle = (): Lifecycle => ({
  phase: 'starting',
  deps: undefined,
  jobRunner: undefined,
  readiness: undefined,
  poolMetrics: undefined,
})
