/** Connections to a PostgreSQL server: limited on both sides, and never used again once their state is unknown. */
import { setTimeout as delay } from 'node:timers/promises'
import { PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { CommitRefused, isSessionUsable, isWorthWaiting } from './errors'
import type { PoolLimits } from './limits'

// int8 and count(*) are numbers on PGlite; make pg agree (our counts, fen and milliseconds are below 2^53)
pg.types.setTypeParser(20, Number)

/** ms the server has to say that it ended a statement, before we give the connection up: the server always comes first */
const ANSWER_WITHIN = 3000
/** ms a transaction may stand still between two statements; then the server ends the session and undoes it */
const IDLE_IN_TRANSACTION = 20_000
/** ms for a new connection, and for a free one */
const CONNECT_WITHIN = 5000
/** ms an outage may last during which new work waits for a connection; later it is refused at once */
const RETRY_WITHIN = 5000
/** ms between two attempts to connect: the first, and the longest */
const RETRY_DELAY = { first: 50, longest: 500 } as const
/** ms without traffic after which the kernel asks whether the other side is still there */
const KEEP_ALIVE_AFTER = 10_000

const poolOf = (databaseUrl: string, { size, statementTimeout, lockTimeout }: PoolLimits) =>
  new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: CONNECT_WITHIN,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    // sent as startup parameters, so they hold from the first statement on (pg leaves out those that are 0)
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    query_timeout: statementTimeout === 0 ? 0 : statementTimeout + ANSWER_WITHIN,
    application_name: 'game-account-valuation',
  })

/** What Kysely asks of a pool's client. */
interface Session {
  query(sql: string, parameters: readonly unknown[]): Promise<pg.QueryResult>
  release(): void
}

/**
 * One use of a connection. It goes back to the pool only when the server has said that it is idle, outside a transaction;
 * otherwise it is closed, which undoes what was open.
 */
function sessionOf(first: pg.PoolClient, connect: () => Promise<pg.PoolClient>, onError: (e: Error) => void): Session {
  let client = first
  let used = false
  let lost = false
  let cause: unknown
  let released = false

  async function run(sql: string, parameters: readonly unknown[]) {
    used = true
    try {
      return await client.query(sql, [...parameters])
    } catch (e) {
      if (!lost && !isSessionUsable(e)) {
        lost = true
        cause = e
      }
      throw e
    }
  }

  function release() {
    if (released) return
    released = true
    client.release(lost || client.getTransactionStatus() !== 'I')
    // told here and not by the client's error event, which may come before the statement's error, after it or never
    if (lost) onError(cause instanceof Error ? cause : new Error(String(cause)))
  }

  /** An idle connection may have died unnoticed. `begin` alone changes nothing: the one statement that is safe to repeat. */
  async function begin(sql: string) {
    const repeatable = !used
    try {
      return await run(sql, [])
    } catch (e) {
      if (!repeatable || !lost || isTimeout(e)) throw e
      release()
      client = await connect()
      lost = false
      released = false
      return run(sql, [])
    }
  }

  async function commit(sql: string) {
    const result = await run(sql, [])
    if (result.command !== 'COMMIT') throw new CommitRefused()
    return result
  }

  /** Never throws: closing the connection undoes the transaction as well, and the first error is the one that counts. */
  async function rollback(sql: string) {
    const nothing: pg.QueryResult = { rows: [], rowCount: 0, command: 'ROLLBACK', fields: [], oid: 0 }
    if (lost) return nothing
    return run(sql, []).catch(() => {
      lost = true
      return nothing
    })
  }

  return {
    query(sql, parameters) {
      if (sql === 'begin' || sql.startsWith('start transaction')) return begin(sql)
      if (sql === 'commit') return commit(sql)
      if (sql === 'rollback') return rollback(sql)
      return run(sql, parameters)
    },
    release,
  }
}

/**
 * A pool for Kysely. New work waits a few seconds for a server that restarts, since nothing has been sent yet; a statement
 * that may have been done is never sent again, and least of all a COMMIT.
 * @param onError told of every connection that breaks, also of those in use
 */
function createPool(databaseUrl: string, limits: PoolLimits, onError: (e: Error) => void): PostgresPool {
  const pool = poolOf(databaseUrl, limits)
  // without listeners one reset connection ends the process: the pool listens to idle clients only, and what happens to
  // one in use is told when it is released
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => undefined))

  /** when the first attempt since the last one that worked has failed, ms of a clock that nobody sets */
  let awaySince: number | undefined
  async function connect(): Promise<pg.PoolClient> {
    for (let wait: number = RETRY_DELAY.first; ; wait = Math.min(2 * wait, RETRY_DELAY.longest)) {
      try {
        const client = await pool.connect()
        awaySince = undefined
        return client
      } catch (e) {
        if (pool.ending || !isRetriable(e)) throw e
        awaySince ??= performance.now()
        if (performance.now() + wait - awaySince > RETRY_WITHIN) throw e
      }
      await delay(wait)
    }
  }

  return {
    connect: async () => sessionOf(await connect(), connect, onError),
    end: () => pool.end(),
  } as unknown as PostgresPool
}

const isTimeout = (e: unknown): boolean => /timeout/i.test(String((e as { message?: unknown }).message))

/** Attempts to connect that fail at once; those that ran into their time limit have waited long enough. */
const isRetriable = (e: unknown): boolean => isWorthWaiting(e) && !isTimeout(e)

/** Kysely's own dialect over such a pool. */
export const postgresDialect = (databaseUrl: string, limits: PoolLimits, onError: (e: Error) => void) =>
  new PostgresDialect({ pool: createPool(databaseUrl, limits, onError) })
