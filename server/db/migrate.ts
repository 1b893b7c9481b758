/** The structure of the database: which steps it has, and how it gets the ones it lacks. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { reasonOf, StartError } from '../start-error'
import { isWorthWaiting } from './errors'
import { migrations } from './migrations'
import type { Step } from './migrations/step'
import type { Tables } from './tables'

export type Steps = Readonly<Record<string, Step>>

/** What the database has, measured against the steps of this release. */
export interface Schema {
  /** steps of this release that the database lacks, in their order */
  pending: string[]
  /** steps that this release does not know: a newer one has been here */
  unknown: string[]
}

export interface MigrateOptions {
  steps?: Steps | undefined
  /** one line for each step and each wait */
  say?: ((line: string) => void) | undefined
}

/** SQLSTATE undefined_table */
const NO_TABLE = '42P01'
/** Kysely's migrator, which wrote this table in earlier releases, takes the same lock. */
const LOCK_ID = '3853314791062309107'
/** ms between two looks whether another process has finished */
const LOOK_EVERY = 500
/**
 * A step waits this long for a table (in ms), and lets go: everything that comes after it waits behind it. Then it tries
 * again, a little later each time.
 */
const LOCK_TIMEOUT = 2000
const ATTEMPTS = 10
const PAUSE = 1000

/** @throws what the database throws when it is away */
export async function schemaOf(db: Kysely<Tables>, steps: Steps = migrations): Promise<Schema> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .catch((e: { code?: unknown }) => {
      if (e.code !== NO_TABLE) throw e
      return { rows: [] }
    })
  const done = new Set(rows.map(({ name }) => name))
  return {
    pending: Object.keys(steps).filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !(name in steps)),
  }
}

/** A session lock, asked for instead of waited for: who waits in a statement holds up `create index concurrently`. */
async function lock(db: Kysely<Tables>, say: MigrateOptions['say']): Promise<void> {
  for (let told = false; ; told = true) {
    const { rows } = await sql<{
      got: boolean
    }>`select pg_try_advisory_lock(${sql.lit(LOCK_ID)}::bigint) as got`.execute(db)
    if (rows[0]?.got) return
    if (!told) say?.('▸ 另一个进程正在升级数据库结构，等待它完成')
    await delay(LOOK_EVERY)
  }
}

const record = (db: Kysely<Tables>, name: string) =>
  sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(db)

async function run(db: Kysely<Tables>, name: string, step: Step): Promise<void> {
  if (step.outside) {
    await step.up(db as unknown as Kysely<unknown>)
    await record(db, name)
    return
  }
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
    await step.up(tx as unknown as Kysely<unknown>)
    await record(tx, name)
  })
}

/** @throws StartError; this step is then undone (or, outside a transaction, repeatable) and those before it stay */
async function apply(db: Kysely<Tables>, name: string, step: Step, say: MigrateOptions['say']): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run(db, name, step)
    } catch (e) {
      const { code } = e as { code?: unknown }
      const isBusy = code === '55P03' || code === '40P01'
      if (!isBusy || attempt === ATTEMPTS) {
        const what = isWorthWaiting(e) && !isBusy ? '数据库连接中断' : '数据库结构升级失败'
        throw new StartError(`${what}：步骤 ${name} 没有完成（${reasonOf(e)}），之前的步骤已保留，可重新执行。`, {
          cause: e,
        })
      }
      say?.(`▸ 步骤 ${name} 等待表锁超时，稍后重试（第 ${attempt} 次）`)
      await delay(attempt * PAUSE)
    }
  }
}

/**
 * Brings the tables up to date, one step after the other, each kept as soon as it is done. Of several processes one works
 * and the others wait. Steps of different domains are numbered in ranges, so a later one may have a smaller number.
 * @param db without time limits of its own
 * @returns names of the steps that were done
 * @throws StartError
 */
export function migrate(db: Kysely<Tables>, { steps = migrations, say }: MigrateOptions = {}): Promise<string[]> {
  // the lock belongs to one session, so everything is done in it
  return db.connection().execute(async (session) => {
    await lock(session, say)
    try {
      await sql`create table if not exists kysely_migration
        (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(session)
      const { pending } = await schemaOf(session, steps)
      for (const name of pending) {
        await apply(session, name, steps[name] as Step, say)
        say?.(`▸ 数据库结构：${name}`)
      }
      return pending
    } finally {
      // a broken session has no lock any more
      await sql`select pg_advisory_unlock(${sql.lit(LOCK_ID)}::bigint)`.execute(session).catch(() => undefined)
    }
  })
}
