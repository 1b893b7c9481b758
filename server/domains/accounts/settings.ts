import { sql } from 'kysely'
import { nameIssue } from '@/contract/rules'
import type { Req, Res } from '@/contract/types'
import { invalid, reportNotFound } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { selectOwnReport } from '../reports/own-report'
import { lockUser } from '../shared/locks'
import { requireModeratedTexts } from '../shared/text-moderation'
import { changeMobile } from './login/mobile'
import { signOut } from './login/sessions'

type Change = Omit<Req<'user', 'updateSettings'>, 'withdraw'>

/**
 * Sets the name of a report's account; an empty name removes it.
 * @throws AppError NOT_FOUND, VALIDATION_FAILED
 */
async function nameAccount(ctx: UserCtx, { orderId, name: typed }: NonNullable<Change['account']>): Promise<void> {
  const name = typed.trim()
  const issue = name === '' ? undefined : nameIssue(name, '备注名')
  if (issue) throw invalid([{ path: 'account.name', msg: issue }])
  await requireModeratedTexts(ctx, { 'account.name': name }, 'PROFILE')
  const { db, userId } = ctx
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const { account_id } = await selectOwnReport(tx, userId, orderId)
      .select('account_id')
      .executeTakeFirstOrThrow(reportNotFound)
    await tx.deleteFrom('account_names').where('user_id', '=', userId).where('account_id', '=', account_id).execute()
    if (name !== '') await tx.insertInto('account_names').values({ user_id: userId, account_id, name }).execute()
  })
}

/** @throws AppError VALIDATION_FAILED, SERVICE_UNAVAILABLE */
async function changeProfile(ctx: UserCtx, { nickname: typed, avatar }: Pick<Change, 'nickname' | 'avatar'>) {
  const nickname = typed?.trim()
  const issue = nickname === undefined ? undefined : nameIssue(nickname)
  if (issue) throw invalid([{ path: 'nickname', msg: issue }])
  await requireModeratedTexts(ctx, { nickname }, 'PROFILE')
  await ctx.db
    .updateTable('users')
    .set({ ...(nickname !== undefined && { nickname }), ...(avatar !== undefined && { avatar }) })
    .where('id', '=', ctx.userId)
    .execute()
}

/**
 * The user's settings on all devices. The same call also signs out a device, names an account, and changes the profile
 * or mobile number, because the specification's 70 calls have no others for it.
 */
export async function updateSettings(
  ctx: UserCtx,
  { signOut: device, account, nickname, avatar, mobile, ...change }: Change,
): Promise<Res<'user', 'updateSettings'>> {
  if (account) await nameAccount(ctx, account)
  if (nickname !== undefined || avatar !== undefined) await changeProfile(ctx, { nickname, avatar })
  if (mobile) await changeMobile(ctx, mobile)
  if (device !== undefined) await signOut(ctx.db, ctx, device)
  const { settings } = await ctx.db
    .updateTable('users')
    .set({ settings: sql`settings || ${JSON.stringify(change)}::jsonb` })
    .where('id', '=', ctx.userId)
    .returning('settings')
    .executeTakeFirstOrThrow()
  if (change.showAsExample) ctx.repositories.publicStatistics.forgetFeatured()
  return settings
}
