import { type Kysely, sql } from 'kysely'

/** One change of the database's structure. */
export interface Step {
  up(db: Kysely<unknown>): Promise<void>
  /**
   * True: not inside a transaction, because PostgreSQL refuses that for its statements. Such a step may end half done, so
   * it must be repeatable.
   */
  outside?: boolean
}

/** Statements of one step, separate because the embedded engine takes one at a time; all of them or none. */
export const step = (...statements: string[]): Step => ({
  async up(db) {
    for (const s of statements) await sql.raw(s).execute(db)
  },
})

/**
 * An index built while the table is in use: PostgreSQL blocks writers for as long as an ordinary `create index` runs. One
 * that an interrupted build left invalid is built again. The embedded engine takes the same statements.
 * @param on table and what is indexed, for example `orders (user_id, created_at desc)`
 */
export const concurrentIndex = (name: string, on: string): Step => ({
  outside: true,
  async up(db) {
    const { rows } = await sql`
      select 1 from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`.execute(db)
    if (rows.length > 0) await sql.raw(`drop index concurrently if exists ${name}`).execute(db)
    await sql.raw(`create index concurrently if not exists ${name} on ${on}`).execute(db)
  },
})
