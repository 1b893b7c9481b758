import { sql } from 'kysely'
import type { PrefilledForm, Req } from '@/contract/types'
import type { OpenCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { withoutPictures } from '../games/answers'
import { configForMode } from '../games/repository'
import { remainingToday } from './daily-limit'

/** The user's answers for their last order of the game, also one without a result, to save typing them again. */
async function lastAnswers(db: Db, userId: string, { fields, gameId }: PrefilledForm): Promise<PrefilledForm['last']> {
  const row = await db
    .selectFrom('orders')
    .select(['answers', 'created_at'])
    .where('user_id', '=', userId)
    .where('game_id', '=', gameId)
    .where(sql<boolean>`answers <> '{}'::jsonb`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { answers: withoutPictures(fields, row.answers), at: row.created_at }
}

/**
 * A game's form with prefilled data for this user.
 * @throws AppError NOT_FOUND, GAME_OFFLINE, VALIDATION_FAILED
 */
export async function prefilledForm(
  ctx: OpenCtx,
  { gameId, mode }: Req<'evaluation', 'gameConfig'>,
): Promise<PrefilledForm> {
  const config = configForMode(await ctx.repositories.games.find(gameId), mode)
  const userId = await ctx.viewer()
  const [free, last] = userId
    ? await Promise.all([
        mode === 'AI' ? remainingToday(ctx, userId, gameId) : undefined,
        lastAnswers(ctx.db, userId, config),
      ])
    : []
  return {
    ...config,
    ...(ctx.settings.ocr !== 'off' && { screenshots: true }),
    ...free,
    ...(last && { last }),
  }
}
