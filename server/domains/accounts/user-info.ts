import { maskMobile } from '@/contract/mask'
import type { UserInfo } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { OpenCtx } from '../../core/context'
import { sessionQuery } from '../../db/precompiled-query'
import { devicesOf } from './login/sessions'
import { badges } from './notifications/list'
import { realNameInfo } from './real-name'
import { sharedPricesOf } from './reporter-hashes'

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

/** The caller's account as the app shows it. @throws AppError NOT_LOGGED_IN */
export async function userInfo(ctx: OpenCtx, { devices }: { devices?: boolean }): Promise<UserInfo> {
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
    ...(devices && {
      devices: await devicesOf(ctx.db, session, now),
      sharedPrices: await sharedPricesOf(ctx.db, ctx.encryption, userId),
    }),
  }
}
