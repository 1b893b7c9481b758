/** Migrations: which ones the database has, and how pending ones are applied. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { reasonOf, StartError } from '../core/start-error'
import { isWorthWaiting } from './errors'
import { migrations as released } from './migrations'
import type { Migration } from './migrations/migration'
import type { DB } from './tables'

export type Migrations = Readonly<Record<string, Migration>>

/** The database's migrations compared with those of this release. */
export interface Schema {
  /** migrations of this release that the database lacks, in order */
  pending: string[]
  /** migrations that this release does not know: applied by a newer one */
  unknown: string[]
}

export interface MigrateOptions {
  migrations?: Migrations | undefined
  /** called with one line for each migration and each wait */
  print?: ((line: string) => void) | undefined
}

/** SQLSTATE undefined_table */
const NO_TABLE = '42P01'
/** key of the advisory lock of migrations */
const LOCK_ID = '3853314791062309107'
/** ms between checks whether another process has finished */
const POLL_INTERVAL_MS = 500
/**
 * ms a migration waits for a table lock before giving up, because every later statement on the table queues behind it.
 * It is then retried like after an outage.
 */
const LOCK_TIMEOUT = 2000

/** @throws the database's error if it is unavailable */
export async function schemaOf(db: Kysely<DB>, migrations: Migrations = released): Promise<Schema> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`
    .execute(db)
    .catch((e: { code?: unknown }) => {
      if (e.code !== NO_TABLE) throw e
      return { rows: [] }
    })
  const done = new Set(rows.map(({ name }) => name))
  return {
    pending: Object.keys(migrations).filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !(name in migrations)),
  }
}

/**
 * A session-level advisory lock, polled instead of waited for: a statement waiting for it would block `create index
 * concurrently`.
 */
async function lock(db: Kysely<DB>, print: MigrateOptions['print']): Promise<void> {
  for (let announced = false; ; announced = true) {
    const { rows } = await sql<{
      got: boolean
    }>`select pg_try_advisory_lock(${sql.lit(LOCK_ID)}::bigint) as got`.execute(db)
    if (rows[0]?.got) return
    if (!announced) print?.('▸ 另一个进程正在升级数据库结构，等待它完成')
    await delay(POLL_INTERVAL_MS)
  }
}

/**
 * @throws StartError; this migration is then rolled back (or repeatable, if outside a transaction), earlier ones stay
 */
async function run(db: Kysely<DB>, name: string, migration: Migration): Promise<void> {
  const apply = async (handle: Kysely<DB>) => {
    await migration.up(handle)
    await sql`insert into schema_migrations (name, applied_at) values (${name}, ${Date.now()})`.execute(handle)
  }
  try {
    if (migration.outside) return await apply(db)
    await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
      await apply(tx)
    })
  } catch (e) {
    const what = isWorthWaiting(e) ? '数据库繁忙或连接中断' : '数据库结构升级失败'
    throw new StartError(`${what}：步骤 ${name} 没有完成（${reasonOf(e)}），之前的步骤已保留，可重新执行。`, {
      cause: e,
    })
  }
}

/**
 * Applies pending migrations one by one, each committed when done. Of several processes one works and the others wait.
 * @param db without time limits
 * @returns names of the applied migrations
 * @throws StartError
 */
export function migrate(db: Kysely<DB>, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = released, print } = options
  // the lock belongs to one session, so all statements run in it
  return db.connection().execute(async (session) => {
    await lock(session, print)
    try {
      const { pending } = await schemaOf(session, migrations)
      await sql`create table if not exists schema_migrations
        (name text primary key, applied_at bigint not null)`.execute(session)
      for (const name of pending) {
        await run(session, name, migrations[name] as Migration)
        print?.(`▸ 数据库结构：${name}`)
      }
      return pending
    } finally {
      // a broken session has already lost its lock
      await sql`select pg_advisory_unlock(${sql.lit(LOCK_ID)}::bigint)`.execute(session).catch(() => undefined)
    }
  })
}
