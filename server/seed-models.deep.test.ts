import { newestBacktest } from './domains/models/backtests'
import { readModel } from './domains/models/model-text'
import { championOf } from './domains/models/repository'
import { newestSales } from './domains/models/training-sales'
import { trainAndTest } from './jobs/train-and-test'
import { seed, shippedConfigs } from './seed'
import { SALES_UNTIL } from './test/arbitrary'
import { setupDatabase } from './test/harness'

const database = setupDatabase()

test('the model that ships with a game is the one that a training on its sales gives, also at another time', async () => {
  const { db } = database
  const [config] = shippedConfigs()
  if (!config) throw new Error('no game')
  await seed(db, { now: SALES_UNTIL, only: [config.gameId] })
  const { sales, untested } = await newestSales(db, config)
  const trained = await trainAndTest({ config, sales, untested, now: SALES_UNTIL, want: 'both' })
  const shipped = await championOf(db, config.gameId)
  expect(await readModel(shipped?.body ?? '')).toEqual(await readModel(trained.body))
  expect(shipped?.synthetic).toBe(true)
  expect((await newestBacktest(db, config.gameId))?.result).toEqual(trained.accuracy)
})
