import { randomBytes } from 'node:crypto'
import { passwordIssue } from '@/contract/rules'
import type { Login } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { OpenCtx, UserCtx } from '../../../core/context'
import { hashPassword, verifyPassword } from '../../../core/password-hash'
import type { Db } from '../../../db/database'
import { networkHashesOf } from '../../shared/network'
import { clearAttempts, countAttempt, deleteMobileAttempts, returnAttempt, runSequentially } from './password-attempts'
import { endSessions, revokeAccess } from './revoke-access'
import { createSession, lockIfPasswordIs } from './sessions'
import { mobileOf, withVerifiedCode } from './sms'

const SCENE_CHANGE = 3
const SCENE_RESET = 4
/** wrong passwords for one number from one network */
const MAX_FAILED_PER_MOBILE_AND_NETWORK = 5
/**
 * wrong passwords for one number from all networks; one network alone cannot reach it, so a stranger cannot lock the
 * owner out
 */
const MAX_FAILED_PER_MOBILE = 50
/** limit for all numbers from one network, which may be a whole campus; an IPv6 /64 counts as one */
const MAX_FAILED_PER_NETWORK = 50

/** Hash of a random password, verified when there is no user or no password, so that timing reveals nothing. */
export const dummyHash = hashPassword(randomBytes(32))

/** @throws AppError VALIDATION_FAILED */
function requireFitting(password: string, mobile: string): void {
  const issue = passwordIssue(password, mobile)
  if (issue) throw invalid([{ path: 'password', msg: issue }])
}

/**
 * Verifies a password, then runs `then` in a transaction in which it is still the user's password.
 * @throws AppError PWD_WRONG (also for an unknown number, and when the password was changed meanwhile), ACCOUNT_LOCKED
 */
export async function withPassword<T>(
  ctx: OpenCtx,
  mobile: string,
  password: string,
  then: (tx: Db, userId: string) => Promise<T>,
): Promise<T> {
  const [net] = networkHashesOf(ctx)
  const [here, address] = [`${mobile}@${net}`, `ip:${net}`]
  return runSequentially(here, () => attempt(ctx, { mobile, password, here, address }, then))
}

interface Attempt {
  mobile: string
  password: string
  /** keys of the counters of this number in this network, and of the network */
  here: string
  address: string
}

async function attempt<T>(
  ctx: OpenCtx,
  { mobile, password, here, address }: Attempt,
  then: (tx: Db, userId: string) => Promise<T>,
): Promise<T> {
  const now = ctx.clock.now()
  await countAttempt(ctx.db, address, MAX_FAILED_PER_NETWORK, now)
  await countAttempt(ctx.db, here, MAX_FAILED_PER_MOBILE_AND_NETWORK, now)
  await countAttempt(ctx.db, mobile, MAX_FAILED_PER_MOBILE, now)
  const user = await ctx.db
    .selectFrom('users')
    .select(['id', 'password_hash'])
    .where('mobile', '=', mobile)
    .executeTakeFirst()
  const right = await verifyPassword(user?.password_hash ?? (await dummyHash), password)
  // accounts created by SMS code have no password
  const hash = user?.password_hash
  if (!user || !hash || !right) throw new AppError('PWD_WRONG')
  const done = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockIfPasswordIs(tx, user.id, hash))) throw new AppError('PWD_WRONG')
    return then(tx, user.id)
  })
  await Promise.all([clearAttempts(ctx.db, here), returnAttempt(ctx.db, mobile), returnAttempt(ctx.db, address)])
  return done
}

/** @throws AppError PWD_WRONG, ACCOUNT_LOCKED, VALIDATION_FAILED */
export async function passwordLogin(ctx: OpenCtx, req: { mobile: string; password: string }): Promise<Login> {
  return withPassword(ctx, mobileOf(req.mobile), req.password, async (tx, userId) => ({
    token: await createSession(tx, userId, ctx),
    userId,
    newUser: false,
  }))
}

/**
 * Sets a new password after an SMS code, and revokes all access (`revokeAccess`), because the old one may have leaked.
 * @throws AppError VALIDATION_FAILED, SMS_CODE_WRONG, SMS_CODE_EXPIRED, NOT_FOUND (only revealed to the phone's holder)
 */
export async function resetPassword(
  ctx: OpenCtx,
  req: { mobile: string; code: string; password: string },
): Promise<true> {
  const mobile = mobileOf(req.mobile)
  requireFitting(req.password, mobile)
  const done = await withVerifiedCode(ctx, { mobile, scene: SCENE_RESET, code: req.code }, async (tx) => {
    const ofMobile = tx.selectFrom('users').select('id').where('mobile', '=', mobile)
    const user = await ofMobile.forNoKeyUpdate().executeTakeFirst()
    // returned, not thrown: a rollback would make the code valid again
    if (!user) return false
    // the hash comes last: it costs 19 MiB and tens of ms, and anybody can send a wrong code
    const password_hash = await hashPassword(req.password)
    await tx.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
    await revokeAccess(tx, { userId: user.id, now: ctx.clock.now() })
    await deleteMobileAttempts(tx, mobile)
    return true
  })
  if (!done) throw new AppError('NOT_FOUND', { msg: '该手机号还没有注册，请直接用验证码登录' })
  return true
}

/**
 * Sets or changes the password of a logged-in user, confirmed by the old one or an SMS code; other devices are signed
 * out. A change also unlinks WeChat (`revokeAccess`); a first password does not, because there is no old one that
 * others might know.
 * @throws AppError PWD_WRONG, ACCOUNT_LOCKED, SMS_CODE_WRONG, SMS_CODE_EXPIRED, VALIDATION_FAILED
 */
export async function updatePassword(
  ctx: UserCtx,
  req: { oldPassword?: string; code?: string; password: string },
): Promise<true> {
  const { db, userId, sessionId, clock } = ctx
  const user = db.selectFrom('users').select(['mobile', 'password_hash']).where('id', '=', userId)
  const { mobile, password_hash: old } = await user.executeTakeFirstOrThrow()
  if (mobile === null) throw invalid([{ path: 'password', msg: '请先绑定手机号，再设置密码' }])
  requireFitting(req.password, mobile)
  const change = async (tx: Db): Promise<true> => {
    const password_hash = await hashPassword(req.password)
    await tx.updateTable('users').set({ password_hash }).where('id', '=', userId).execute()
    if (old === null) await endSessions(tx, userId, sessionId)
    else await revokeAccess(tx, { userId, except: sessionId, now: clock.now() })
    return true
  }
  if (req.code !== undefined) return withVerifiedCode(ctx, { mobile, scene: SCENE_CHANGE, code: req.code }, change)
  if (req.oldPassword === undefined) throw invalid([{ path: 'oldPassword', msg: '请输入原密码，或改用短信验证码' }])
  return withPassword(ctx, mobile, req.oldPassword, change)
}
