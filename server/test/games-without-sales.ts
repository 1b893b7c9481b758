/** Tests only: keeps a server process from generating sales, training models and measuring them. */
import { openDatabase } from '../db/database'
import { insertGames } from './games'
import type { TestDatabase } from './harness'

/** Puts the games that come with the product into an unused store, without sales. */
export async function insertGamesWithoutSales(testDatabase: TestDatabase): Promise<void> {
  const { db, close } = await openDatabase(testDatabase.where)
  await insertGames(db)
  await close()
}

/** Puts the prepared market of one game into an unused store, with its model; the other games have no sales. */
export async function insertMarketOf(testDatabase: TestDatabase, gameId: string): Promise<void> {
  if (!(await testDatabase.fill?.())) throw new Error('the database is already in use')
  const { db, close } = await openDatabase(testDatabase.where)
  for (const table of ['models', 'sales'] as const) await db.deleteFrom(table).where('game_id', '<>', gameId).execute()
  await close()
}
