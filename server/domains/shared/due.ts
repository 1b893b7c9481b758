import { type RawBuilder, sql } from 'kysely'
import { CLOCK_TOLERANCE_MS } from '../../core/clock'

export { CLOCK_TOLERANCE_MS }

/**
 * SQL: whether the stored time of the next attempt has come. A time further ahead than the longest delay was stored by
 * a wrong clock and counts as due, otherwise the row would wait until then.
 * @param column the stored time, ms since 1970
 * @param longestWait ms
 */
export const isTimeReached = (column: RawBuilder<unknown>, now: number, longestWait: number): RawBuilder<boolean> =>
  sql<boolean>`(${column} <= ${now}::bigint or ${column} > ${now + longestWait}::bigint)`

/** SQL: whether a limit counts what was stored at this time: within the period before now. */
export const isWithin = (column: RawBuilder<unknown>, period: number, now: number): RawBuilder<boolean> =>
  sql<boolean>`(${column} > ${now - period}::bigint and ${column} <= ${now + CLOCK_TOLERANCE_MS}::bigint)`
