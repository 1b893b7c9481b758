/** What an error of the database means: wrong statements are ours, everything here is an outage that may end by itself. */
import { DatabaseError } from 'pg'

/** What node reports of a socket, and PostgreSQL of a session that it ends or does not accept yet. */
const CONNECTION_CODES =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|57P0|08|25P03|25P04)/

/** node-postgres, Kysely and PGlite give these no code. */
const CONNECTION_MESSAGES =
  /Connection terminated|connection error and is not queryable|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after|driver has already been destroyed|PGlite is clos/i

/** A standby or a session that takes no writes. */
const READ_ONLY = '25006'

/**
 * The server answers, but cannot do this now: full disk, no memory, too many connections (53), a lock or a statement that
 * takes too long (55P03, 57014), a deadlock or a conflict (40), a standby that takes no writes (25006), a state in which it
 * does not do this (55000), a failing disk (58030).
 */
const BUSY_CODES = /^(53|55P03|55000|57014|40001|40P01|25006|58030)/

/** The operator's making: a login that is refused or of another password (28), a privilege that was taken away (42501). */
const ACCESS_CODES = /^(28|42501)/

const said = (error: unknown): { code: string; message: string } => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return { code: typeof code === 'string' ? code : '', message: typeof message === 'string' ? message : '' }
}

/**
 * True when the connection is gone or its state unknown: a lost socket, a session that the server ended, a time limit of
 * ours that passed while the server said nothing. Whether the last statement was done is then unknown too.
 */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = said(error)
  return CONNECTION_CODES.test(code) || CONNECTION_MESSAGES.test(message)
}

/** True when the database does not let us in or not do this: no waiting mends it, but somebody can. */
export const isAccessRefused = (error: unknown): boolean => ACCESS_CODES.test(said(error).code)

/** True when the database is away, overloaded or closed to us: the same request may succeed later. */
export const isDatabaseAway = (error: unknown): boolean =>
  isConnectionLost(error) || isAccessRefused(error) || BUSY_CODES.test(said(error).code)

/** True when the database may come back by itself. */
export const isWorthWaiting = (error: unknown): boolean => isDatabaseAway(error) && !isAccessRefused(error)

/**
 * True when a session may be used after this error: the server itself answered, and it goes on. Anything else (a lost
 * socket, a time limit of ours, a message that could not be read) leaves it in an unknown state. A session that takes no
 * writes may stay so when the database takes them again: the setting of its role, or the server that is a standby now.
 */
export const isSessionUsable = (error: unknown): boolean =>
  error instanceof DatabaseError && !isConnectionLost(error) && error.code !== READ_ONLY

/**
 * A transaction went on after one of its statements had failed, and reached its COMMIT. PostgreSQL answers that with the
 * tag ROLLBACK instead of an error, and nothing is stored: without this error the caller would report a success.
 */
export class CommitRefused extends Error {
  override name = 'CommitRefused'
  constructor() {
    super('the transaction had failed before its commit: nothing was stored')
  }
}
