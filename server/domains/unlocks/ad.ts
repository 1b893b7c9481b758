import type { Req, Res } from '@/contract/types'
import { AppError, invalid, reportNotFound } from '../../core/app-error'
import { chinaDayStart } from '../../core/clock'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { miniProgramUser, wechatOwner } from '../accounts/login/wechat'
import { selectOwnOrder } from '../orders/own-order'
import { unlockReport } from '../orders/unlock-report'
import { CLOCK_TOLERANCE_MS } from '../shared/due'
import { lockUser } from '../shared/locks'
import { newId } from '../shared/secrets'
import { adUnitOf } from './availability'
import { isLocked, isUnlocked } from './view'

/** ms from permission to the end of the ad, and ads per user and day */
const WATCH_WITHIN = 5 * 60_000
const MAX_PER_DAY = 5
/**
 * ms: WeChat's rewarded ads last 6 to 60 s, so a shorter one was not watched. WeChat reports the end of an ad to the
 * app only; this check, the daily limit and a login code of the account's own WeChat are all that a server can verify.
 */
const SHORTEST_AD = 5_000

const orderOf = (db: Db, userId: string, orderId: string) =>
  selectOwnOrder(db, userId, orderId)
    .select(['id', 'status', 'reported_at'])
    .where('mode', '=', 'AI')
    .executeTakeFirstOrThrow(reportNotFound)

/** Returns an unused permission again, so that an ad that failed to load does not count towards the daily limit. */
async function nonceOf(tx: Db, userId: string, orderId: string, now: number): Promise<string> {
  const unused = await tx
    .updateTable('ad_nonces')
    .set({ expire_at: now + WATCH_WITHIN })
    .where('user_id', '=', userId)
    .where('order_id', '=', orderId)
    .where('used_at', 'is', null)
    .where('expire_at', '>', now)
    .returning('nonce')
    .executeTakeFirst()
  if (unused) return unused.nonce
  if ((await today(tx, userId, now)) >= MAX_PER_DAY)
    throw new AppError('HELP_LIMIT', { msg: '今日看广告次数已用完，可用其他方式' })
  const nonce = newId()
  await tx
    .insertInto('ad_nonces')
    .values({ nonce, user_id: userId, order_id: orderId, issued_at: now, expire_at: now + WATCH_WITHIN, used_at: null })
    .execute()
  return nonce
}

async function today(tx: Db, userId: string, now: number): Promise<number> {
  const { n } = await tx
    .selectFrom('ad_nonces')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('issued_at', '>=', chinaDayStart(now))
    .where('issued_at', '<=', now + CLOCK_TOLERANCE_MS)
    .executeTakeFirstOrThrow()
  return n
}

/**
 * Permission to unlock a report by watching an ad: the ad unit and a one-time nonce, valid for five minutes.
 * @throws AppError NOT_FOUND, NOT_OPEN_YET (no ads here), ORDER_STATUS_CHANGED (nothing to unlock), HELP_LIMIT (5 a
 * day)
 */
export async function adUnitId(ctx: UserCtx, req: Req<'pay', 'adUnitId'>): Promise<Res<'pay', 'adUnitId'>> {
  const { db, userId, clock } = ctx
  const now = clock.now()
  const order = await orderOf(db, userId, req.orderId)
  const unit = req.platform === ctx.platform ? adUnitOf(ctx, ctx.platform) : undefined
  if (unit === undefined) throw new AppError('NOT_OPEN_YET', { msg: '暂无广告，可用其他方式' })
  if (!isLocked(order, now)) throw new AppError('ORDER_STATUS_CHANGED', { msg: '这份报告现在不需要解锁' })
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const nonce = await nonceOf(tx, userId, order.id, now)
    return { adUnitId: unit, nonce, left: MAX_PER_DAY - (await today(tx, userId, now)) }
  })
}

const use = (tx: Db, userId: string, nonce: string, now: number) =>
  tx
    .updateTable('ad_nonces')
    .set({ used_at: now })
    .where('nonce', '=', nonce)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expire_at', '>', now)
    .returning('nonce')
    .executeTakeFirst()

/**
 * Requires that the account's own WeChat watched, or one without an account, because an account of the mini-program needs
 * no WeChat.
 * @returns key of the limit of a WeChat without an account
 * @throws AppError VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
async function requireOwnWechat(ctx: UserCtx, loginCode: string | undefined): Promise<string | undefined> {
  const viewer = await miniProgramUser(ctx, loginCode, '请在微信小程序中观看广告')
  const owner = await wechatOwner(ctx.db, viewer)
  if (owner === ctx.userId) return undefined
  if (owner) throw invalid([{ path: 'loginCode', msg: '这个微信属于另一个账号，请用本账号的微信观看广告' }])
  return ctx.encryption.hashes(`${viewer.appId}:${viewer.openid}`)[0]
}

/**
 * Handles the end of an ad. Only a completely watched ad unlocks; closing it early or too short a duration keeps the
 * permission valid.
 * @throws AppError NOT_FOUND (no such nonce of this user and order), HELP_EXPIRED (expired or used),
 * ORDER_STATUS_CHANGED, VALIDATION_FAILED (not from the mini-program, or another account's WeChat), HELP_LIMIT,
 * SERVICE_UNAVAILABLE
 */
export async function adUnlock(ctx: UserCtx, req: Req<'pay', 'adUnlock'>): Promise<Res<'pay', 'adUnlock'>> {
  const { db, userId, clock } = ctx
  const now = clock.now()
  const order = await orderOf(db, userId, req.orderId)
  const mine = await db
    .selectFrom('ad_nonces')
    .select('expire_at')
    .where('nonce', '=', req.nonce)
    .where('user_id', '=', userId)
    .where('order_id', '=', order.id)
    .executeTakeFirst()
  if (!mine) throw new AppError('NOT_FOUND', { msg: '广告凭证无效，请重新观看' })
  // a retry after a lost response, or the report was unlocked in another way meanwhile
  if (isUnlocked(order)) return { unlocked: true }
  const watched = now - (mine.expire_at - WATCH_WITHIN)
  if (req.isEnded !== true || watched < SHORTEST_AD) return { unlocked: false }
  // the sandbox's WeChat accepts any code, so it is not asked
  const limited = ctx.settings.wechatLogin.mini ? await requireOwnWechat(ctx, req.loginCode) : undefined
  if (limited && !(await ctx.limits.take('ad', limited)))
    throw new AppError('HELP_LIMIT', { msg: '这个微信今天看广告次数已用完，可用其他方式' })
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const used = await use(tx, userId, req.nonce, now)
    if (used && (await unlockReport(tx, { orderId: order.id, by: 'AD', now, actor: `user:${userId}` }))) return
    // a concurrent request or payment has unlocked it
    if (isUnlocked(await orderOf(tx, userId, order.id))) return
    if (used) throw new AppError('ORDER_STATUS_CHANGED', { msg: '这份报告现在不需要解锁' })
    throw new AppError('HELP_EXPIRED', { msg: '广告凭证已过期，请重新观看' })
  })
  return { unlocked: true }
}
