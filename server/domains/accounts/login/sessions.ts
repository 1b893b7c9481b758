import { DAY_MS, HOUR_MS } from '@/contract/time'
import type { Device } from '@/contract/types'
import { AppError } from '../../../core/app-error'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import { precompiledQuery, type SessionQuery } from '../../../db/precompiled-query'
import { lockUsers } from '../../shared/locks'
import { newId, newToken, sha256 } from '../../shared/secrets'
import { revokeAccountDeletion } from '../account-deletion'
import { endSessions } from './revoke-access'
import type { Session, SessionRows } from './session'

/** session lifetime, ms */
const SESSION_TTL = 30 * DAY_MS
/** ms: resolution of "last seen", so that not every call writes a row */
const LAST_SEEN_RESOLUTION_MS = HOUR_MS

interface SignInContext {
  clock: { now(): number }
  /** name in the list of devices */
  device: string
}

/**
 * Creates a session. Only the token's SHA-256 is stored, so a leaked table gives no access.
 * @param tx a transaction; rolled back when the account no longer exists
 * @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT: the account was deleted or merged since it was found
 */
export async function createSession(tx: Db, userId: string, { clock, device }: SignInContext): Promise<string> {
  const [user] = await lockUsers(tx, [userId])
  if (!user || user.erased)
    throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: '账号刚刚注销或合并，请重新登录' })
  const token = newToken()
  const now = clock.now()
  await revokeAccountDeletion(tx, userId, now)
  await tx
    .insertInto('sessions')
    .values({
      token_hash: sha256(token),
      id: newId(),
      user_id: userId,
      device,
      created_at: now,
      seen_at: now,
      expires_at: now + SESSION_TTL,
    })
    .execute()
  return token
}

/**
 * Locks the user's row if its password hash is still the verified one. Verification takes tens of milliseconds outside
 * any transaction, so a reset may commit meanwhile. What the password authorises (a session, a new password) is written
 * in the caller's transaction: a reset is either seen here, or waits and ends that session too.
 * @param tx a transaction
 */
export async function lockIfPasswordIs(tx: Db, userId: string, hash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('password_hash', '=', hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the session has neither been ended nor expired. */
export async function isLive(db: Db, sessionId: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

interface StoredSession extends Session {
  seenAt: number
  expiresAt: number
}

const byToken = precompiledQuery((db, { hash }: { hash: string }) =>
  db.selectFrom('sessions').select(['id', 'user_id', 'seen_at', 'expires_at']).where('token_hash', '=', hash),
)

async function readSession(db: Db, hash: string): Promise<StoredSession | undefined> {
  const [row] = await byToken(db, { hash })
  return row && { userId: row.user_id, sessionId: row.id, seenAt: row.seen_at, expiresAt: row.expires_at }
}

const isToken = (text: string) => /^[\w-]{20,100}$/.test(text)

async function noteSeen(db: Db, { sessionId, seenAt, now }: { sessionId: string; seenAt: number; now: number }) {
  if (seenAt >= now - LAST_SEEN_RESOLUTION_MS) return
  await db.updateTable('sessions').set({ seen_at: now }).where('id', '=', sessionId).execute()
}

/**
 * Finds the session of a token; undefined when it is missing, unknown or expired. Read for each call: one that is
 * revoked anywhere must be rejected immediately.
 */
export async function findSession(db: Db, token: string, now: number): Promise<Session | undefined> {
  if (!isToken(token)) return undefined
  const session = await readSession(db, sha256(token))
  if (!session || session.expiresAt <= now) return undefined
  const { userId, sessionId, seenAt } = session
  await noteSeen(db, { sessionId, seenAt, now })
  return { userId, sessionId }
}

/**
 * Reads rows of the caller and finds the session in the same statement.
 * @throws AppError NOT_LOGGED_IN
 */
export async function queryWithSession<P extends object, R>(
  { db, clock }: Deps,
  token: string,
  read: SessionQuery<P, R>,
  parameters: P,
): Promise<SessionRows<R>> {
  const now = clock.now()
  const rows = isToken(token) ? await read(db, { ...parameters, tokenHash: sha256(token), now }) : []
  const [first] = rows
  if (!first) throw new AppError('NOT_LOGGED_IN')
  const { sessionUserId: userId, sessionId, sessionSeenAt: seenAt } = first
  await noteSeen(db, { sessionId, seenAt, now })
  return { session: { userId, sessionId }, rows: first.isFound ? rows : [] }
}

/** Ends this session, all others, or the one with the given id; another user's id has no effect. */
export async function signOut(db: Db, { userId, sessionId }: Session, which: string): Promise<void> {
  if (which === 'OTHERS') return endSessions(db, userId, sessionId)
  const id = which === 'THIS' ? sessionId : which
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '=', id).execute()
}

/** The user's sessions, newest first. */
export async function devicesOf(db: Db, { userId, sessionId }: Session, now: number): Promise<Device[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'device', 'created_at', 'seen_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .limit(20)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.device,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    current: row.id === sessionId,
  }))
}
