import { sql } from 'kysely'
import type { Db } from './database'

/** The database's time, ms since 1970: the same for all of its processes. */
export async function databaseNow(db: Db): Promise<number> {
  const { rows } = await sql<{
    now: number
  }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(db)
  return Number(rows[0]?.now)
}
