import { socialTypes } from '@/contract/labels'
import { maskMobile } from '@/contract/mask'
import { SETTINGS_PAGE } from '@/contract/pages'
import type { Login, Req, Res } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { OpenCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { WechatRejected, WechatUnavailable, type WechatUser } from '../../../providers/wechat/port'
import { lockName, lockUsers } from '../../shared/locks'
import { networkHashesOf } from '../../shared/network'
import { pageLink } from '../../shared/page-link'
import { mergeUsers } from '../merge'
import { notify } from '../notifications/send'
import { assignMobile, type MatchedUser, makeUser, userIdOf, userOfMobile } from './find-user'
import { createSession } from './sessions'

/** Calls WeChat and maps its errors to those of the contract. */
async function callWechat<T>(ctx: OpenCtx, call: () => Promise<T>): Promise<T> {
  await ctx.limits.enforce('wechat', networkHashesOf(ctx)[0])
  try {
    return await call()
  } catch (err) {
    if (err instanceof WechatRejected) throw new AppError('WECHAT_REFUSED', err.why ? { msg: err.why } : {})
    if (!(err instanceof WechatUnavailable)) throw err
    ctx.log.warn({ err }, 'WeChat could not be asked')
    throw new AppError('SERVICE_UNAVAILABLE', { msg: '微信登录繁忙，请稍后再试或用手机号登录' })
  }
}

/** The account of a WeChat user: by the app's openid, else by the operator's unionid. */
export async function wechatOwner(db: Db, { appId, openid, unionid }: WechatUser): Promise<string | undefined> {
  const rows = await db
    .selectFrom('wechat_logins')
    .select(['user_id', 'app_id', 'openid'])
    .where((e) =>
      e.or([
        e.and([e('app_id', '=', appId), e('openid', '=', openid)]),
        ...(unionid ? [e('unionid', '=', unionid)] : []),
      ]),
    )
    .orderBy('created_at')
    .execute()
  return (rows.find((row) => row.app_id === appId && row.openid === openid) ?? rows[0])?.user_id
}

/** Links this WeChat user to the account. */
async function point(tx: Db, { appId, openid, unionid }: WechatUser, userId: string, now: number): Promise<void> {
  await tx
    .insertInto('wechat_logins')
    .values({ app_id: appId, openid, user_id: userId, unionid: unionid ?? null, created_at: now })
    .onConflict((c) => c.columns(['app_id', 'openid']).doUpdateSet({ user_id: userId, unionid: unionid ?? null }))
    .execute()
  if (unionid) await tx.updateTable('wechat_logins').set({ user_id: userId }).where('unionid', '=', unionid).execute()
}

const holdWechat = (tx: Db, { appId, openid, unionid }: WechatUser) =>
  lockName(tx, `wechat:${unionid ?? `${appId}:${openid}`}`)

/**
 * Locks the account of a WeChat user and that of the caller. Looked up again under the lock, because a new password or
 * number or a cancellation may have unlinked it meanwhile, or a merge moved it.
 */
async function lockOwner(tx: Db, who: WechatUser, caller: string | undefined): Promise<string | undefined> {
  for (;;) {
    const owner = await wechatOwner(tx, who)
    const ids = [...new Set([owner, caller].flatMap((id) => id ?? []))]
    // two accounts are merged
    if (ids.length > 0) await lockUsers(tx, ids, ids.length > 1 ? 'REMOVE' : 'CHANGE')
    if ((await wechatOwner(tx, who)) === owner) return owner
  }
}

/**
 * Informs the owner, because somebody with temporary access to a session could keep the account by binding a WeChat. An
 * account without a number gets no advice to set a password, which it cannot do.
 */
async function notifyBound(tx: Db, userId: string, now: number): Promise<void> {
  const user = await tx.selectFrom('users').select('mobile').where('id', '=', userId).executeTakeFirst()
  const remedy = user?.mobile ? '请立即修改密码，微信会随之解绑，其他设备会退出登录。' : '请立即联系客服。'
  const summary = `已为您的账号绑定微信，今后可以用它登录。如果不是您本人操作，${remedy}`
  const link = pageLink(SETTINGS_PAGE)
  await notify(tx, { userId, type: 'SYSTEM', title: '已绑定微信', summary, bizType: 'SYSTEM', link, now })
}

const entered = async (tx: Db, ctx: OpenCtx, { userId, newUser }: MatchedUser): Promise<Login> => ({
  token: await createSession(tx, userId, ctx),
  userId,
  newUser,
})

/** Whether this WeChat has an account here. @throws AppError WECHAT_REFUSED, SERVICE_UNAVAILABLE */
export async function queryBind(
  ctx: OpenCtx,
  { loginCode }: { loginCode: string },
): Promise<Res<'user', 'queryWeixinMiniAppBind'>> {
  const userId = await wechatOwner(ctx.db, await callWechat(ctx, () => ctx.providers.wechat.session(loginCode)))
  if (!userId) return { bound: false }
  const user = await ctx.db.selectFrom('users').select('mobile').where('id', '=', userId).executeTakeFirst()
  return { bound: true, userId, ...(user?.mobile && { mobileMasked: maskMobile(user.mobile) }) }
}

/**
 * Logs in by WeChat alone; a new user gets an account without a number. `state` belongs to the client, which compares
 * the returned value with the one it sent (protection against login CSRF).
 * @throws AppError WECHAT_REFUSED, SERVICE_UNAVAILABLE, NOT_LOGGED_IN: the session to bind to ended meanwhile
 */
export async function socialLogin(ctx: OpenCtx, req: Req<'user', 'socialLogin'>): Promise<Res<'user', 'socialLogin'>> {
  const { db, clock, encryption } = ctx
  const { wechat } = ctx.providers
  const caller = req.bind ? await ctx.viewer() : undefined
  const who = await callWechat(ctx, () =>
    req.type === socialTypes.WECHAT_WEB ? wechat.webUser(req.code) : wechat.session(req.code),
  )
  const now = clock.now()
  const login = await db.transaction().execute(async (tx) => {
    await holdWechat(tx, who)
    const owner = await lockOwner(tx, who, caller)
    // a session that was ended while WeChat was asked must not bind anything
    const viewer = caller && (await ctx.viewer(tx))
    if (caller && !viewer) throw new AppError('NOT_LOGGED_IN')
    // link to the logged-in account; an account that only this WeChat could open is merged into it
    if (viewer && owner && owner !== viewer) await mergeUsers(tx, { from: owner, into: viewer, encryption, now })
    const userId = viewer ?? owner ?? (await makeUser(tx, ctx, null))
    const found = await entered(tx, ctx, { userId, newUser: !viewer && !owner })
    await point(tx, who, userId, now)
    if (viewer && owner !== viewer) await notifyBound(tx, viewer, now)
    return found
  })
  return { ...login, openid: who.openid }
}

/**
 * Authenticates a mini-program user: only WeChat's host issues a valid login code, so a browser posing as one is
 * refused.
 * @param wanted message when there is no code
 * @throws AppError VALIDATION_FAILED: no code, or a used one · SERVICE_UNAVAILABLE: WeChat does not answer
 */
export async function miniProgramUser({ providers: { wechat } }: OpenCtx, code: string | undefined, wanted: string) {
  const again = (msg: string) => invalid([{ path: 'loginCode', msg }])
  if (!code) throw again(wanted)
  try {
    return await wechat.session(code)
  } catch (err) {
    if (err instanceof WechatRejected) throw again('微信登录已失效，请重试')
    if (err instanceof WechatUnavailable) throw new AppError('SERVICE_UNAVAILABLE', { msg: '微信登录繁忙，请稍后再试' })
    throw err
  }
}

/**
 * The account of a verified number for a caller who may have an account without one: that account gets the number, or
 * is merged into the number's account.
 */
export async function matchUser(
  tx: Db,
  by: OpenCtx,
  {
    mobile,
    userWithoutMobile,
    invitedBy,
  }: { mobile: string; userWithoutMobile: string | undefined; invitedBy?: string | undefined },
): Promise<MatchedUser> {
  if (!userWithoutMobile) return userOfMobile(tx, by, mobile, invitedBy)
  await lockName(tx, `mobile:${mobile}`)
  const holder = await userIdOf(tx, mobile)
  // locks both at once: a concurrent merge of the same two would lock them in the opposite order
  const rows = await lockUsers(tx, holder ? [userWithoutMobile, holder] : [userWithoutMobile], 'REMOVE')
  const row = rows.find(({ id }) => id === userWithoutMobile)
  if (!row || row.mobile !== null) return userOfMobile(tx, by, mobile, invitedBy)
  const owner = await assignMobile(tx, by, userWithoutMobile, mobile)
  if (owner !== userWithoutMobile)
    await mergeUsers(tx, { from: userWithoutMobile, into: owner, encryption: by.encryption, now: by.clock.now() })
  return { userId: owner, newUser: false }
}

/**
 * Quick login of the mini-program: WeChat proves user and number at once.
 * @throws AppError WECHAT_REFUSED, SERVICE_UNAVAILABLE
 */
export async function miniAppLogin(ctx: OpenCtx, req: Req<'user', 'weixinMiniAppLogin'>): Promise<Login> {
  const [who, mobile] = await callWechat(ctx, () =>
    Promise.all([ctx.providers.wechat.session(req.loginCode), ctx.providers.wechat.phone(req.phoneCode)]),
  )
  return ctx.db.transaction().execute(async (tx) => {
    await holdWechat(tx, who)
    const found = await matchUser(tx, ctx, { mobile, userWithoutMobile: await wechatOwner(tx, who) })
    const login = await entered(tx, ctx, found)
    await point(tx, who, found.userId, ctx.clock.now())
    return login
  })
}
