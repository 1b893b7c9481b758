import { sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import { AppError } from '../../core/app-error'
import { chinaDayStart } from '../../core/clock'
import type { OpenCtx, UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import type { Account } from '../games/account-identity'
import { TASK_SEQUENCE } from '../games/collection/task-status'
import { CLOCK_TOLERANCE_MS } from '../shared/due'

/** Orders that end without a price do not count as free valuations. */
const FREE_OF_CHARGE = ['INSUFFICIENT', 'FAILED', 'CANCELED', 'CLOSED', 'WAIT_AUTH']
/** AI orders per user and day, with or without a price: bounds free attempts too */
const MAX_ATTEMPTS_PER_DAY = 30

/** AI orders of the day (China time): all of them, and those that count as free valuations. */
const countToday = (db: Db, userId: string, now: number) =>
  db
    .selectFrom('orders')
    .select([
      sql<number>`count(*)`.as('attempts'),
      // an order awaiting a collection counts while that runs, so that concurrent ones cannot exceed the limit
      sql<number>`count(*) filter (where revalue_of is null and (status not in (${sql.join(FREE_OF_CHARGE)})
        or status = 'WAIT_AUTH' and exists (select 1 from collection_tasks t where t.order_id = orders.id
          and t.status in (${sql.join([...TASK_SEQUENCE])}) and t.expire_at > ${now}::bigint)))`.as('used'),
    ])
    .where('user_id', '=', userId)
    .where('mode', '=', 'AI')
    // an order may wait a day for its read, counts on the day of its price, and while it waits as one of today
    .where('created_at', '>=', chinaDayStart(now) - DAY_MS)
    .where('created_at', '<=', now + CLOCK_TOLERANCE_MS)
    .where(sql<boolean>`(greatest(created_at, coalesce(reported_at, 0)) >= ${chinaDayStart(now)}::bigint
      or status = 'WAIT_AUTH')`)
    .executeTakeFirstOrThrow()

/** @param free an expired report is valued again, outside the daily limit. @throws AppError FREE_QUOTA_USED */
export async function requireWithinDailyLimit(
  tx: Db,
  { userId, settings }: Pick<UserCtx, 'userId' | 'settings'>,
  now: number,
  free: boolean,
) {
  const { attempts, used } = await countToday(tx, userId, now)
  if (!free && used >= settings.aiFreePerDay) throw new AppError('FREE_QUOTA_USED', { data: { used } })
  if (attempts >= MAX_ATTEMPTS_PER_DAY)
    throw new AppError('FREE_QUOTA_USED', { msg: '今日提交次数已达上限，请明天再来', data: { used } })
}

/** Whether the latest report of any of the user's accounts of the game qualifies for `expiredReportOf`. */
async function anyExpired(db: Db, userId: string, gameId: string, now: number): Promise<boolean> {
  const newest = db
    .selectFrom('reports')
    .select(['report_no', 'valid_until'])
    .distinctOn('account_id')
    .where('user_id', '=', userId)
    .where('game_id', '=', gameId)
    .where('model_id', 'is not', null)
    .orderBy('account_id')
    .orderBy('created_at', 'desc')
    .as('newest')
  const row = await db
    .selectFrom(newest)
    .leftJoin('orders', 'orders.revalue_of', 'newest.report_no')
    .select('newest.report_no')
    .where('newest.valid_until', '<=', now)
    .where('orders.id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Free AI valuations left today; if none, whether an expired report may be valued again. */
export async function remainingToday({ db, settings, clock }: OpenCtx, userId: string, gameId: string) {
  const now = clock.now()
  const { attempts, used } = await countToday(db, userId, now)
  const left = attempts >= MAX_ATTEMPTS_PER_DAY ? 0 : Math.max(0, settings.aiFreePerDay - used)
  const again = left === 0 && attempts < MAX_ATTEMPTS_PER_DAY && (await anyExpired(db, userId, gameId, now))
  return { freeLeft: left, ...(again && { freeAgain: true }) }
}

/** Number of the account's latest report if it has expired and was not yet valued again, which is free once. */
export async function expiredReportOf(tx: Db, { latest }: Account, now: number): Promise<string | null> {
  if (!latest || latest.valid_until > now) return null
  const { report_no: no } = latest
  const used = await tx.selectFrom('orders').select('id').where('revalue_of', '=', no).executeTakeFirst()
  return used ? null : no
}
