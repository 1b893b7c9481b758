import { type Kysely, sql } from 'kysely'
import { databaseTime } from '../db/now'
import type { DB } from '../db/tables'

/** Records, in the database's time, that jobs have ended without an error. */
export async function noteSuccess(db: Kysely<DB>, names: readonly string[]): Promise<void> {
  if (names.length === 0) return
  await sql`insert into job_runs (name, succeeded_at) select unnest(${names}::text[]), ${databaseTime}
    on conflict (name) do update set succeeded_at = excluded.succeeded_at`.execute(db)
}

/** Lets jobs that have never run count as successful now, so that their age is known and a first failure is noticed. */
export async function noteKnown(db: Kysely<DB>, names: readonly string[]): Promise<void> {
  await sql`insert into job_runs (name, succeeded_at) select unnest(${names}::text[]), ${databaseTime}
    on conflict (name) do nothing`.execute(db)
}
