import type { PGlite } from '@electric-sql/pglite'
import type { Kysely, Transaction } from 'kysely'
import { StartError } from '../core/start-error'
import type { Settings } from '../settings'
import { lockFolder } from './lock'
import { type Migrations, migrate, schemaOf } from './migrate'
import { databaseNow } from './now'
import { openPglite, pgliteDialect, prepareFolder } from './pglite'
import { BACKGROUND_LIMITS, type PoolLimits, REQUEST_LIMITS, TOOL_LIMITS } from './pool-limits'
import { openPool, type PoolMetrics } from './postgres'
import { RetryingKysely } from './retrying-kysely'
import type { DB } from './tables'
import { NotYet, type RetryOptions, reasonWithoutUrl, toStartError, whenAvailable } from './wait'

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
   * PostgreSQL: `migrate` (default), or `wait` until `npm run migrate` has been run.
   */
  schema?: 'migrate' | 'wait'
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
    await waitForSchema(database.db, patience, migrations)
  } catch (e) {
    await database.close()
    throw toStartError(e)
  }
  return database
}

/**
 * Waits until the database has every migration of this release. Unknown ones belong to a newer release, are compatible
 * with this one (expand and contract), and are only logged.
 * @throws StartError naming the command when the time limit is reached
 */
const waitForSchema = (db: Kysely<DB>, patience: RetryOptions, migrations: Migrations | undefined) =>
  whenAvailable(async () => {
    const { pending, unknown } = await schemaOf(db, migrations)
    if (pending.length > 0)
      throw new NotYet(
        `数据库结构不是最新，缺少 ${pending.length} 步（${pending.join('、')}）：请先执行 npm run migrate。`,
      )
    if (unknown.length > 0)
      patience.print?.(`⚠ 数据库结构比本程序新 ${unknown.length} 步（${unknown.join('、')}），继续以兼容方式运行。`)
  }, patience)

/** In separate connections, because a migration may take longer than any request. */
async function migrateServer(databaseUrl: string, { onError = () => undefined, migrations, patience }: OpenOptions) {
  const db = new RetryingKysely(openPool(databaseUrl, { ...TOOL_LIMITS, size: 1 }, onError))
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
  const requests = openPool(databaseUrl, limits, onError)
  const work = openPool(databaseUrl, BACKGROUND_LIMITS, onError)
  const db = new RetryingKysely({ dialect: requests.dialect })
  const background = new RetryingKysely({ dialect: work.dialect })
  const close = async () => {
    await Promise.all([db.destroy(), background.destroy()])
  }
  try {
    await whenAvailable(() => databaseNow(db), patience)
  } catch (e) {
    await close()
    if (e instanceof StartError || (e as Error).name === 'AbortError') throw e
    throw new StartError(`数据库无法连接（DATABASE_URL）：${reasonWithoutUrl(e)}。`, { cause: e })
  }
  const load = { requests: requests.metrics, background: work.metrics }
  return { db, background, load, pglite: undefined, close }
}
