import { sql } from 'kysely'
import { maskNick } from '@/contract/mask'
import { INVITE_PAGE } from '@/contract/pages'
import { DAY_MS } from '@/contract/time'
import type { Req, UnlockHelp } from '@/contract/types'
import { AppError } from '../../core/app-error'
import { chinaDayStart } from '../../core/clock'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { notify } from '../accounts/notifications/send'
import { unlockReport } from '../orders/unlock-report'
import { CLOCK_TOLERANCE_MS } from '../shared/due'
import { lockUsers } from '../shared/locks'
import { pageLink } from '../shared/page-link'
import { isHelpOffered } from './availability'
import { deviceHashesOf, sharedWith } from './device'
import { findRecord, helpersOf, statusOf, unlockProgress } from './view'

/** helps per user and day, and ms before the same two users may help again */
const MAX_PER_DAY = 3
const SAME_PAIR = 7 * DAY_MS

type Found = NonNullable<Awaited<ReturnType<typeof findRecord>>>

async function recordOf(db: Db, recordId: string): Promise<Found> {
  const record = await findRecord(db, recordId)
  if (!record) throw new AppError('NOT_FOUND', { msg: '没有找到这个助力邀请' })
  return record
}

/** The record as the caller may see it: the owner (masked) and the game. */
async function viewOf({ db, repositories: { games }, userId, clock }: UserCtx, record: Found): Promise<UnlockHelp> {
  const [helpers, { config }] = await Promise.all([helpersOf(db, record.id), games.find(record.game_id)])
  return {
    ...unlockProgress(record, helpers, clock.now()),
    ownerNickMasked: maskNick(record.nickname),
    gameId: record.game_id,
    gameName: config.name,
    helped: helpers.some(({ user_id }) => user_id === userId),
    ...(record.user_id === userId && { ownOrderId: record.order_id }),
  }
}

/** @throws AppError NOT_FOUND */
export const unlockHelpList = async (ctx: UserCtx, { recordId }: { recordId: string }): Promise<UnlockHelp> =>
  viewOf(ctx, await recordOf(ctx.db, recordId))

/** All facts about the helper's past that the rules need, in one row. */
const pastOf = (tx: Db, helper: string, { id, user_id: owner }: Found, now: number) =>
  tx
    .selectNoFrom((e) => {
      const helps = e.selectFrom('unlock_helps')
      // no one can help themselves, so these are helps between the two
      const both = [helper, owner]
      const paid = (userId: string) =>
        e.selectFrom('payments').select('openid').where('user_id', '=', userId).where('openid', 'is not', null)
      return [
        e.exists(helps.select('at').where('record_id', '=', id).where('user_id', '=', helper)).as('helped'),
        helps
          .select((h) => h.fn.countAll<number>().as('n'))
          .where('user_id', '=', helper)
          .where('at', '>=', chinaDayStart(now))
          .where('at', '<=', now + CLOCK_TOLERANCE_MS)
          .as('today'),
        e
          .exists(
            helps
              .select('at')
              .where('at', '>', now - SAME_PAIR)
              .where('at', '<=', now + CLOCK_TOLERANCE_MS)
              .where('user_id', 'in', both)
              .where('owner_id', 'in', both),
          )
          .as('met'),
        e.exists(paid(helper).where('openid', 'in', paid(owner))).as('samePayer'),
      ]
    })
    .executeTakeFirstOrThrow()

/** Each refusal has its own message, so that the user knows what to do instead. */
const risk = (msg: string) => new AppError('HELP_RISK', { msg })
const MET = '您和对方 7 天内已经助力过一次，请 7 天后再来'
const SAME_PAYER = '您和对方用的是同一个支付账号，不能为自己助力'
const SAME = {
  DEVICE: '这台设备已经发起或助力过这份报告，请在您自己的设备上打开',
  NETWORK: '这个网络下已经有人助力过这份报告，请换用手机流量再试',
}

/** The first rule that forbids this help; undefined when none does. */
async function reasonAgainst(tx: Db, ctx: UserCtx, record: Found, client?: string): Promise<AppError | undefined> {
  const { userId } = ctx
  const now = ctx.clock.now()
  if (record.user_id === userId) return new AppError('HELP_SELF')
  const { helped, today, met, samePayer } = await pastOf(tx, userId, record, now)
  if (helped) return new AppError('HELP_DUPLICATE')
  // the owner has asked for the deletion of the account
  if (record.deletion_at !== null) return new AppError('HELP_EXPIRED')
  const status = statusOf(record, now)
  if (status !== 'ONGOING') return new AppError(status === 'DONE' ? 'HELP_DONE' : 'HELP_EXPIRED')
  if ((today ?? 0) >= MAX_PER_DAY) return new AppError('HELP_LIMIT')
  if (met || samePayer) return risk(met ? MET : SAME_PAYER)
  const helpers = await tx
    .selectFrom('unlock_helps')
    .select(['client', 'net'])
    .where('record_id', '=', record.id)
    .execute()
  const earlier = [{ client: record.owner_client, net: record.owner_net }, ...helpers]
  const same = sharedWith(ctx, client, earlier)
  return same && risk(SAME[same])
}

async function tellOwner(tx: Db, { user_id, order_id, id }: Found, who: string, left: number, now: number) {
  await notify(tx, {
    userId: user_id,
    type: 'HELPED',
    title: '有人帮您助力',
    summary: left > 0 ? `${who} 帮您助力了，还差 ${left} 人` : `${who} 帮您完成了助力`,
    bizType: 'UNLOCK',
    bizId: id,
    link: pageLink(INVITE_PAGE, { orderId: order_id }),
    now,
  })
}

/** Counts one help and unlocks the report with the last one needed. */
async function count(tx: Db, ctx: UserCtx, record: Found, client?: string): Promise<void> {
  const { userId } = ctx
  const now = ctx.clock.now()
  await tx
    .insertInto('unlock_helps')
    .values({
      record_id: record.id,
      user_id: userId,
      owner_id: record.user_id,
      at: now,
      ...deviceHashesOf(ctx, client),
    })
    .execute()
  const counted = await tx
    .updateTable('unlock_records')
    .set({ got: sql`got + 1` })
    .where('id', '=', record.id)
    .whereRef('got', '<', 'need')
    .where('expire_at', '>', now)
    .returning(['got', 'need'])
    .executeTakeFirst()
  // the report was unlocked or the record expired since it was read: this help does not count
  if (!counted) throw new AppError('HELP_DONE')
  const { nickname } = await tx
    .selectFrom('users')
    .select('nickname')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await tellOwner(tx, record, maskNick(nickname), counted.need - counted.got, now)
  if (counted.got < counted.need) return
  if (!(await unlockReport(tx, { orderId: record.order_id, by: 'HELP', now, actor: `user:${userId}` })))
    throw new AppError('HELP_DONE')
}

/**
 * Helps a friend to unlock a report. The last help needed unlocks it; of concurrent helps only as many as needed count,
 * the others get HELP_DONE.
 * @throws AppError NOT_FOUND, NOT_OPEN_YET (no help on this platform), HELP_SELF, HELP_DUPLICATE, HELP_DONE,
 * HELP_EXPIRED, HELP_LIMIT, HELP_RISK
 */
export async function unlockHelp(ctx: UserCtx, req: Req<'evaluation', 'unlockHelp'>): Promise<UnlockHelp> {
  const { user_id: owner } = await recordOf(ctx.db, req.recordId)
  if (!isHelpOffered(ctx, ctx.platform))
    throw new AppError('NOT_OPEN_YET', { msg: '请在浏览器中打开此页面，再帮好友解锁' })
  await ctx.db.transaction().execute(async (tx) => {
    // enforces rules across records for concurrent helps
    await lockUsers(tx, [owner, ctx.userId])
    const record = await recordOf(tx, req.recordId)
    const against = await reasonAgainst(tx, ctx, record, req.client)
    if (against) throw against
    await count(tx, ctx, record, req.client)
  })
  return viewOf(ctx, await recordOf(ctx.db, req.recordId))
}
