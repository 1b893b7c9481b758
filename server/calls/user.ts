import { maskMobile } from '@/contract/mask'
import type { UserInfo } from '@/contract/types'
import { AppError, invalid } from '../app-error'
import type { OpenCtx } from '../context'
import { sessionQuery } from '../db/precompiled-query'
import { withdrawConsent } from '../domains/followups/withdraw-consent'
import { badges, messages } from '../domains/notifications/list'
import { staffOfOrder } from '../domains/staff/staff'
import { checkLoginOff, loginOff } from '../domains/users/account-deletion'
import { feedbackList, submitFeedback } from '../domains/users/feedback'
import { channelLinks } from '../domains/users/marketplace-links'
import { passwordLogin, resetPassword, updatePassword } from '../domains/users/password'
import { realNameAuth, realNameInfo } from '../domains/users/real-name'
import { endSessions } from '../domains/users/revoke-access'
import { createSession, devicesOf } from '../domains/users/sessions'
import { updateSettings } from '../domains/users/settings'
import { mobileOf, sendCode, withVerifiedCode } from '../domains/users/sms'
import { matchUser, miniAppLogin, queryBind, socialLogin } from '../domains/users/wechat'
import type { Handlers } from './handlers'

const SCENE_LOGIN = 1

/** Empty when not logged in; no validator accepts it. @throws AppError VALIDATION_FAILED for an account without one */
async function ownMobile(ctx: OpenCtx): Promise<string> {
  const userId = await ctx.viewer()
  if (!userId) return ''
  const row = await ctx.db.selectFrom('users').select('mobile').where('id', '=', userId).executeTakeFirst()
  if (row?.mobile === null) throw invalid([{ path: 'mobile', msg: '请先绑定手机号' }])
  return row?.mobile || ''
}

const rowOfUser = sessionQuery((db, { userId, now }: { userId: string; now: number }) => {
  const { unread, coupons } = badges(userId, now)
  return db
    .selectFrom('users')
    .leftJoin('real_names as r', 'r.user_id', 'users.id')
    .select(['nickname', 'avatar', 'mobile', 'password_hash', 'settings'])
    .select(['r.status', 'r.name_sealed', 'r.id_no_sealed', 'r.reason', 'r.tries', 'r.tries_on'])
    .select([unread.as('unread'), coupons.as('coupons')])
    .select((e) => e.exists(e.selectFrom('wechat_logins').select('openid').where('user_id', '=', userId)).as('wx'))
    .where('users.id', '=', userId)
})

async function userInfo(ctx: OpenCtx, { devices }: { devices?: boolean }): Promise<UserInfo> {
  const now = ctx.clock.now()
  const { session, rows } = await ctx.queryWithSession(rowOfUser, { now })
  const [row] = rows
  if (!row) throw new AppError('NOT_LOGGED_IN')
  const { userId } = session
  return {
    userId,
    nickname: row.nickname,
    avatar: row.avatar,
    mobileMasked: row.mobile === null ? '' : maskMobile(row.mobile),
    realName: realNameInfo(row, { encryption: ctx.encryption, userId, now }),
    hasPassword: row.password_hash !== null,
    wxBound: Boolean(row.wx),
    unread: row.unread,
    couponCount: row.coupons,
    settings: row.settings,
    ...(devices && { devices: await devicesOf(ctx.db, session, now) }),
  }
}

export const userHandlers: Handlers<'user'> = {
  login: passwordLogin,
  resetPassword,
  updatePassword,
  smsLogin: async (ctx, { mobile: text, code, inviteRecordId: invitedBy, bind }) => {
    const mobile = mobileOf(text)
    const nameless = bind ? await ctx.viewer() : undefined
    return withVerifiedCode(ctx, { mobile, scene: SCENE_LOGIN, code }, async (tx) => {
      const user = await matchUser(tx, ctx, { mobile, nameless, invitedBy })
      // the requesting device continues with the new token, other devices must log in again
      if (user.userId === nameless) await endSessions(tx, nameless)
      return { ...user, token: await createSession(tx, user.userId, ctx) }
    })
  },
  sendSmsCode: async (ctx, req) => sendCode(ctx, { ...req, mobile: req.mobile ?? (await ownMobile(ctx)) }),
  get: userInfo,
  queryWeixinMiniAppBind: queryBind,
  socialLogin,
  weixinMiniAppLogin: miniAppLogin,
  realNameAuth,
  messages,
  customerServiceByOrder: (ctx, { orderId }) => staffOfOrder(ctx, orderId),
  channelLinks,
  feedbackList,
  submitFeedback,
  loginOff,
  checkLoginOff,
  updateSettings: async (ctx, { withdraw, ...change }) => {
    if (withdraw) await withdrawConsent(ctx, withdraw)
    return updateSettings(ctx, change)
  },
}
