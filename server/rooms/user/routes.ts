import { maskMobile } from '@/contract/mask'
import type { UserInfo } from '@/contract/types'
import type { OpenCtx, UserCtx } from '../../context'
import type { Db } from '../../db/database'
import type { UserSettings } from '../../db/tables'
import { Refusal } from '../../refusal'
import { giveFor } from '../coupon/give'
import { type Handlers, notOpenYet } from '../handlers'
import { newId, randomDigits } from '../secrets'
import { staffOfOrder } from '../staff/staff'
import { feedbackList, submitFeedback } from './feedback'
import { checkLoginOff, hasLeft, loginOff } from './login-off'
import { badges, messages } from './messages'
import { passwordLogin, resetPassword, updatePassword } from './password'
import { realNameAuth, realNameInfo } from './real-name'
import { createSession, devicesOf, signOut } from './sessions'
import { mobileOf, sendCode, withCode } from './sms'

const SCENE_LOGIN = 1

/** Everything that tells others or us more about the user is off until switched on. */
const firstSettings: UserSettings = {
  pushReport: true,
  pushActivity: false,
  showAsExample: false,
  fontScale: 1,
  reduceMotion: false,
  personalised: false,
}

/** The user of a number, made on first sight. `invitedBy`: kept of a new one, if there is such a record. */
async function userOfMobile(
  tx: Db,
  mobile: string,
  { vault, clock }: Pick<OpenCtx, 'vault' | 'clock'>,
  invitedBy = '',
): Promise<{ userId: string; newUser: boolean }> {
  const now = clock.now()
  const made = await tx
    .insertInto('users')
    .values({
      id: newId(),
      mobile,
      nickname: `玩家${randomDigits(4)}`,
      avatar: '',
      settings: JSON.stringify(firstSettings),
      created_at: now,
      invited_by: tx.selectFrom('unlock_records').select('id').where('id', '=', invitedBy),
    })
    .onConflict((c) => c.column('mobile').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) {
    if (!(await hasLeft(tx, vault, mobile, now))) await giveFor(tx, 'NEWCOMER', made.id, now)
    return { userId: made.id, newUser: true }
  }
  const known = await tx.selectFrom('users').select('id').where('mobile', '=', mobile).executeTakeFirstOrThrow()
  return { userId: known.id, newUser: false }
}

/** Empty for nobody, which no rule takes for a number. */
async function ownMobile(ctx: OpenCtx): Promise<string> {
  const userId = await ctx.viewer()
  const row = userId && (await ctx.db.selectFrom('users').select('mobile').where('id', '=', userId).executeTakeFirst())
  return row ? row.mobile : ''
}

async function userRow({ db, userId, clock }: UserCtx) {
  const { unread, coupons } = badges(userId, clock.now())
  const row = await db
    .selectFrom('users')
    .leftJoin('real_names as r', 'r.user_id', 'users.id')
    .select(['nickname', 'avatar', 'mobile', 'password_hash', 'settings'])
    .select(['r.status', 'r.name_sealed', 'r.id_no_sealed', 'r.reason', 'r.tries', 'r.tries_on'])
    .select([unread.as('unread'), coupons.as('coupons')])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Refusal('NOT_LOGGED_IN')
  return row
}

async function userInfo(ctx: UserCtx, { devices }: { devices?: boolean }): Promise<UserInfo> {
  const row = await userRow(ctx)
  return {
    userId: ctx.userId,
    nickname: row.nickname,
    avatar: row.avatar,
    mobileMasked: maskMobile(row.mobile),
    realName: realNameInfo(row, { vault: ctx.vault, userId: ctx.userId, now: ctx.clock.now() }),
    hasPassword: row.password_hash !== null,
    wxBound: false,
    unread: row.unread,
    couponCount: row.coupons,
    settings: row.settings,
    ...(devices && { devices: await devicesOf(ctx.db, ctx, ctx.clock.now()) }),
  }
}

export const userHandlers: Handlers<'user'> = {
  login: passwordLogin,
  resetPassword,
  updatePassword,
  smsLogin: (ctx, { mobile: text, code, inviteRecordId }) => {
    const mobile = mobileOf(text)
    return withCode(ctx, { mobile, scene: SCENE_LOGIN, code }, async (tx) => {
      const user = await userOfMobile(tx, mobile, ctx, inviteRecordId)
      return { ...user, token: await createSession(tx, user.userId, ctx) }
    })
  },
  sendSmsCode: async (ctx, { mobile, scene }) => sendCode(ctx, mobile ?? (await ownMobile(ctx)), scene),
  get: userInfo,
  queryWeixinMiniAppBind: notOpenYet,
  socialLogin: notOpenYet,
  weixinMiniAppLogin: notOpenYet,
  realNameAuth,
  messages,
  customerServiceByOrder: (ctx, { orderId }) => staffOfOrder(ctx, orderId),
  channelLinks: notOpenYet,
  feedbackList,
  submitFeedback,
  loginOff,
  checkLoginOff,
  updateSettings: async (ctx, { signOut: device, ...change }) => {
    if (device !== undefined) await signOut(ctx.db, ctx, device)
    const settings = { ...(await userRow(ctx)).settings, ...change }
    await ctx.db
      .updateTable('users')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', ctx.userId)
      .execute()
    return settings
  },
}
