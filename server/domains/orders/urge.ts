import { sql } from 'kysely'
import { AppError } from '../../core/app-error'
import type { OpenCtx } from '../../core/context'
import { isWithin } from '../shared/due'
import { ownOrder } from './own-order'
import { URGE_INTERVAL_MS } from './periods'

/**
 * The owner urges a late order: counted at most once an hour, shown in the appraisers' queue.
 * @returns how often this order was urged
 * @throws AppError NOT_LOGGED_IN, NOT_FOUND, ORDER_STATUS_CHANGED, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function urge(ctx: OpenCtx, orderId: string): Promise<number> {
  const userId = await ctx.viewer()
  if (!userId) throw new AppError('NOT_LOGGED_IN')
  const now = ctx.clock.now()
  const own = ctx.db.updateTable('orders').where('id', '=', orderId).where('user_id', '=', userId)
  const urged = await own
    .set((e) => ({ urged_at: now, urges: e('urges', '+', 1) }))
    .where('status', 'in', ['PAID', 'ASSIGNED', 'REVALUING'])
    .where(sql<boolean>`(urged_at is null or not ${isWithin(sql`urged_at`, URGE_INTERVAL_MS, now)})`)
    .returning('urges')
    .executeTakeFirst()
  if (urged) return urged.urges
  const order = await ownOrder({ db: ctx.db, userId }, orderId)
  if ((order.urged_at ?? 0) > now - URGE_INTERVAL_MS)
    throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: '已提醒过估价师，一小时后可再次提醒' })
  throw new AppError('ORDER_STATUS_CHANGED')
}
