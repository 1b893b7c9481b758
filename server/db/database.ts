import type { PGlite } from '@electric-sql/pglite'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Settings } from '../settings'
import { lockFolder } from './lock'
import { type Migrations, migrate } from './migrate'
import { openPglite, pgliteDialect, prepareFolder } from './pglite'
import { BACKGROUND_LIMITS, type PoolLimits, REQUEST_LIMITS, TOOL_LIMITS } from './pool-limits'
import { openPool, type PoolMetrics } from './postgres'
import { RetryingKysely } from './retrying-kysely'
import { waitForSchema } from './schema'
import type { DB } from './tables'
import { type RetryOptions, toStartError, waitForDatabase, whenAvailable } from './wait'

/** A handle for queries: the root or a transaction. */
export type Db = Kysely<DB> | Transaction<DB>

export interface Database {
  db: Kysely<DB>
  /**
   * The same database for background work (jobs, training, cleanup): separate connections with longer time limits, so
   * that it is neither cut off too early nor takes connections from requests. Embedded: the same handle.
   */
  background: Kysely<DB>
  /** metrics of the connections for requests and for background work; undefined with the embedded engine */
  load: { requests: PoolMetrics; background: PoolMetrics } | undefined
  /** the embedded engine, for backups; undefined with PostgreSQL */
  pglite: PGlite | undefined
  /** Closes the connections and releases the data folder. */
  close(): Promise<void>
}

type Where = Pick<Settings, 'dataDir' | 'databaseUrl'>

export interface OpenOptions {
  /** called for every broken connection */
  onError?: (e: Error) => void
  /** limits of PostgreSQL connections for requests; the embedded engine has one connection and no time limits */
  limits?: PoolLimits
  /** how long to wait for an unavailable PostgreSQL */
  patience?: RetryOptions
  /**
   * What to do if migrations are pending. An embedded database is always migrated, since only this process uses it.
   * PostgreSQL: `migrate` (default), `wait` until `npm run migrate` has been run, or `require` it.
   */
  schema?: 'migrate' | 'wait' | 'require'
  /** other migrations than this release's, for tests */
  migrations?: Migrations
}

/** ms: how long tests and tools wait for a server */
const WAIT = 5000

/**
 * Opens the configured database, with the schema of this release or a newer one. Server, tests and command-line tools
 * all use this function, so the folder lock applies to each of them.
 * @throws StartError in one sentence: folder not writable, in use or damaged; server not reachable; schema not current
 */
export async function openDatabase(where: Where, options: OpenOptions = {}): Promise<Database> {
  const { patience = { within: WAIT }, schema = 'migrate', migrations } = options
  const database = where.databaseUrl ? await openServer(where.databaseUrl, options) : await openEmbedded(where.dataDir)
  try {
    if (database.pglite) await migrate(database.db, { migrations })
    else if (where.databaseUrl && schema === 'migrate') {
      const { databaseUrl } = where
      await whenAvailable(() => migrateServer(databaseUrl, options), patience)
    }
    await waitForSchema(database.db, { ...patience, within: schema === 'wait' ? patience.within : 0 }, migrations)
  } catch (e) {
    await database.close()
    throw toStartError(e)
  }
  return database
}

/** In separate connections, because a migration may take longer than any request. */
async function migrateServer(databaseUrl: string, { onError = () => undefined, migrations, patience }: OpenOptions) {
  const db = new RetryingKysely(openPool(databaseUrl, { limits: { ...TOOL_LIMITS, size: 1 }, onError }))
  try {
    await migrate(db, { migrations, print: patience?.print })
  } finally {
    await db.destroy()
  }
}

async function openEmbedded(dataDir: string): Promise<Database> {
  prepareFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  try {
    const pglite = await openPglite(dataDir)
    const db = new RetryingKysely({ dialect: pgliteDialect(pglite) })
    const close = async () => {
      await db.destroy()
      await unlock()
    }
    return { db, background: db, load: undefined, pglite, close }
  } catch (e) {
    await unlock()
    throw e
  }
}

async function openServer(databaseUrl: string, options: OpenOptions): Promise<Database> {
  const { onError = () => undefined, limits = REQUEST_LIMITS, patience = { within: WAIT } } = options
  const requests = openPool(databaseUrl, { limits, onError })
  const work = openPool(databaseUrl, { limits: BACKGROUND_LIMITS, onError })
  const db = new RetryingKysely({ dialect: requests.dialect })
  const background = new RetryingKysely({ dialect: work.dialect })
  const close = async () => {
    await Promise.all([db.destroy(), background.destroy()])
  }
  try {
    await waitForDatabase(() => checkLimits(db, limits, patience), patience)
  } catch (e) {
    await close()
    throw e
  }
  const load = { requests: requests.metrics, background: work.metrics }
  return { db, background, load, pglite: undefined, close }
}

/** A connection pooler may drop startup parameters silently; without them a stalled statement would never end. */
async function checkLimits(db: Kysely<DB>, { statementTimeout }: PoolLimits, { print }: RetryOptions): Promise<void> {
  const { rows } = await sql<{ ms: number }>`
    select setting::int as ms from pg_settings where name = 'statement_timeout'`.execute(db)
  if (statementTimeout > 0 && rows[0]?.ms === 0)
    print?.(
      '⚠ 数据库会话没有 statement_timeout：连接池丢弃了启动参数，请为数据库角色设置（alter role … set statement_timeout）。',
    )
}
