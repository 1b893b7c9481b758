import { MINUTE_MS } from '@/contract/time'
import type { HomeCounts, TickerOrder } from '@/contract/types'
import type { OpenCtx } from '../../../core/context'
import { listGames } from '../../games/game-list'

/** Users, reports, games and the models' accuracy. */
export const homeCounts = async ({ repositories: { games, publicStatistics } }: OpenCtx): Promise<HomeCounts> => ({
  ...(await publicStatistics.counts()),
  games: listGames(await games.all()).length,
})

/** Newest valuations of users who agreed to publication. */
export async function newestValuations({ repositories, clock }: OpenCtx): Promise<TickerOrder[]> {
  const names = new Map((await repositories.games.all()).map(({ config }) => [config.gameId, config.name]))
  return (await repositories.publicStatistics.ticker()).map(({ gameId, at, nickMasked, priceFen }) => ({
    nickMasked,
    priceFen,
    gameName: names.get(gameId) ?? gameId,
    minutesAgo: Math.max(0, Math.floor((clock.now() - at) / MINUTE_MS)),
  }))
}
