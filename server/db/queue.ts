/** The schema of the job queue (graphile-worker), and its access to our connections. */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Migration } from './migrations/migration'

/**
 * What the queue requires of a `pg` pool; a failed statement has no rows, because an error would end the process. Its
 * request for a connection to LISTEN on is never answered: all jobs have a time, which polling finds, and PgBouncer in
 * transaction mode delivers no notifications.
 * @param known before the first statement
 */
export function queuePool<T>(db: Kysely<T>, known: Promise<unknown>, onError: (err: unknown) => void): Pool {
  const run = async (text: string, values: readonly unknown[]) => {
    await known
    return { rows: (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows }
  }
  const client = {
    query(given: string | { text: string; values?: readonly unknown[] }, values: readonly unknown[] = []) {
      const { text, values: own = values } = typeof given === 'string' ? { text: given } : given
      return run(text, own).catch((err: unknown) => {
        onError(err)
        return { rows: [] }
      })
    },
    release: () => undefined,
  }
  const pool = {
    connect: (listen?: unknown) => (listen ? undefined : Promise.resolve(client)),
    // connections and their errors are the business of our own pool
    listeners: () => [() => undefined],
    options: {},
  }
  return pool as unknown as Pool
}

/**
 * Applies the migrations of graphile-worker, each in a transaction of its own. Row-level security without policies,
 * which it turns on, would hide the jobs from every role but the one that migrates.
 */
export const queueMigration: Migration = {
  outside: true,
  serverOnly: true,
  async up(db) {
    const { runMigrations } = await import('graphile-worker')
    const fail = (err: unknown) => {
      throw err
    }
    await runMigrations({ pgPool: queuePool(db, Promise.resolve(), fail) })
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
      where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity`.execute(db)
    for (const { name } of rows)
      await sql`alter table ${sql.table(`graphile_worker.${name}`)} disable row level security`.execute(db)
  },
}
