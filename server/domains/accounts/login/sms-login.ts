import type { Req, Res } from '@/contract/types'
import type { OpenCtx } from '../../../core/context'
import { endSessions } from './revoke-access'
import { createSession } from './sessions'
import { mobileOf, withVerifiedCode } from './sms'
import { matchUser } from './wechat'

const SCENE_LOGIN = 1

/**
 * Login by a code sent to a mobile number, which makes the account if there is none. With `bind` the number is added to
 * the caller's account without one.
 * @throws AppError VALIDATION_FAILED, SMS_CODE_WRONG, SMS_CODE_EXPIRED
 */
export async function smsLogin(
  ctx: OpenCtx,
  { mobile: text, code, inviteRecordId: invitedBy, bind }: Req<'user', 'smsLogin'>,
): Promise<Res<'user', 'smsLogin'>> {
  const mobile = mobileOf(text)
  const userWithoutMobile = bind ? await ctx.viewer() : undefined
  return withVerifiedCode(ctx, { mobile, scene: SCENE_LOGIN, code }, async (tx) => {
    const user = await matchUser(tx, ctx, { mobile, userWithoutMobile, invitedBy })
    // the requesting device continues with the new token, other devices must log in again
    if (user.userId === userWithoutMobile) await endSessions(tx, userWithoutMobile)
    return { ...user, token: await createSession(tx, user.userId, ctx) }
  })
}
