import type { Kysely } from 'kysely'
import type { PoolMetrics } from '../db/pool-metrics'
import type { DB } from '../db/tables'
import type { JobRunner } from '../jobs/runner'
import type { Deps } from './context'
import type { Readiness } from './readiness'

/** Phase of the process between start and exit; health checks and new requests depend on it. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining'
  /** set before `ready` */
  deps: Deps | undefined
  /** the database for the requests of one route (`Database.dbOf`); set before `ready` */
  dbOf: ((route: string) => Kysely<DB>) | undefined
  /** runs due jobs; set before `ready` */
  jobRunner: JobRunner | undefined
  /** reads screenshots; undefined in processes that do not */
  screenshotReader: { stop(): Promise<void> } | undefined
  /** whether database and disk are usable now; set before `ready` */
  readiness: (() => Promise<Readiness>) | undefined
  /** of the connections for requests; undefined before the start is over and with the embedded database */
  poolMetrics: PoolMetrics | undefined
}

/** A request, as far as its route goes. */
export interface Routed {
  routeOptions: { url?: string | undefined }
}

/** The pattern of a request's route: a few hundred values, whatever is requested. */
export const routeOf = ({ routeOptions }: Routed): string => routeOptions.url ?? 'none'

const early = () => new Error('a request was let through before the start was over')

/** Dependencies that belong to no route. No request is served before they are set. @throws Error on a bug in that order */
export function processDepsOf({ deps }: Lifecycle): Deps {
  if (!deps) throw early()
  return deps
}

/** The database for a request. @throws Error as `processDepsOf` */
export function dbFor({ dbOf }: Lifecycle, req: Routed): Kysely<DB> {
  if (!dbOf) throw early()
  return dbOf(routeOf(req))
}

/** Dependencies of the handlers, with the database of the request's route. @throws Error as `processDepsOf` */
export const depsOf = (lifecycle: Lifecycle, req: Routed): Deps => ({
  ...processDepsOf(lifecycle),
  db: dbFor(lifecycle, req),
})

export const createLifecycle = (): Lifecycle => ({
  phase: 'starting',
  deps: undefined,
  dbOf: undefined,
  jobRunner: undefined,
  screenshotReader: undefined,
  readiness: undefined,
  poolMetrics: undefined,
})
