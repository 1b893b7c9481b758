import type { FormConfig } from '@/contract/form/types'
import { databaseNow } from '../db/now'
import { insertSales } from '../db/sales'
import { createModelRepository } from '../domains/models/repository'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { countTrainings } from '../test/count-trainings'
import { setupDatabase } from '../test/harness'
import { createTraining, leaseOf, trainInProcess } from './training'

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

test('of two processes one trains, tests and retrains; the other takes it over', async () => {
  const { db } = database
  const form = shared('shared')
  await sell(form, 60)
  const { train, games } = countTrainings(trainInProcess)
  const processes = [1, 2].map(() => createTraining(db, train, () => clock.now))
  const models = await Promise.all(
    processes.map((training) => createModelRepository(db, training.ensure).active(form, 60_000)),
  )
  expect(models[0]?.id).toBeDefined()
  expect(models[1]?.id).toBe(models[0]?.id)
  expect(games).toEqual(['shared'])

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
  const { train, games } = countTrainings(trainInProcess)
  const training = createTraining(db, train, () => clock.now)
  const until = (await databaseNow(db)) + 300
  await db
    .insertInto('leases')
    .values({ name: leaseOf('orphaned'), holder: 'killed', until })
    .execute()
  expect(await training.ensure(form)).toBe(true)
  expect(await databaseNow(db)).toBeGreaterThanOrEqual(until)
  expect(games).toEqual(['orphaned'])
})
