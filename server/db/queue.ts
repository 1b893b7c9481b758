/** The schema of the job queue (graphile-worker), and its access to our connections. */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { Client, Pool } from 'pg'
import type { Migration } from './migrations/migration'
import type { DB } from './tables'

/**
 * What the queue requires of a `pg` pool; a failed statement has no rows, because an error would end the process. Its
 * request for a connection to LISTEN on is never answered: all jobs have a time, which polling finds, and PgBouncer in
 * transaction mode delivers no notifications.
 */
export function queuePool(db: Kysely<DB>, onError?: (err: unknown) => void): Pool {
  const client = Object.assign(new Client(), {
    async query(given: string | { text: string; values?: readonly unknown[] }, values: readonly unknown[] = []) {
      const { text, values: own = values } = typeof given === 'string' ? { text: given } : given
      try {
        return { rows: (await db.executeQuery(CompiledQuery.raw(text, [...own]))).rows }
      } catch (err) {
        if (!onError) throw err
        onError(err)
        return { rows: [] }
      }
    },
    release: () => undefined,
  })
  const connect = (listen?: unknown) => (listen ? undefined : Promise.resolve(client))
  // connections and their errors are the business of our own pool
  return Object.assign(new Pool(), { connect, listeners: () => [() => undefined] })
}

/**
 * Applies the migrations of graphile-worker, each in a transaction of its own; none to the embedded database, whose one
 * process needs no queue. Row-level security without policies, which it turns on, would hide the jobs from every role but
 * the one that migrates.
 */
export const queueMigration: Migration = {
  outside: true,
  async up(db) {
    const embedded = await sql`select where version() like '%emcc%'`.execute(db)
    if (embedded.rows.length > 0) return
    const { runMigrations } = await import('graphile-worker')
    await runMigrations({ pgPool: queuePool(db) })
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
      where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity`.execute(db)
    for (const { name } of rows)
      await sql`alter table ${sql.table(`graphile_worker.${name}`)} disable row level security`.execute(db)
  },
}
