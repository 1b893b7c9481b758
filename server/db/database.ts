import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import type { Settings } from '../settings'
import { reasonOf, StartError } from '../start-error'
import { lockFolder } from './lock'
import { migrate } from './migrate'
import { openPglite, pgliteDialect, prepareFolder } from './pglite'
import type { Tables } from './tables'

/** A handle for queries: the root or a transaction. */
export type Db = Kysely<Tables> | Transaction<Tables>

export interface Database {
  db: Kysely<Tables>
  /** only the embedded engine: for backups */
  pglite: PGlite | undefined
  /** Ends connections and frees the data folder. */
  close(): Promise<void>
}

type Where = Pick<Settings, 'dataDir' | 'databaseUrl'>

// int8 and count(*) are numbers on PGlite; make pg agree (our counts, fen and milliseconds are below 2^53)
pg.types.setTypeParser(20, Number)

/**
 * Opens the database the settings name, with all migrations done. The server, the tests and the command-line tools all
 * come in here, so the folder lock holds for every one of them.
 * @param onError told of connections that break while nobody uses them
 * @throws StartError in one sentence: folder not writable, taken or damaged; server not reachable
 */
export async function openDatabase(where: Where, onError: (e: Error) => void = () => undefined): Promise<Database> {
  const database = where.databaseUrl ? await openServer(where.databaseUrl, onError) : await openEmbedded(where.dataDir)
  try {
    await migrate(database.db)
  } catch (e) {
    await database.close()
    throw e
  }
  return database
}

async function openEmbedded(dataDir: string): Promise<Database> {
  prepareFolder(dataDir)
  const unlock = await lockFolder(dataDir)
  try {
    const pglite = await openPglite(dataDir)
    const db = new Kysely<Tables>({ dialect: pgliteDialect(pglite) })
    const close = async () => {
      await db.destroy()
      await unlock()
    }
    return { db, pglite, close }
  } catch (e) {
    await unlock()
    throw e
  }
}

async function openServer(databaseUrl: string, onError: (e: Error) => void): Promise<Database> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 5000,
    query_timeout: NETWORK_TIMEOUT / 2,
    application_name: 'game-account-valuation',
  })
  // without a listener one reset idle connection ends the process
  pool.on('error', onError)
  try {
    await pool.query('select 1')
  } catch (e) {
    await pool.end()
    throw new StartError(`数据库无法连接（DATABASE_URL）：${reasonOf(e) || '无响应'}。`)
  }
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pglite: undefined, close: () => db.destroy() }
}

/** True when an error says that the database went away, not that a query was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  const gone = typeof code === 'string' && /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|57P0|08|53300)/.test(code)
  return gone || /Connection terminated|timeout exceeded when trying to connect|Query read timeout/i.test(error.message)
}
