import type { PGlite } from '@electric-sql/pglite'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Settings } from '../settings'
import { RetryingKysely } from './conflicts'
import { BACKGROUND_LIMITS, type PoolLimits, REQUEST_LIMITS, TOOL_LIMITS } from './limits'
import { lockFolder } from './lock'
import { migrate, type Steps } from './migrate'
import { openPglite, pgliteDialect, prepareFolder } from './pglite'
import { postgresDialect } from './postgres'
import { waitForSchema } from './schema'
import type { Tables } from './tables'
import { type Patience, plain, waitForDatabase, whenAvailable } from './wait'

/** A handle for queries: the root or a transaction. */
export type Db = Kysely<Tables> | Transaction<Tables>

export interface Database {
  db: Kysely<Tables>
  /**
   * The same database for work that nobody waits for (jobs, training, tidying up): connections of its own with longer
   * limits, so that it neither ends too early nor takes the connections of requests. Embedded: the same handle.
   */
  background: Kysely<Tables>
  /** only the embedded engine: for backups */
  pglite: PGlite | undefined
  /** Ends connections and frees the data folder. */
  close(): Promise<void>
}

type Where = Pick<Settings, 'dataDir' | 'databaseUrl'>

export interface OpenOptions {
  /** told of every connection that breaks */
  onError?: (e: Error) => void
  /** of PostgreSQL's connections for requests; the embedded engine has one connection and no time limits */
  limits?: PoolLimits
  /** how long to wait for a PostgreSQL that does not answer */
  patience?: Patience
  /**
   * What to do when steps of the database's structure are missing. An embedded database is always migrated: this process
   * alone owns it. PostgreSQL: `migrate` (default), `wait` until somebody ran `npm run migrate`, or `require` it.
   */
  schema?: 'migrate' | 'wait' | 'require'
  /** another history than this release's, for tests */
  steps?: Steps
}

/** ms that tests and tools wait for a server */
const WAIT = 5000

/**
 * Opens the database the settings name, with its structure as this release wants it or newer. The server, the tests and
 * the command-line tools all come in here, so the folder lock holds for every one of them.
 * @throws StartError in one sentence: folder not writable, taken or damaged; server not reachable; structure not current
 */
export async function openDatabase(where: Where, options: OpenOptions = {}): Promise<Database> {
  const { patience = { within: WAIT }, schema = 'migrate', steps } = options
  const database = where.databaseUrl ? await openServer(where.databaseUrl, options) : await openEmbedded(where.dataDir)
  try {
    if (database.pglite) await migrate(database.db, { steps })
    else if (where.databaseUrl && schema === 'migrate') {
      const { databaseUrl } = where
      await whenAvailable(() => migrateServer(databaseUrl, options), patience)
    }
    await waitForSchema(database.db, { ...patience, within: schema === 'wait' ? patience.within : 0, steps })
  } catch (e) {
    await database.close()
    throw plain(e)
  }
  return database
}

/** In connections of its own: a step may take longer than any request. */
async function migrateServer(databaseUrl: string, { onError = () => undefined, steps, patience }: OpenOptions) {
  const db = new RetryingKysely({ dialect: postgresDialect(databaseUrl, { ...TOOL_LIMITS, size: 1 }, onError) })
  try {
    await migrate(db, { steps, say: patience?.say })
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
    return { db, background: db, pglite, close }
  } catch (e) {
    await unlock()
    throw e
  }
}

async function openServer(databaseUrl: string, options: OpenOptions): Promise<Database> {
  const { onError = () => undefined, limits = REQUEST_LIMITS, patience = { within: WAIT } } = options
  const open = (of: PoolLimits) => new RetryingKysely({ dialect: postgresDialect(databaseUrl, of, onError) })
  const [db, background] = [open(limits), open(BACKGROUND_LIMITS)]
  const close = async () => {
    await Promise.all([db.destroy(), background.destroy()])
  }
  try {
    await waitForDatabase(() => checkLimits(db, limits, patience), patience)
  } catch (e) {
    await close()
    throw e
  }
  return { db, background, pglite: undefined, close }
}

/** A connection pooler may drop startup parameters instead of refusing them; without them a stall has no end. */
async function checkLimits(db: Kysely<Tables>, { statementTimeout }: PoolLimits, { say }: Patience): Promise<void> {
  const { rows } = await sql<{ ms: number }>`
    select setting::int as ms from pg_settings where name = 'statement_timeout'`.execute(db)
  if (statementTimeout > 0 && rows[0]?.ms === 0)
    say?.(
      '⚠ 数据库会话没有 statement_timeout：连接池丢弃了启动参数，请为数据库角色设置（alter role … set statement_timeout）。',
    )
}
