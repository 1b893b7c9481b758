/** The schema of the job queue (graphile-worker), and its access to our connections. */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Migration } from './migrations/migration'

/** Runs a statement of the queue, or several without values. @returns its rows */
export type RunStatement = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>

/** A database handle for the queue's statements. */
export const statementsOn =
  <T>(db: Kysely<T>): RunStatement =>
  async (text, values) =>
    (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows

/**
 * What the queue requires of a `pg` pool. Its request for a connection to LISTEN on is never answered: all jobs have a
 * time, which polling finds, while a notification is sent when a job is scheduled; and PgBouncer in transaction mode
 * delivers none.
 */
export function queuePool(run: RunStatement): Pool {
  const client = {
    async query(given: string | { text: string; values?: readonly unknown[] }, values: readonly unknown[] = []) {
      const { text, values: own = values } = typeof given === 'string' ? { text: given } : given
      return { rows: await run(text, own) }
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
    await runMigrations({ pgPool: queuePool(statementsOn(db)) })
    const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
      where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity`.execute(db)
    for (const { name } of rows)
      await sql`alter table ${sql.table(`graphile_worker.${name}`)} disable row level security`.execute(db)
  },
}
