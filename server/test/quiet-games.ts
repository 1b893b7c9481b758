/** Tests only: a server started as a process has nothing to generate and nothing to train. */
import { openDatabase } from '../db/database'
import { games } from './arbitrary'
import type { Store } from './harness'

/** Puts the games that come with the product into an unused store, without sales. */
export async function insertQuietGames(store: Store): Promise<void> {
  const { db, close } = await openDatabase(store.where)
  const rows = games.map((game) => ({
    game_id: game.gameId,
    config: JSON.stringify(game),
    icon: '',
    letter: 'A',
    search: '',
    hot: 0,
    sort: 0,
    updated_at: 0,
  }))
  await db.insertInto('games').values(rows).execute()
  await close()
}
