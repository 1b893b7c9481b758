import type { Deps } from './context'

/** Where the process is between its start and its end; health and new requests depend on it. */
export interface Life {
  phase: 'starting' | 'ready' | 'draining'
  /** set before `ready` */
  deps: Deps | undefined
}

export const createLife = (): Life => ({ phase: 'starting', deps: undefined })
