import type { Deps } from './context'
import type { Sweep } from './jobs/sweep'
import type { Readiness } from './readiness'

/** Where the process is between its start and its end; health and new requests depend on it. */
export interface Lifecycle {
  phase: 'starting' | 'ready' | 'draining'
  /** set before `ready` */
  deps: Deps | undefined
  /** runs what is due; set before `ready` */
  sweep: Sweep | undefined
  /** whether database and disk can be used right now; set before `ready` */
  readiness: (() => Promise<Readiness>) | undefined
}

/** What handlers work with. The app lets no request through before it is set. @throws Error a mistake in our code */
export function depsOf({ deps }: Lifecycle): Deps {
  if (!deps) throw new Error('a request was let through before the start was over')
  return deps
}

export const createLifecycle = (): Lifecycle => ({
  phase: 'starting',
  deps: undefined,
  sweep: undefined,
  readiness: undefined,
})
