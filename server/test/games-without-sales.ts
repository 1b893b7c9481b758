/** Tests only: keeps a server process from generating sales and training models. */
import { openDatabase } from '../db/database'
import { insertGames } from './games'
import type { TestDatabase } from './harness'

/** Puts the games that come with the product into an unused store, without sales. */
export async function insertGamesWithoutSales(testDatabase: TestDatabase): Promise<void> {
  const { db, close } = await openDatabase(testDatabase.where)
  await insertGames(db)
  await close()
}
