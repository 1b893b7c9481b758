import type { AutoTask, Req } from '@/contract/types'
import { AppError, orderNotFound } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { beginTask } from '../../games/collection/begin-task'
import { newQr, refreshTask } from '../../games/collection/refresh-task'
import { ownTask, toTask } from '../../games/collection/task'
import { AWAITING_RESULT } from '../../games/collection/task-status'
import { transitionOrder } from '../../orders/order-transitions'
import { selectOwnOrder } from '../../orders/own-order'
import { requireWithinDailyLimit } from '../daily-limit'
import { cancelTask, revokeAuthorisation } from './cancel-task'

type TaskRequest = Req<'evaluation', 'taskCreate'>

/** The order that awaits a repeated collection. @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED, FREE_QUOTA_USED */
async function waitingOrder(
  tx: Db,
  ctx: UserCtx,
  { orderId, gameId }: TaskRequest,
  now: number,
): Promise<string | null> {
  if (!orderId) return null
  const { userId } = ctx
  // a failed collection does not count, so repeating it for its order must be checked against the daily limit again
  await requireWithinDailyLimit(tx, ctx, now, false)
  const order = await selectOwnOrder(tx, userId, orderId)
    .select('status')
    .where('game_id', '=', gameId)
    .where('mode', '=', 'AI')
    .executeTakeFirstOrThrow(orderNotFound)
  const again = { orderId, from: 'FAILED', to: 'WAIT_AUTH', now, actor: `user:${userId}` } as const
  if (order.status !== 'WAIT_AUTH' && !(await transitionOrder(tx, again))) throw new AppError('ORDER_STATUS_CHANGED')
  return orderId
}

/**
 * Starts a collection for the order that awaits it, if any. With `taskId` and `action` it cancels, renews the QR code or
 * deletes the data: posted here because reading the status must have no side effects.
 * @throws AppError also of `beginTask`; AUTH_TASK_EXPIRED, SERVICE_UNAVAILABLE
 */
export async function taskCreate(ctx: UserCtx, req: TaskRequest): Promise<AutoTask> {
  const { taskId, action } = req
  if (!taskId || !action) return beginTask(ctx, req, (tx, now) => waitingOrder(tx, ctx, req, now))
  const task = await refreshTask(ctx, await ownTask(ctx, taskId))
  if (action === 'FORGET') await revokeAuthorisation(ctx, task)
  else if (!AWAITING_RESULT.includes(task.status)) throw new AppError('AUTH_TASK_EXPIRED', { msg: '这次授权已经结束' })
  else if (action === 'CANCEL') await cancelTask(ctx, task)
  else await newQr(ctx, task)
  return toTask(await ownTask(ctx, taskId), ctx.clock.now())
}
