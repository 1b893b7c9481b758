/** Time limits of a pool's sessions in ms; 0 = none. */
export interface PoolLimits {
  /** maximum of connections */
  size: number
  /** the server cancels a statement after it */
  statementTimeout: number
  /** the server cancels a statement that waits for a lock this long */
  lockTimeout: number
}

/** For requests; `DB_POOL_SIZE` sets the size. */
export const REQUEST_LIMITS: PoolLimits = { size: 10, statementTimeout: 15_000, lockTimeout: 5000 }
/** For background work: jobs, training, cleanup. */
export const BACKGROUND_LIMITS: PoolLimits = { size: 4, statementTimeout: 60_000, lockTimeout: 10_000 }
/** For command-line tools: an operator watches them, so statements may take any time. */
export const TOOL_LIMITS: PoolLimits = { size: 4, statementTimeout: 0, lockTimeout: 0 }
