import { type Kysely, sql } from 'kysely'
import type { DB } from '../tables'

/** One migration. */
export interface Migration {
  up(db: Kysely<DB>): Promise<void>
  /**
   * True: runs outside a transaction, because PostgreSQL refuses its statements inside one. It may stop half done, so
   * it must be repeatable.
   */
  outside?: boolean
}

/** A migration of these statements, separate because the embedded engine takes one at a time; they are atomic. */
export const migration = (...statements: string[]): Migration => ({
  async up(db) {
    for (const s of statements) await sql.raw(s).execute(db)
  },
})

/**
 * An index built concurrently: an ordinary `create index` blocks writers while it runs. An invalid index left by an
 * interrupted build is rebuilt. The embedded engine accepts the same statements.
 * @param on table and indexed columns, for example `orders (user_id, created_at desc)`
 */
export const concurrentIndex = (name: string, on: string, unique = false): Migration => ({
  outside: true,
  async up(db) {
    const { rows } = await sql`
      select 1 from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db)
    if (rows.length > 0) await sql.raw(`drop index concurrently if exists ${name}`).execute(db)
    await sql.raw(`create ${unique ? 'unique ' : ''}index concurrently if not exists ${name} on ${on}`).execute(db)
  },
})
