/** Time limits of a pool's sessions in ms; 0 = none. */
export interface PoolLimits {
  /** connections at once */
  size: number
  /** the server ends a statement after it */
  statementTimeout: number
  /** the server ends a statement that waits so long for a lock */
  lockTimeout: number
}

/** Requests; the defaults of `DB_POOL_SIZE`, `DB_STATEMENT_TIMEOUT_MS` and `DB_LOCK_TIMEOUT_MS`. */
export const REQUEST_LIMITS: PoolLimits = { size: 10, statementTimeout: 15_000, lockTimeout: 5000 }
/** Work that nobody waits for: jobs, training, tidying up. */
export const BACKGROUND_LIMITS: PoolLimits = { size: 4, statementTimeout: 60_000, lockTimeout: 10_000 }
/** Command-line tools: one operator watches one statement, however long it takes. */
export const TOOL_LIMITS: PoolLimits = { size: 4, statementTimeout: 0, lockTimeout: 0 }
