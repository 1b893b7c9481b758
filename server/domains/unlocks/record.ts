import { DAY_MS } from '@/contract/time'
import type { Req, UnlockRecord } from '@/contract/types'
import { AppError, reportNotFound } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { selectOwnOrder } from '../orders/own-order'
import { reportValidUntil } from '../reports/validity'
import { lockUser } from '../shared/locks'
import { newId } from '../shared/secrets'
import { isHelpOffered } from './availability'
import { deviceHashesOf } from './device'
import { helpersOf, isLocked, MAX_INVITATIONS, type OrderState, statusOf, unlockProgress } from './view'

/** ms a request for help is valid */
const HELP_WITHIN = DAY_MS

/** The order with its latest record, if help was ever requested. */
async function newest({ db, userId }: UserCtx, orderId: string) {
  const row = await selectOwnOrder(db, userId, orderId)
    .leftJoin('unlock_records as r', 'r.order_id', 'orders.id')
    .select(['orders.id as order_id', 'orders.status', 'orders.reported_at'])
    .select(['r.id', 'r.nth', 'r.need', 'r.got', 'r.expire_at'])
    .where('orders.mode', '=', 'AI')
    .orderBy('r.nth', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow(reportNotFound)
  const { id, nth, need, got, expire_at, ...order } = row
  if (id === null || nth === null || need === null || got === null || expire_at === null) return { order }
  return { order, record: { ...order, id, nth, need, got, expire_at } }
}

/** Concurrent requests create the same record. */
async function begin(
  ctx: UserCtx,
  order: OrderState & { order_id: string },
  nth: number,
  now: number,
  client?: string,
) {
  const owner = deviceHashesOf(ctx, client)
  await ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, ctx.userId)
    await tx
      .insertInto('unlock_records')
      .values({
        id: newId(),
        order_id: order.order_id,
        user_id: ctx.userId,
        nth,
        need: ctx.settings.unlock.helpTarget,
        created_at: now,
        expire_at: Math.min(now + HELP_WITHIN, reportValidUntil(order.reported_at ?? now)),
        owner_client: owner.client,
        owner_net: owner.net,
      })
      .onConflict((c) => c.columns(['order_id', 'nth']).doNothing())
      .execute()
  })
}

/** Number of the record to create; undefined when the existing one remains valid. */
function nextOf({ order, record }: Awaited<ReturnType<typeof newest>>, restart: boolean, now: number) {
  if (!record) {
    if (!isLocked(order, now)) throw new AppError('ORDER_STATUS_CHANGED', { msg: '这份报告现在不需要解锁' })
    return 1
  }
  if (!restart || statusOf(record, now) !== 'EXPIRED') return undefined
  if (!isLocked(order, now)) throw new AppError('HELP_EXPIRED', { msg: '报告已过有效期，请重新估价' })
  if (record.nth >= MAX_INVITATIONS) throw new AppError('HELP_LIMIT', { msg: '重新发起的次数已用完，请使用其他方式' })
  return record.nth + 1
}

/**
 * The owner's request for help: the latest one of the order, created if missing, or a new one by `restart` after the
 * last has ended. Idempotent.
 * @throws AppError NOT_FOUND, NOT_OPEN_YET (no help on this platform), ORDER_STATUS_CHANGED (nothing to unlock),
 * HELP_EXPIRED, HELP_LIMIT (restarted twice)
 */
export async function unlockRecord(ctx: UserCtx, req: Req<'evaluation', 'unlockRecord'>): Promise<UnlockRecord> {
  const now = ctx.clock.now()
  let { order, record } = await newest(ctx, req.orderId)
  const nth = nextOf({ order, record }, req.restart === true, now)
  if (nth !== undefined) {
    if (!isHelpOffered(ctx, ctx.platform))
      throw new AppError('NOT_OPEN_YET', { msg: '这里不能邀请助力，请使用其他方式' })
    await begin(ctx, order, nth, now, req.client)
    ;({ order, record } = await newest(ctx, req.orderId))
  }
  if (!record) throw new Error(`unlock record of ${req.orderId} is not there after it was written`)
  return {
    orderId: order.order_id,
    ...unlockProgress(record, await helpersOf(ctx.db, record.id), now),
    restartsLeft: isLocked(order, now) ? MAX_INVITATIONS - record.nth : 0,
  }
}
