import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { FormConfig, Mode } from '@/contract/form/types'
import { AppError, invalid } from '../../core/app-error'
import type { DB } from '../../db/tables'
import { type PublishedError, publishedErrors } from '../models/backtests'

export interface Game {
  config: FormConfig
  icon: string
  letter: string
  /** additional search words */
  search: string
  /** position in the hot list, 0 = not in it */
  hot: number
  /** present when enough sales were tested */
  publishedError?: PublishedError
}

/** Cache of all games, reloaded at most every `maxAge` ms: few, small, used by most calls, changed by `game:import`. */
export interface GameRepository {
  all(): Promise<Game[]>
  /** @throws AppError NOT_FOUND */
  find(gameId: string): Promise<Game>
}

const MAX_AGE = 2000

export function createGameRepository(db: Kysely<DB>, maxAge = MAX_AGE): GameRepository {
  const games = new LRUCache<'all', Game[]>({
    max: 1,
    ttl: Math.max(1, maxAge),
    fetchMethod: () => read(db, Date.now()),
  })
  const all = () => (maxAge === 0 ? read(db, Date.now()) : games.forceFetch('all'))
  return {
    all,
    async find(gameId) {
      const game = (await all()).find((g) => g.config.gameId === gameId)
      if (!game) throw new AppError('NOT_FOUND', { msg: '没有找到这个游戏' })
      return game
    },
  }
}

async function read(db: Kysely<DB>, now: number): Promise<Game[]> {
  const [games, errors] = await Promise.all([
    db
      .selectFrom('games')
      .select(['config', 'icon', 'letter', 'search', 'hot'])
      .orderBy('sort')
      .orderBy('game_id')
      .execute(),
    publishedErrors(db, now),
  ])
  return games.map((game) => {
    const publishedError = errors.get(game.config.gameId)
    return publishedError ? { ...game, publishedError } : game
  })
}

/**
 * The form of a game that is open for this mode.
 * @throws AppError GAME_OFFLINE, VALIDATION_FAILED
 */
export function configForMode({ config }: Game, mode: Mode): FormConfig {
  if (config.status !== 'ONLINE') throw new AppError('GAME_OFFLINE')
  if (!config.modes.includes(mode)) throw invalid([{ path: 'mode', msg: '该游戏不支持这种估价方式' }])
  return config
}
