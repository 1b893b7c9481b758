import { sql } from 'kysely'
import type { AutoTask, Req } from '@/contract/types'
import { AppError } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import { ownTask, QR_LIFETIME_MS, QR_REFRESHES, type TaskRow, toTask } from './task'
import { AWAITING_RESULT, transitionTask } from './task-status'

/**
 * Renews the QR code, once for concurrent requests; after the last the task fails.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function newQr(ctx: UserCtx, task: TaskRow): Promise<void> {
  const { id: taskId, game_id: gameId, login_type: loginType, lookup, ref, qr_refreshes: used } = task
  if (task.status !== 'WAIT_SCAN' || ref === null) return
  const now = ctx.clock.now()
  const untouched = sql<boolean>`qr_refreshes = ${used}`
  if (used >= QR_REFRESHES) {
    const patch = { fail_code: 'QR_EXPIRED' }
    await transitionTask(ctx.db, { taskId, from: 'WAIT_SCAN', to: 'FAILED', now, patch, only: untouched })
    return
  }
  const qr = await ctx.providers.collector
    .newQr({ taskId, gameId, loginType, lookup, origin: ctx.origin, ref })
    .catch((err) => {
      ctx.log.warn({ err }, 'collector gave no new code')
      throw new AppError('SERVICE_UNAVAILABLE', { msg: '二维码刷新失败，请稍后再试' })
    })
  await ctx.db
    .updateTable('collection_tasks')
    .set({ qr, qr_expire_at: now + QR_LIFETIME_MS, qr_refreshes: used + 1 })
    .where('id', '=', taskId)
    .where('status', '=', 'WAIT_SCAN')
    .where(untouched)
    .execute()
}

/** The task's current state, after expiring it or renewing its QR code if due. */
export async function refreshTask(ctx: UserCtx, task: TaskRow): Promise<TaskRow> {
  const { id: taskId, status: from } = task
  const now = ctx.clock.now()
  if (AWAITING_RESULT.includes(from) && task.expire_at <= now)
    await transitionTask(ctx.db, { taskId, from, to: 'EXPIRED', now })
  else if (from === 'WAIT_SCAN' && (task.qr_expire_at ?? 0) <= now) await newQr(ctx, task)
  else return task
  return ownTask(ctx, taskId)
}

/** Progress of a collection. @throws AppError NOT_FOUND, also for another user's task */
export async function taskRecord(ctx: UserCtx, { taskId }: Req<'evaluation', 'taskRecord'>): Promise<AutoTask> {
  const task = await refreshTask(ctx, await ownTask(ctx, taskId))
  const game = (await ctx.repositories.games.all()).find(({ config }) => config.gameId === task.game_id)
  return { ...toTask(task, ctx.clock.now()), ...(game && { gameName: game.config.name }) }
}
