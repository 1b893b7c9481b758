import { CompiledQuery, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Backtest } from '../db/columns'
import { insertSales, type SaleRow } from '../db/sales'
import type { Judgement } from '../domains/models/acceptance'
import { accuracies } from '../domains/models/backtests'
import { championOf } from '../domains/models/repository'
import { isSale, withdrawSales } from '../domains/models/sales/withdrawn-sales'
import { isOrdered, orderTraining, putIntoUse } from '../domains/models/staff-decisions'
import { DAY } from '../engine/numbers'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { setupDatabase } from '../test/harness'
import type { TrainingSet } from './train-and-test'
import { createTraining } from './training'

/** What becomes of a training's result. Trainings themselves: train-and-test.test.ts. */
const database = setupDatabase()
const db = () => database.db
let now = SALES_UNTIL
const form: FormConfig = game('val')
const market = [...generateSales(form, { n: 600, until: SALES_UNTIL })]
  .filter(({ kind }) => kind === 'SOLD')
  .map((sale): SaleRow => ({ ...sale, source: 'market' }))
const sell = (gameId: string, from: number, until: number) =>
  insertSales(
    db(),
    market.slice(from, until).map((sale) => ({ ...sale, gameId, source: gameId })),
  )

const better: Judgement = { n: 60, champion: 0.1, challenger: 0.09, moved: 0.02 }
const worse: Judgement = { n: 60, champion: 0.1, challenger: 0.15, moved: 0.02 }
const poisoned: Judgement = { n: 60, champion: 0.1, challenger: 1.44, moved: 0.6 }

/** Trainings that are all judged so, and what they were given. */
function trainingOf(judgement: Judgement = better) {
  const sets: TrainingSet[] = []
  const training = createTraining(
    db(),
    async (set) => {
      sets.push(set)
      const accuracy = { n: 200, medianError: 0.1, modelVersion: `${set.now}` } as Backtest
      return { body: 'learned', accuracy, ...(set.champion && { judgement }) }
    },
    () => ++now,
  )
  return { ...training, sets }
}

/** A game with a model. */
async function started(gameId: string): Promise<FormConfig> {
  const config = { ...form, gameId }
  await sell(gameId, 0, 120)
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'stored' })
  return config
}
const inUse = async ({ gameId }: FormConfig) => (await championOf(db(), gameId))?.id ?? 0
const newest = ({ gameId }: FormConfig) =>
  db()
    .selectFrom('models')
    .selectAll()
    .where('game_id', '=', gameId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
const choose = ({ gameId }: FormConfig, id: number, seen: number) =>
  db()
    .transaction()
    .execute((tx) => putIntoUse(tx, { gameId, id, seen }))

test('a better model is put into use with its figures; a worse one waits for staff, who may put it into use', async () => {
  const config = await started('judged')
  const first = await inUse(config)
  await sell('judged', 120, 140)
  const training = trainingOf()
  expect(await training.runDueWork(config)).toMatchObject({ done: 'stored', sampleN: 140 })
  // every other one of the sales that the model in use does not know
  expect(training.sets.map(({ champion }) => champion?.withheld.length)).toEqual([10])
  const second = await inUse(config)
  expect(await newest(config)).toMatchObject({ id: second, n: 60, champion_error: 0.1, moved: 0.02, refused: null })
  await sell('judged', 140, 160)
  const refused = { done: 'refused', why: expect.stringContaining('高于在用模型') }
  expect(await trainingOf(worse).runDueWork(config)).toEqual(refused)
  expect(await inUse(config)).toBe(second)
  const candidate = await newest(config)
  expect(candidate).toMatchObject({ active: false, challenger_error: 0.15, body: 'learned' })
  // the same sales are not tried again
  expect(await trainingOf(worse).runDueWork(config)).toMatchObject({ done: 'nothing' })
  await choose(config, candidate.id, second)
  expect(await inUse(config)).toBe(candidate.id)
  await expect(choose(config, first, second)).rejects.toThrow('请刷新后重试')
  await choose(config, first, candidate.id)
  expect(await inUse(config)).toBe(first)
  await expect(choose(config, 0, first)).rejects.toThrow('已不能使用')
  // with the accuracy that it had, and the sales known by then start no training
  const [published] = await accuracies(db())
  expect(published).toMatchObject({ gameId: 'judged', result: { modelVersion: `${published?.ranAt}` } })
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
})

test('an ordered training of poisoned sales does not replace the model, and neither can staff', async () => {
  const config = await started('ordered')
  const before = await inUse(config)
  await orderTraining(db(), 'ordered', ++now)
  expect(await trainingOf(poisoned).runDueWork(config)).toMatchObject({ done: 'refused' })
  expect(await inUse(config)).toBe(before)
  await expect(choose(config, (await newest(config)).id, before)).rejects.toThrow('两倍')
  expect(await inUse(config)).toBe(before)
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
  // one that is given while a training reads its sales is for another
  const trained = (await newest(config)).trained_at
  await orderTraining(db(), 'ordered', trained)
  expect(await isOrdered(db(), 'ordered', trained, trained)).toBe(false)
  await orderTraining(db(), 'ordered', trained + 1)
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'stored' })
})

test('a withdrawn price has the game trained again, a day after the last training at the earliest', async () => {
  const config = await started('withdrawn')
  const withdraw = async () => {
    const first = db().selectFrom('sales').selectAll().where('game_id', '=', 'withdrawn').orderBy('id').limit(1)
    const { source, external_id: externalId } = await first.executeTakeFirstOrThrow()
    expect(await withdrawSales(db(), isSale({ source, externalId }), ++now)).toBe(1)
  }
  await withdraw()
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
  now += DAY
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'stored', sampleN: 119 })
  now += DAY
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
  // refused: not tried again without another reason
  await withdraw()
  now += DAY
  expect(await trainingOf(worse).runDueWork(config)).toMatchObject({ done: 'refused' })
  now += DAY
  expect(await trainingOf().runDueWork(config)).toMatchObject({ done: 'nothing' })
})

test('however many reports there are, those of a model to delete are found by an index', async () => {
  const config = await started('many')
  await sell('many', 120, 140)
  const spy = jest.spyOn(Object.getPrototypeOf(db().getExecutor()), 'executeQuery')
  await trainingOf().runDueWork(config)
  const asked = spy.mock.calls.map(([query]) => query as CompiledQuery)
  spy.mockRestore()
  const removed = asked.find(({ sql: text }) => text.startsWith('delete from "models"'))
  expect(await planOf(removed)).toMatch(/using reports_by_model on reports .*\n +Index Cond: \(model_id = models\.id\)/)
})

/** How large tables would be read: small ones are read whole, whatever their indexes. */
const planOf = (query: CompiledQuery | undefined) =>
  db()
    .transaction()
    .execute(async (tx) => {
      for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
        await sql.raw(`set local enable_${way} = off`).execute(tx)
      const explain = CompiledQuery.raw(`explain ${query?.sql}`, [...(query?.parameters ?? [])])
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(explain)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
