import type { Req, Res } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { UserCtx } from '../../core/context'

/** Checks that the report belongs to the caller and the game. @throws AppError NOT_FOUND */
async function ownReport({ db, userId }: UserCtx, gameId: string, reportNo: string): Promise<void> {
  const row = await db
    .selectFrom('reports')
    .select('game_id')
    .where('report_no', '=', reportNo)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row?.game_id !== gameId) throw new AppError('NOT_FOUND')
}

/**
 * Marketplaces for accounts of this game: third parties configured by the operator, to which we only link.
 * @throws AppError NOT_FOUND for a report of another user or game
 */
export async function channelLinks(
  ctx: UserCtx,
  { gameId, reportNo = '' }: Req<'user', 'channelLinks'>,
): Promise<Res<'user', 'channelLinks'>> {
  if (reportNo !== '') await ownReport(ctx, gameId, reportNo)
  const values: Record<string, string> = { game: gameId, report: reportNo }
  return ctx.repositories.content
    .channels()
    .filter(({ games }) => games.length === 0 || games.includes(gameId))
    .map(({ channel, name, url, note }) => ({
      channel,
      name,
      url: url.replace(/\{(game|report)\}/g, (_all, key: string) => encodeURIComponent(values[key] ?? '')),
      note,
    }))
}
