/** Tasks of reading screenshots, as their owner sees them. */
import { DAY_MS } from '@/contract/time'
import type { Req, Res } from '@/contract/types'
import { AppError } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { requirePictures } from '../../../providers/storage/port'
import { newId } from '../../shared/secrets'
import { readAnswers } from './answers'

/** ms that pictures and answers are kept */
const TASK_LIFETIME_MS = DAY_MS

/** Queues pictures that the user's storage has. @returns the task's id */
export async function queuePictures(
  db: Db,
  { userId, gameId, keys, now }: { userId: string; gameId: string; keys: readonly string[]; now: number },
): Promise<string> {
  const { id } = await db
    .insertInto('screenshot_tasks')
    .values({
      ...{ id: newId(), user_id: userId, game_id: gameId, keys: JSON.stringify([...new Set(keys)]) },
      ...{ status: 'WAITING', created_at: now, expire_at: now + TASK_LIFETIME_MS },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Queues screenshots for reading.
 * @throws AppError SERVICE_UNAVAILABLE, NOT_FOUND, GAME_OFFLINE, VALIDATION_FAILED, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function createScreenshotTask(
  ctx: UserCtx,
  { gameId, keys }: Req<'screenshot', 'create'>,
): Promise<Res<'screenshot', 'create'>> {
  if (ctx.settings.ocr === 'off') throw new AppError('SERVICE_UNAVAILABLE', { msg: '截图识别暂未开放，请自己填写' })
  await ctx.repositories.games.find(gameId)
  await requirePictures(ctx, keys, 'keys')
  await ctx.limits.enforce('screenshots', ctx.userId)
  return { taskId: await queuePictures(ctx.db, { userId: ctx.userId, gameId, keys, now: ctx.clock.now() }) }
}

/** A task of the user, with the answers read so far. @throws AppError NOT_FOUND, also for another user's task */
export async function screenshotTask(ctx: UserCtx, taskId: string): Promise<Res<'screenshot', 'get'>> {
  const row = await ctx.db
    .selectFrom('screenshot_tasks')
    .select(['game_id', 'status', 'pages', 'result'])
    .where('id', '=', taskId)
    .where('user_id', '=', ctx.userId)
    .where('expire_at', '>', ctx.clock.now())
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', { msg: '没有找到这次识别，请重新上传截图' })
  const { status, pages, result } = row
  if (result) return { status, ...result }
  const { config } = await ctx.repositories.games.find(row.game_id)
  return { status, ...readAnswers(config, pages) }
}
