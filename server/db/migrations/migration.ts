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

/**
 * A migration of these statements, separate because the embedded engine takes one at a time. They are atomic, unless one
 * works `concurrently`, which does not block writers.
 */
export const migration = (...statements: string[]): Migration => ({
  outside: statements.some((statement) => /\bconcurrently\b/.test(statement)),
  async up(db) {
    for (const s of statements) await sql.raw(s).execute(db)
  },
})
