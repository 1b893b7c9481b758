import type { FastifyRequest } from 'fastify'
import type { PoolMetrics } from '../db/postgres'
import type { JobRunner } from '../jobs/runner'
import type { Deps } from './context'

/** Phase of the process between start and exit; health checks and new requests depend on it. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining'
  /** set before `ready` */
  deps?: Deps | undefined
  /** runs due jobs; set before `ready` */
  jobRunner?: JobRunner | undefined
  /** reads screenshots; undefined in processes that do not */
  screenshotReader?: { stop(): Promise<void> } | undefined
  /** whether database and disk are usable now; set before `ready` */
  checks?: (() => Promise<Record<string, boolean>>) | undefined
  /** metrics of the connections for requests; undefined before the start is over and with the embedded database */
  poolMetrics?: PoolMetrics | undefined
}

/** The pattern of a request's route: a few hundred values, whatever is requested. */
export const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'none'

/** The dependencies of a process that serves. @throws Error on a bug in the order of the start */
export function depsOf({ deps }: Lifecycle): Deps {
  if (!deps) throw new Error('a request was let through before the start was over')
  return deps
}

export const createLifecycle = (): Lifecycle => ({ phase: 'starting' })
