/** Two processes that start on a database without a model. */
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../db/database'
import { insertSales } from '../db/sales'
import { generateSales } from '../fixtures/synthetic/generate'
import { game } from './arbitrary'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, type TestDatabase } from './harness'
import { call, type ServerProcess, startProcess } from './process'

let testDatabase: TestDatabase | undefined
const running: ServerProcess[] = []
afterAll(async () => {
  for (const p of running) p.child.kill('SIGKILL')
  await Promise.all(running.map((p) => p.ended))
  testDatabase?.remove()
})

test('two processes starting at once without a model serve the games at once, and one of them trains', async () => {
  testDatabase = await createTestDatabase()
  await insertGamesWithoutSales(testDatabase)
  const { db, close } = await openDatabase(testDatabase.where)
  const sales = [...generateSales(game('val'), { n: 300, until: Date.now() })]
  await insertSales(
    db,
    sales.map((sale) => ({ ...sale, source: 'test' })),
  )
  const { env } = testDatabase
  const pair = [startProcess(env), startProcess(env)]
  running.push(...pair)
  const urls = await Promise.all(pair.map((p) => p.ready()))
  // a busy process refuses calls for a moment
  const gamesOf = async (url: string) => (await call(url, 'app', 'homeGameList', {})).data as unknown[] | null
  for (const url of urls) {
    let games = await gamesOf(url)
    while (!games) games = await gamesOf(url)
    expect(games).toHaveLength(8)
  }
  const models = () => db.selectFrom('models').select(['game_id', 'active']).execute()
  // a question at once would slow down the training
  while ((await models()).length === 0) await delay(500)
  expect(await models()).toEqual([{ game_id: 'val', active: true }])
  await close()
})
