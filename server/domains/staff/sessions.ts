import { type RawBuilder, sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import { AppError, invalid } from '../../core/app-error'
import type { Deps } from '../../core/context'
import { hashPassword, verifyPassword } from '../../core/password-hash'
import type { Db } from '../../db/database'
import { dummyHash } from '../accounts/login/password'
import { clearAttempts, countAttempt, returnAttempt } from '../accounts/login/password-attempts'
import { unfinishedOf } from '../orders/appraising/workload'
import { networkHashesOf } from '../shared/network'
import { newToken, sha256 } from '../shared/secrets'
import { type DeskRole, deskRoles, loginName, staffPasswordIssue } from './accounts'
import { logDesk } from './log'

/** ms a desk session lasts: a working day */
export const DESK_SESSION = 12 * HOUR_MS
/** Wrong passwords per quarter of an hour: per name and network, so guesses from elsewhere do not lock the owner out. */
const MAX_FAILED = 5
const MAX_FAILED_PER_NETWORK = 30
const MAX_FAILED_PER_NAME = 100

/** A signed-in member of the staff. */
export interface DeskStaff {
  staffId: string
  login: string
  role: DeskRole
  nick: string
  no: string
  years: number
  mustChange: boolean
  sandbox: boolean
  /** games whose orders they serve; none = all */
  gameIds: readonly string[]
}

/** Accounts that may sign in: sandbox accounts only in the sandbox, even if they exist in the database. */
const members = ({ db, settings }: Pick<Deps, 'settings'> & { db: Db }) =>
  db
    .selectFrom('staff_logins')
    .innerJoin('staff', 'staff.staff_id', 'staff_logins.staff_id')
    .where('staff.active', '=', true)
    .where('staff.role', 'in', [...deskRoles])
    .$if(!settings.sandbox, (q) => q.where('staff.sandbox', '=', false))

/**
 * Locks the login's rows if its password hash is still the verified one and the account is open: a concurrent reset or
 * closing is either seen here, or waits and ends the new session too.
 */
async function lockIfPasswordIs(deps: Deps, tx: Db, staffId: string, hash: string): Promise<boolean> {
  const row = await members({ ...deps, db: tx })
    .select('staff_logins.staff_id')
    .where('staff_logins.staff_id', '=', staffId)
    .where('staff_logins.password_hash', '=', hash)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Signs in. Unknown name, closed account and wrong password have the same answer and timing.
 * @returns the token for the cookie; only its SHA-256 is stored
 * @throws AppError PWD_WRONG, ACCOUNT_LOCKED
 */
export async function signIn(deps: Deps, given: { name: string; password: string; ip: string }): Promise<string> {
  const { db, clock, encryption } = deps
  const now = clock.now()
  const name = loginName(given.name).slice(0, 40)
  const [net] = networkHashesOf({ encryption, ip: given.ip })
  const [here, perNet, perName] = [`desk:${name}@${net}`, `desk-ip:${net}`, `desk:${name}`]
  await countAttempt(db, perNet, MAX_FAILED_PER_NETWORK, now)
  await countAttempt(db, here, MAX_FAILED, now)
  await countAttempt(db, perName, MAX_FAILED_PER_NAME, now)
  const row = await members(deps)
    .select(['staff_logins.staff_id', 'staff_logins.password_hash'])
    .where('staff_logins.name', '=', name)
    .executeTakeFirst()
  const right = await verifyPassword(row?.password_hash ?? (await dummyHash), given.password)
  const wrong = () => new AppError('PWD_WRONG', { msg: '登录名或密码不正确' })
  if (!row || !right) throw wrong()
  const token = newToken()
  await db.transaction().execute(async (tx) => {
    if (!(await lockIfPasswordIs(deps, tx, row.staff_id, row.password_hash))) throw wrong()
    await clearAttempts(tx, here)
    for (const shared of [perNet, perName]) await returnAttempt(tx, shared)
    await tx
      .insertInto('staff_sessions')
      .values({ token_hash: sha256(token), staff_id: row.staff_id, created_at: now, expires_at: now + DESK_SESSION })
      .execute()
    await logDesk(tx, { staffId: row.staff_id, action: 'LOGIN', now })
  })
  return token
}

/** ms: resolution of a session's last use */
const LAST_SEEN_RESOLUTION_MS = 60_000
/** ms without a request after which a member counts as absent; the desk's pages poll continuously */
const PRESENCE_TIMEOUT_MS = 5 * 60_000

/** Whether this member is at the desk now. */
export async function isPresent({ db, clock }: Deps, staffId: string): Promise<boolean> {
  const now = clock.now()
  const row = await db
    .selectFrom('staff_sessions')
    .select('staff_id')
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', now)
    .where((e) => e.or([e('seen_at', '>', now - PRESENCE_TIMEOUT_MS), e('created_at', '>', now - PRESENCE_TIMEOUT_MS)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** SQL over `staff`: an appraiser at the desk now who may value this game. */
export const isActiveFor = ({ settings }: Pick<Deps, 'settings'>, gameId: RawBuilder<string>, now: number) =>
  sql<boolean>`(staff.active and staff.role = 'APPRAISER' and (not staff.sandbox or ${settings.sandbox}::boolean)
    and (staff.game_ids = '[]'::jsonb or staff.game_ids ? ${gameId})
    and exists (select from staff_sessions s where s.staff_id = staff.staff_id and s.expires_at > ${now}::bigint
      and greatest(s.seen_at, s.created_at) > ${now - PRESENCE_TIMEOUT_MS}::bigint))`

/**
 * Appraisers at the desk now who may value this game, the one with the fewest unfinished orders first. Those at their
 * limit are not left out: an order that nobody else can value in time is better with them than with nobody.
 * @param but staff ids left out
 */
export async function activeAppraisers(base: Deps, gameId: string, but: readonly string[], now: number) {
  return base.db
    .selectFrom('staff')
    .select(['staff_id as staffId', 'nick'])
    .where(isActiveFor(base, sql<string>`${gameId}::text`, now))
    .$if(but.length > 0, (q) => q.where('staff_id', 'not in', but))
    .orderBy(unfinishedOf(sql`staff.staff_id`))
    .orderBy('no')
    .execute()
}

/** The member of a session cookie; undefined when it is unknown or expired, or the account closed. */
export async function staffOf(deps: Deps, token: string): Promise<DeskStaff | undefined> {
  if (!/^[\w-]{20,100}$/.test(token)) return undefined
  const now = deps.clock.now()
  const row = await members(deps)
    .innerJoin('staff_sessions', 'staff_sessions.staff_id', 'staff.staff_id')
    .select(['staff.staff_id', 'staff.role', 'staff.nick', 'staff.no', 'staff.years', 'staff.sandbox'])
    .select('staff.game_ids')
    .select(['staff_logins.name', 'staff_logins.must_change', 'staff_sessions.seen_at'])
    .where('staff_sessions.token_hash', '=', sha256(token))
    .where('staff_sessions.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  if ((row.seen_at ?? 0) < now - LAST_SEEN_RESOLUTION_MS)
    await deps.db.updateTable('staff_sessions').set({ seen_at: now }).where('token_hash', '=', sha256(token)).execute()
  const { staff_id: staffId, nick, no, years, sandbox, must_change: mustChange, game_ids: gameIds } = row
  return { staffId, login: row.name, role: row.role as DeskRole, nick, no, years, mustChange, sandbox, gameIds }
}

export const signOut = (db: Db, token: string) =>
  db.deleteFrom('staff_sessions').where('token_hash', '=', sha256(token)).execute()

/**
 * Changes a member's own password; ends all other sessions of the account.
 * @throws AppError PWD_WRONG, ACCOUNT_LOCKED, VALIDATION_FAILED
 */
export async function changePassword(
  deps: Deps,
  staff: DeskStaff,
  given: { old: string; password: string; token: string },
): Promise<void> {
  const { db, clock } = deps
  const now = clock.now()
  const msg = staffPasswordIssue(given.password)
  if (msg) throw invalid([{ path: 'password', msg }])
  if (given.password === given.old) throw invalid([{ path: 'password', msg: '新密码不能与原密码相同' }])
  const own = `desk-own:${staff.staffId}`
  await countAttempt(db, own, MAX_FAILED, now)
  const { password_hash } = await db
    .selectFrom('staff_logins')
    .select('password_hash')
    .where('staff_id', '=', staff.staffId)
    .executeTakeFirstOrThrow()
  const wrong = () => new AppError('PWD_WRONG', { msg: '原密码不正确' })
  if (!(await verifyPassword(password_hash, given.old))) throw wrong()
  const next = await hashPassword(given.password)
  await db.transaction().execute(async (tx) => {
    if (!(await lockIfPasswordIs(deps, tx, staff.staffId, password_hash))) throw wrong()
    await clearAttempts(tx, own)
    await tx
      .updateTable('staff_logins')
      .set({ password_hash: next, must_change: false })
      .where('staff_id', '=', staff.staffId)
      .execute()
    await tx
      .deleteFrom('staff_sessions')
      .where('staff_id', '=', staff.staffId)
      .where('token_hash', '<>', sha256(given.token))
      .execute()
    await logDesk(tx, { staffId: staff.staffId, action: 'PASSWORD', now })
  })
}
