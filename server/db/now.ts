import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from './tables'

/**
 * SQL: the database's time, ms since 1970. The machines' clocks may differ, and the sandbox's clock must not affect
 * leases.
 */
export const databaseTime: RawBuilder<number> = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** The database's time, ms since 1970. */
export async function databaseNow(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${databaseTime} as now`.execute(db)
  return Number(rows[0]?.now)
}
