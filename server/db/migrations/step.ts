import { type Kysely, type Migration, sql } from 'kysely'

/** Statements of one step, separate because the embedded engine takes one at a time. */
export const step = (...statements: string[]): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const s of statements) await sql.raw(s).execute(db)
  },
})
