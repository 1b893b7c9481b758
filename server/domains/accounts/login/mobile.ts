import { codeText } from '@/contract/errors'
import type { Req } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { lockName, lockUsers } from '../../shared/locks'
import { rememberDeletedMobile } from '../account-deletion'
import { notify } from '../notifications/send'
import { userIdOf } from './find-user'
import { withPassword } from './password'
import { deleteMobileAttempts } from './password-attempts'
import { revokeAccess } from './revoke-access'
import { consumeCodes, mobileOf } from './sms'

const SCENE_CHANGE_MOBILE = 2

type MobileChange = NonNullable<Req<'user', 'updateSettings'>['mobile']>

/** Call in the transaction that verified both proofs. That the new number is taken is only revealed to its holder. */
async function give(
  tx: Db,
  { userId, sessionId, encryption, clock }: UserCtx,
  from: string,
  to: string,
): Promise<void> {
  const now = clock.now()
  for (const mobile of [from, to].sort()) await lockName(tx, `mobile:${mobile}`)
  await lockUsers(tx, [userId])
  if (await userIdOf(tx, to)) throw invalid([{ path: 'mobile', msg: '这个号码已经有账号，请用它登录，或换一个号码' }])
  const changed = await tx
    .updateTable('users')
    .set({ mobile: to })
    .where('id', '=', userId)
    .where('mobile', '=', from)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('NOT_LOGGED_IN')
  // neither the next holder of the old number nor this user gets newcomer gifts by it
  await rememberDeletedMobile(tx, encryption, from, now)
  await deleteMobileAttempts(tx, from)
  await revokeAccess(tx, { userId, except: sessionId, now })
  const text = '登录手机已更换，其他设备已退出登录，微信登录已解绑。如果不是您本人操作，请立即联系客服。'
  await notify(tx, { userId, type: 'SYSTEM', title: '登录手机已更换', summary: text, bizType: 'SYSTEM', now })
}

/**
 * Changes the account's number, confirmed by a code to the new number and by a code to the old one or the password.
 * Other devices are signed out and WeChat is unlinked (`revokeAccess`).
 * @throws AppError VALIDATION_FAILED (also: the new number has an account), SMS_CODE_WRONG, SMS_CODE_EXPIRED,
 * PWD_WRONG, ACCOUNT_LOCKED
 */
export async function changeMobile(ctx: UserCtx, { mobile, code, oldCode, password }: MobileChange): Promise<void> {
  const to = mobileOf(mobile)
  const { mobile: from } = await ctx.db
    .selectFrom('users')
    .select('mobile')
    .where('id', '=', ctx.userId)
    .executeTakeFirstOrThrow()
  if (from === null) throw invalid([{ path: 'mobile', msg: '请先绑定手机号' }])
  if (from === to) throw invalid([{ path: 'mobile', msg: '新号码与现在的号码相同' }])
  const scene = SCENE_CHANGE_MOBILE
  const old = oldCode === undefined ? [] : [{ path: 'mobile.oldCode', mobile: from, scene, code: oldCode }]
  const codes = [...old, { path: 'mobile.code', mobile: to, scene, code }]
  const change = async (tx: Db) => {
    const issue = await consumeCodes(tx, codes, ctx)
    if (!issue) await give(tx, ctx, from, to)
    return issue
  }
  if (oldCode === undefined && password === undefined)
    throw invalid([{ path: 'mobile.oldCode', msg: '请输入原号码的验证码，或改用密码' }])
  const issue =
    password !== undefined && oldCode === undefined
      ? await withPassword(ctx, from, password, change)
      : await ctx.db.transaction().execute(change)
  if (!issue) return
  // the error must name which of the two codes is wrong
  throw new AppError(issue.wrong, { data: { fields: [{ path: issue.submitted.path, msg: codeText(issue.wrong) }] } })
}
