/** @group long */
import type { FormConfig } from '@/contract/form/types'
import { insertSales } from '../db/sales'
import { accuracies } from '../domains/models/backtests'
import { createModelRepository, lastTraining } from '../domains/models/repository'
import { FORMAT } from '../engine/types'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { countTrainings } from '../test/count-trainings'
import { setupDatabase } from '../test/harness'
import { trainOnce } from '../test/models'
import { createTraining, type Train } from './training'

const database = setupDatabase()
const config: FormConfig = { ...game('val'), gameId: 'trained' }
const clock = { now: SALES_UNTIL }

/** In place of a training, where the model does not matter. */
const learned: Train = async () => ({ body: 'learned' })

/** Adds `n` sales of the same market. */
let known = 0
async function addSales(form: FormConfig, n: number) {
  const rows = [...generateSales(form, { n: known + n, until: SALES_UNTIL })].slice(known)
  known += n
  await insertSales(
    database.db,
    rows.map((sale) => ({ ...sale, source: 'test' })),
  )
}

test('a first model is trained once, with its accuracy, and retrained after new sales', async () => {
  const { db } = database
  const { train, games } = countTrainings(trainOnce)
  const training = createTraining(db, train, () => clock.now)
  const repository = createModelRepository(db)
  expect(await training.runDueWork(config)).toMatchObject({ done: 'nothing' })
  expect(await repository.active(config)).toBeUndefined()
  await addSales(config, 60)
  await expect(repository.active(config)).rejects.toMatchObject({ code: 'MODEL_PENDING' })
  expect(await training.runDueWork(config)).toMatchObject({ done: 'stored', sampleN: 60 })
  const [first] = await accuracies(db)
  const model = await repository.active(config)
  expect(first?.result.modelVersion).toBe(model?.model.version)

  // no new sales: no training
  await training.runDueWork(config)
  expect(games).toHaveLength(1)
  await addSales(config, 30)
  expect(await training.runDueWork(config)).toMatchObject({ done: 'stored', sampleN: 90 })
  expect((await repository.active(config))?.id).not.toBe(model?.id)
})

test('sales that cannot be learned from are tried once, until sales or form change', async () => {
  const { db } = database
  const hostile = { ...config, gameId: 'hostile' }
  await insertSales(
    db,
    [...generateSales(hostile, { n: 40, until: SALES_UNTIL })].map((sale) => ({ ...sale, source: 'test' })),
  )
  const { train, games } = countTrainings(() => Promise.reject(new Error('out of memory')))
  const training = createTraining(db, train, () => clock.now)
  expect(await training.runDueWork(hostile)).toMatchObject({ done: 'refused' })
  expect(await training.runDueWork(hostile)).toMatchObject({ done: 'nothing' })
  expect(games).toHaveLength(1)
  expect(await createModelRepository(db).active(hostile)).toBeUndefined()
  expect(await lastTraining(db, 'hostile')).toMatchObject({ refused: expect.stringContaining('out of memory') })
  const changed = { ...hostile, schemaVersion: hostile.schemaVersion + 1 }
  expect(await createTraining(db, learned, () => clock.now).runDueWork(changed)).toMatchObject({ done: 'stored' })
})

test('a model of another format is not used, and the game is trained again', async () => {
  const { db } = database
  const form = { ...config, gameId: 'other-format' }
  const sales = [...generateSales(form, { n: 30, until: SALES_UNTIL })]
  await insertSales(
    db,
    sales.map((sale) => ({ ...sale, source: 'test' })),
  )
  const training = createTraining(db, trainOnce, () => clock.now)
  await training.runDueWork(form)
  const old = await createModelRepository(db).active(form)
  if (!old) throw new Error('no model')
  await db
    .updateTable('models')
    .set({ format: FORMAT + 1 })
    .where('id', '=', old.id)
    .execute()
  const repository = createModelRepository(db)
  expect(await repository.find(old.id)).toBeUndefined()
  await expect(repository.active(form)).rejects.toMatchObject({ code: 'MODEL_PENDING' })
  await training.runDueWork(form)
  expect((await repository.active(form))?.id).toBeGreaterThan(old.id)
})
