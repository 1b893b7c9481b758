/** Classifies database errors: invalid statements are bugs, the errors here are outages, which may be temporary. */
import { DatabaseError } from 'pg'

/** Error codes of sockets in Node, and of PostgreSQL for sessions that it ends or does not accept yet. */
const CONNECTION_CODES =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|57P0|08|25P03|25P04)/

/** Errors of node-postgres, Kysely and PGlite without a code. */
const CONNECTION_MESSAGES =
  /Connection terminated|connection error and is not queryable|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after|driver has already been destroyed|PGlite is clos/i

/** A standby, or a read-only session. */
const READ_ONLY = '25006'

/**
 * The server answers, but cannot do this now: full disk, no memory, too many connections (53), a lock or statement time
 * limit (55P03, 57014), a deadlock or conflict (40), a read-only standby (25006), an unsuitable state (55000), a
 * failing disk (58030).
 */
const BUSY_CODES = /^(53|55P03|55000|57014|40001|40P01|25006|58030)/

/** Errors of configuration: a rejected login or wrong password (28), a missing privilege (42501). */
const ACCESS_CODES = /^(28|42501)/

const codeAndMessage = (error: unknown): { code: string; message: string } => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

/**
 * True if the connection is lost or its state unknown: a lost socket, a session ended by the server, one of our time
 * limits passed without a response. Whether the last statement took effect is then unknown too.
 */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = codeAndMessage(error)
  return CONNECTION_CODES.test(code) || CONNECTION_MESSAGES.test(message)
}

/** True if the database denies access: retrying does not help, but the operator can fix it. */
export const isAccessRefused = (error: unknown): boolean => ACCESS_CODES.test(codeAndMessage(error).code)

/** True if the database is unavailable, overloaded or denies access: the same request may succeed later. */
export const isDatabaseAway = (error: unknown): boolean =>
  isConnectionLost(error) || isAccessRefused(error) || BUSY_CODES.test(codeAndMessage(error).code)

/** True if the database may recover on its own. */
export const isWorthWaiting = (error: unknown): boolean => isDatabaseAway(error) && !isAccessRefused(error)

/**
 * True if a session can be used after this error: the server answered and keeps the session. After anything else (a
 * lost socket, one of our time limits, an unreadable message) its state is unknown. A read-only session may stay
 * read-only after the database has recovered, by a setting of its role or because its server is a standby now.
 */
export const isSessionUsable = (error: unknown): boolean =>
  error instanceof DatabaseError && !isConnectionLost(error) && error.code !== READ_ONLY

/**
 * A transaction reached its COMMIT although one of its statements had failed. PostgreSQL answers that with the tag
 * ROLLBACK instead of an error, and nothing is stored: without this error the caller would report success.
 */
export class CommitRejected extends Error {
  override name = 'CommitRejected'
  constructor() {
    super('the transaction had failed before its commit: nothing was stored')
  }
}

/**
 * A prepared statement whose table has got another column since (a migration of the next release): nothing was run, and
 * preparing it again helps. PostgreSQL has no separate code for this.
 */
export const isPlanOutdated = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return code === '0A000' && /cached plan/.test(String(message))
}
