import { type RawBuilder, sql } from 'kysely'

/**
 * SQL: whether a stored time of the next attempt has come. A time further ahead than the longest wait was stored while the
 * clock was wrong; it counts as come, or the row would wait until the wrong time has been reached.
 * @param column the stored time, ms since 1970
 * @param longestWait ms
 */
export const hasCome = (column: RawBuilder<unknown>, now: number, longestWait: number): RawBuilder<boolean> =>
  sql<boolean>`(${column} <= ${now}::bigint or ${column} > ${now + longestWait}::bigint)`
