import type { FormConfig } from '@/contract/form/types'
import { databaseNow } from '../db/now'
import { insertSales } from '../db/sales'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { countTrainings } from '../test/count-trainings'
import { setupDatabase } from '../test/harness'
import { trainAndTest } from './train-and-test'
import { createTraining, leaseOf } from './training'

/** Several processes on one database: only one trains a game. */

const database = setupDatabase()
const config: FormConfig = game('val')
const clock = { now: SALES_UNTIL }

const shared = (gameId: string): FormConfig => ({ ...config, gameId, name: gameId })
const sell = (form: FormConfig, n: number) =>
  insertSales(
    database.db,
    [...generateSales(form, { n, until: SALES_UNTIL })].map((sale) => ({ ...sale, source: 'test' })),
  )

test('of two processes one trains, tests and retrains', async () => {
  const { db } = database
  const form = shared('shared')
  await sell(form, 60)
  const { train, games } = countTrainings(trainAndTest)
  const processes = [1, 2].map(() => createTraining(db, train, () => clock.now))
  await Promise.all(processes.map((training) => training.runDueWork(form)))
  expect(games).toEqual(['shared'])
  const changed = { ...form, schemaVersion: form.schemaVersion + 1 }
  await Promise.all(processes.map((training) => training.runDueWork(changed)))
  expect(games).toEqual(['shared', 'shared'])
  expect(await db.selectFrom('models').select('active').where('game_id', '=', 'shared').execute()).toHaveLength(2)
  expect(await db.selectFrom('leases').selectAll().execute()).toEqual([])
})

test('the lease of a trainer that was killed ends, and another process trains', async () => {
  const { db } = database
  const form = shared('orphaned')
  await sell(form, 30)
  const { train, games } = countTrainings(trainAndTest)
  const training = createTraining(db, train, () => clock.now)
  const until = (await databaseNow(db)) + 300
  await db
    .insertInto('leases')
    .values({ name: leaseOf('orphaned'), holder: 'killed', until })
    .execute()
  expect(await training.runDueWork(form)).toMatchObject({ done: 'nothing' })
  expect(await training.retrain(form)).toMatchObject({ done: 'stored' })
  expect(await databaseNow(db)).toBeGreaterThanOrEqual(until)
  expect(games).toEqual(['orphaned'])
})
