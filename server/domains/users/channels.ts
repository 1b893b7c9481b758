import type { Req, Res } from '@/contract/types'
import { AppError } from '../../app-error'
import type { UserCtx } from '../../context'

/** With a report's number: the report is the caller's and of this game. @throws AppError NOT_FOUND */
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
 * Where an account of this game may be put up for sale: third parties, as the operator lists them. We only lead there.
 * @throws AppError NOT_FOUND for a report of somebody else or of another game
 */
export async function channelLinks(
  ctx: UserCtx,
  { gameId, reportNo = '' }: Req<'user', 'channelLinks'>,
): Promise<Res<'user', 'channelLinks'>> {
  if (reportNo !== '') await ownReport(ctx, gameId, reportNo)
  const values: Record<string, string> = { game: gameId, report: reportNo }
  return ctx.content
    .channels()
    .filter(({ games }) => games.length === 0 || games.includes(gameId))
    .map(({ channel, name, url, note }) => ({
      channel,
      name,
      url: url.replace(/\{(game|report)\}/g, (_all, key: string) => encodeURIComponent(values[key] ?? '')),
      note,
    }))
}
