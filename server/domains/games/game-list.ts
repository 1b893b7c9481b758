import { cleanText } from '@/contract/cleanText'
import type { GameItem, Req, Res } from '@/contract/types'
import type { OpenCtx } from '../../core/context'
import { quickQuestions } from './quick-questions'
import { configForMode, type Game } from './repository'

const HOT_LIMIT = 8

const toItem = ({ config, icon, letter, hot, publishedError }: Game): GameItem => ({
  gameId: config.gameId,
  name: config.name,
  icon,
  letter,
  hot: hot > 0,
  aiMode: config.aiMode,
  modes: config.modes,
  status: config.status,
  ...publishedError,
})

/** Games visible to users, most popular first; `keyword` matches name, pinyin, initials or id. */
export function listGames(games: Game[], keyword = ''): Game[] {
  const wanted = cleanText(keyword).trim().toLowerCase().replace(/\s+/g, '')
  return games
    .filter(({ config }) => config.status !== 'OFFLINE')
    .filter(
      ({ config, search }) =>
        config.name.toLowerCase().includes(wanted) ||
        config.gameId.toLowerCase().startsWith(wanted) ||
        search.split(' ').some((word) => word.startsWith(wanted)),
    )
}

/** All visible games, or those that match `keyword`. */
export const gameList = async (
  { repositories: { games } }: OpenCtx,
  { keyword }: Req<'evaluation', 'gameList'> = {},
): Promise<GameItem[]> => listGames(await games.all(), keyword).map(toItem)

/** Hot games in order. */
export const hotGames = async (
  { repositories: { games } }: OpenCtx,
  { limit = HOT_LIMIT }: Req<'evaluation', 'hotGame'>,
): Promise<GameItem[]> =>
  listGames(await games.all())
    .filter(({ hot }) => hot > 0)
    .sort((a, b) => a.hot - b.hot)
    .slice(0, limit)
    .map(toItem)

/** @throws AppError NOT_FOUND */
export async function gameDetail(
  { repositories: { games, models } }: OpenCtx,
  { gameId }: Req<'evaluation', 'gameDetail'>,
): Promise<Res<'evaluation', 'gameDetail'>> {
  const game = await games.find(gameId)
  const { estSeconds, readList } = game.config
  return { ...toItem(game), estSeconds, readList, ...(await quickEstimate(models, game)) }
}

/** The questions of the quick estimate, where AI valuations are open and there is a model. */
async function quickEstimate(
  models: OpenCtx['repositories']['models'],
  game: Game,
): Promise<Pick<Res<'evaluation', 'gameDetail'>, 'quick'>> {
  if (game.config.status !== 'ONLINE' || !game.config.modes.includes('AI')) return {}
  const config = configForMode(game, 'AI')
  const active = await models.inUse(config)
  return active
    ? { quick: { schemaVersion: config.schemaVersion, questions: quickQuestions(config, active.model) } }
    : {}
}

/**
 * Servers of a game, or its equivalent (login channel, edition): the first price factor with options.
 * @throws AppError NOT_FOUND
 */
export async function gameServers(
  { repositories: { games } }: OpenCtx,
  { gameId }: Req<'evaluation', 'gameServer'>,
): Promise<Res<'evaluation', 'gameServer'>> {
  const { fields, dicts } = (await games.find(gameId)).config
  const field = fields.find((f) => f.role === 'factor' && (f.type === 'select' || f.type === 'cascader'))
  return field?.options ?? dicts[field?.dict ?? ''] ?? []
}
