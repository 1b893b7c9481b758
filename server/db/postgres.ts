/** Connections to a PostgreSQL server, with time limits on both sides; one in an unknown state is never used again. */
import { setTimeout as delay } from 'node:timers/promises'
import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { CommitRejected, isPlanOutdated, isSessionUsable, isWorthWaiting } from './errors'
import { poolClient } from './pool-client'
import type { PoolLimits } from './pool-limits'
import { nameOf, prepareAgain } from './statements'

// int8 and count(*) are numbers on PGlite; make pg agree (our counts, fen and milliseconds are below 2^53)
pg.types.setTypeParser(20, Number)

/** ms the client waits beyond the server's time limit, so that the server always cancels first */
const ANSWER_WITHIN = 3000
/** ms a transaction may be idle between statements before the server ends the session, which rolls it back */
const IDLE_IN_TRANSACTION = 20_000
/** ms: time limit for opening a connection and for getting a free one */
const CONNECT_WITHIN = 5000
/** ms of an outage during which new work waits for a connection; later it fails at once */
const RETRY_PERIOD_MS = 5000
/** ms between attempts to connect: the first delay, and the longest */
const RETRY_DELAY = { first: 50, longest: 500 } as const
/** ms of silence after which TCP keep-alive probes the connection */
const KEEP_ALIVE_AFTER = 10_000

const poolOf = (databaseUrl: string, { size, statementTimeout, lockTimeout }: PoolLimits) =>
  new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: CONNECT_WITHIN,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    // sent as startup parameters, so they apply from the first statement on (pg omits those that are 0)
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    query_timeout: statementTimeout === 0 ? 0 : statementTimeout + ANSWER_WITHIN,
    application_name: 'game-account-valuation',
  })

/**
 * One use of a connection. It returns to the pool only if the server has reported it idle outside a transaction;
 * otherwise it is closed, which rolls back an open transaction.
 */
function sessionOf(
  first: pg.PoolClient,
  connect: () => Promise<pg.PoolClient>,
  onError: (e: Error) => void,
  prepares: boolean,
): PostgresPoolClient {
  let client = first
  let used = false
  let lost = false
  let cause: unknown
  let released = false

  async function run(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    used = true
    const values = parameters as unknown[]
    const name = prepares ? nameOf(text) : undefined
    try {
      return await client.query(name === undefined ? { text, values } : { name, text, values })
    } catch (e) {
      if (isPlanOutdated(e)) {
        prepareAgain(text)
        // in a transaction the error has ended it: the whole transaction is repeated (RetryingKysely)
        if (client.getTransactionStatus() === 'I') return client.query({ text, values })
      }
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
    // reported here because the client's error event may come before the statement's error, after it or never
    if (lost) onError(cause instanceof Error ? cause : new Error(String(cause)))
  }

  /** An idle connection may be dead. `begin` has no effect, so it is the one statement that can safely be repeated. */
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
    if (result.command !== 'COMMIT') throw new CommitRejected()
    return result
  }

  /** Never throws: closing the connection rolls back as well, and the caller needs the first error. */
  async function rollback(sql: string) {
    const nothing: pg.QueryResult = { rows: [], rowCount: 0, command: 'ROLLBACK', fields: [], oid: 0 }
    if (lost) return nothing
    return run(sql, []).catch(() => {
      lost = true
      return nothing
    })
  }

  return poolClient((sql, parameters) => {
    if (sql === 'begin' || sql.startsWith('start transaction')) return begin(sql)
    if (sql === 'commit') return commit(sql)
    if (sql === 'rollback') return rollback(sql)
    return run(sql, parameters)
  }, release)
}

/** How busy a pool of connections is. */
export interface PoolMetrics {
  /** ms for which the use that has waited for longest waits for a connection; 0: none waits */
  longestWait(): number
  /** Registers a listener for how long each use waited (ms). */
  onWaited(listener: (ms: number) => void): void
}

/**
 * A pool for Kysely. New work waits a few seconds for a server that restarts, since nothing has been sent yet. A
 * statement that may have taken effect is never repeated, least of all a COMMIT.
 * @param onError called for every broken connection, including those in use
 */
export function openPool(databaseUrl: string, limits: PoolLimits, onError: (e: Error) => void) {
  const pool = poolOf(databaseUrl, limits)
  // without listeners a reset connection would end the process. The pool only listens to idle clients; errors of one in
  // use are reported on release
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => undefined))

  /** monotonic time (ms) of the first failed attempt since the last successful one */
  let awaySince: number | undefined
  const listeners: ((ms: number) => void)[] = []
  /** since when each use waits; a set keeps its order, so the first has waited for longest */
  const waits = new Set<{ since: number }>()
  async function connectOnce(): Promise<pg.PoolClient> {
    const wait = { since: performance.now() }
    waits.add(wait)
    try {
      return await pool.connect()
    } finally {
      waits.delete(wait)
      for (const listener of listeners) listener(performance.now() - wait.since)
    }
  }
  async function connect(): Promise<pg.PoolClient> {
    for (let wait: number = RETRY_DELAY.first; ; wait = Math.min(2 * wait, RETRY_DELAY.longest)) {
      try {
        const client = await connectOnce()
        awaySince = undefined
        return client
      } catch (e) {
        if (pool.ending || !isRetriable(e)) throw e
        awaySince ??= performance.now()
        if (performance.now() + wait - awaySince > RETRY_PERIOD_MS) throw e
      }
      await delay(wait)
    }
  }

  let prepares: Promise<boolean> | undefined
  async function open(): Promise<PostgresPoolClient> {
    const client = await connect()
    prepares ??= isServer(client).catch(() => {
      prepares = undefined
      return false
    })
    return sessionOf(client, connect, onError, await prepares)
  }

  const metrics: PoolMetrics = {
    longestWait: () => {
      const [first] = waits
      return first ? performance.now() - first.since : 0
    },
    onWaited: (listener) => listeners.push(listener),
  }
  return { dialect: new PostgresDialect({ pool: { connect: open, end: () => pool.end() } }), metrics }
}

/**
 * Whether the client talks to the database itself. A connection pooler announces another process than the one that
 * answers; in its transaction mode the next statement may reach another session, which has prepared nothing.
 */
async function isServer(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as pg.PoolClient & { processID: number }).processID
}

const isTimeout = (e: unknown): boolean => /timeout/i.test(String((e as { message?: unknown }).message))

/** Whether connecting failed at once; attempts that reached their time limit have waited long enough. */
const isRetriable = (e: unknown): boolean => isWorthWaiting(e) && !isTimeout(e)
