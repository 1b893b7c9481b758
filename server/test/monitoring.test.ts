import type { FormConfig } from '@/contract/form/types'
import { insertSales, type SaleRow } from '../db/sales'
import { newestBacktest, storeBacktest } from '../domains/models/backtests'
import { readModel, writeModel } from '../domains/models/model-text'
import { hasDrifted, isDrifting, monitorModels } from '../domains/models/monitoring'
import { requestTraining } from '../domains/models/roll-back'
import type { Backtest } from '../engine/backtest'
import { generateSales } from '../fixtures/synthetic/generate'
import { createTraining } from '../jobs/training'
import { countTrainings } from './count-trainings'
import { setupServer } from './harness'
import { configOf } from './orders'

const DAY = 86_400_000
/** as `prepare.ts` */
const KNOWN = 600
let config: FormConfig
const server = setupServer({ games: ['naraka'] })
const db = () => server.database.db
const deps = () => {
  if (!server.lifecycle.deps) throw new Error('not started')
  return server.lifecycle.deps
}

/** Stores a back-test that ran now. */
async function storeTest(modelVersion: string, medianError: number, { synthetic = true, ago = 0 } = {}) {
  const result = { modelVersion, n: 100, medianError } as Backtest
  await storeBacktest(db(), { gameId: 'naraka', synthetic, syntheticShare: 1, result, ranAt: server.clock.now() - ago })
}

beforeAll(async () => {
  config = await configOf(server, 'naraka')
  await storeTest('tested', 0.1)
})
afterEach(() => db().deleteFrom('sales').where('source', '=', 'shop').execute())

/** `n` sales of the model's market that were not used for training. */
function unseen(n: number): SaleRow[] {
  const sales = [...generateSales(config, { n: KNOWN + 2 * n, until: server.clock.now() })].slice(KNOWN)
  return sales
    .filter(({ kind }) => kind === 'SOLD')
    .slice(0, n)
    .map((sale) => ({ ...sale, source: 'shop', channel: 'PARTNER' }))
}

/** The figures of the next day's monitoring, by role. */
async function watch(sales: readonly SaleRow[]) {
  await insertSales(db(), sales)
  server.clock.advance(DAY)
  const now = server.clock.now()
  await monitorModels.run(deps(), now)
  const day = now - (now % DAY)
  const rows = await db()
    .selectFrom('model_monitoring')
    .selectAll()
    .where('day', '=', day)
    .orderBy('model_id')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.role, row]))
}
const active = async () =>
  (await db().selectFrom('models').select('id').where('active', '=', true).executeTakeFirstOrThrow()).id

const fine = { n: 100, medianError: 0.1, coverage: 0.8, unknown: 0.02, stable: 0.05 }

test('a model has drifted by any one of four figures: error, coverage, unknown options, population', () => {
  const drifts = (change: object) => hasDrifted({ ...fine, ...change }, 0.1)
  expect(drifts({})).toBe(false)
  // 1.25 times the back-test error, plus two points of tolerance for chance
  expect([drifts({ medianError: 0.144 }), drifts({ medianError: 0.146 })]).toEqual([false, true])
  expect([drifts({ coverage: 0.71 }), drifts({ coverage: 0.69 })]).toEqual([false, true])
  expect([drifts({ unknown: 0.09 }), drifts({ unknown: 0.11 })]).toEqual([false, true])
  expect([drifts({ stable: 0.24 }), drifts({ stable: 0.26 })]).toEqual([false, true])
  // without a back-test the error cannot be compared
  expect(hasDrifted({ ...fine, medianError: 0.9 }, undefined)).toBe(false)
})

test('fewer than fifty unseen sales are inconclusive, sales of the same market show no drift, generated and unverified ones are ignored', async () => {
  expect(await watch(unseen(49))).toMatchObject({ CHAMPION: { n: 49, verdict: 'FEW' } })
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const { CHAMPION } = await watch(unseen(240))
  expect(CHAMPION).toMatchObject({ n: 240, verdict: 'FITS' })
  expect(CHAMPION?.coverage).toBeGreaterThan(0.7)
  expect(CHAMPION?.median_error).toBeLessThan(0.13)
  expect(await isDrifting(db(), 'naraka')).toBe(false)
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const unverified = unseen(240).map((sale): SaleRow => ({ ...sale, channel: 'FOLLOW_UP' }))
  expect(await watch(unverified)).toMatchObject({ CHAMPION: { n: 0, verdict: 'FEW' } })
})

test('the error is compared with the model’s own back-test on real sales, with no other', async () => {
  const { trained_at } = await db()
    .selectFrom('models')
    .select('trained_at')
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  const verdict = async (test: { synthetic: boolean; ago?: number }) => {
    await storeTest('other', 0.001, test)
    const { CHAMPION } = await watch(unseen(240))
    await db().deleteFrom('sales').where('source', '=', 'shop').execute()
    await db().deleteFrom('backtests').where('model_version', '=', 'other').execute()
    return CHAMPION?.verdict
  }
  expect(await verdict({ synthetic: true })).toBe('FITS')
  await db().updateTable('backtests').set({ ran_at: 0 }).execute()
  expect(await verdict({ synthetic: false, ago: server.clock.now() - trained_at + 60_000 })).toBe('FITS')
  expect(await verdict({ synthetic: false })).toBe('DRIFTS')
})

test('drift is found in a market that fell by a third and in one with unknown items', async () => {
  const fallen = await watch(unseen(240).map((sale) => ({ ...sale, priceFen: Math.round(0.66 * sale.priceFen) })))
  expect(fallen.CHAMPION).toMatchObject({ verdict: 'DRIFTS' })
  expect(fallen.CHAMPION?.median_error).toBeGreaterThan(0.3)
  expect(await isDrifting(db(), 'naraka')).toBe(true)
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const renamed = (answer: unknown): unknown =>
    Array.isArray(answer)
      ? answer.map((one) => (typeof one === 'string' ? `新${one}` : { ...one, v: `新${one.v}` }))
      : answer
  const news = unseen(240).map((sale) => ({
    ...sale,
    attributes: Object.fromEntries(Object.entries(sale.attributes).map(([key, answer]) => [key, renamed(answer)])),
  })) as SaleRow[]
  const { CHAMPION } = await watch(news)
  expect(CHAMPION?.unknown_share).toBeGreaterThan(0.5)
  expect(CHAMPION).toMatchObject({ verdict: 'DRIFTS' })
})

test('a model that is clearly worse than the one before it on the same sales is rolled back; an equal one is not', async () => {
  const good = await active()
  /** Activates a copy of the good model with prices multiplied by `times`. */
  const promote = async (times: number) => {
    const row = await db().selectFrom('models').selectAll().where('id', '=', good).executeTakeFirstOrThrow()
    const model = await readModel(row.body)
    const body = writeModel({
      ...model,
      hedonic: { ...model.hedonic, base: model.hedonic.base + Math.log(times) },
      stack: { ...model.stack, weights: { formula: 1, trees: 0, residualTrees: 0 } },
    })
    await db().updateTable('models').set({ active: false }).where('active', '=', true).execute()
    const { id: _, ...same } = row
    const made = await db()
      .insertInto('models')
      .values({ ...same, body, active: true, trained_at: server.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    return made.id
  }
  const equal = await promote(1)
  expect(await watch(unseen(240))).toMatchObject({
    CHAMPION: { model_id: equal, verdict: 'FITS' },
    FORMER: { model_id: good, n: 240 },
  })
  expect(await active()).toBe(equal)
  await db().deleteFrom('models').where('id', '=', equal).execute()
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()

  const worse = await promote(1.4)
  await storeTest('worse', 0.9)
  expect(await watch(unseen(240))).toMatchObject({
    CHAMPION: { model_id: good, n: 240 },
    TAKEN_BACK: { model_id: worse, n: 240, verdict: 'TAKEN_BACK' },
  })
  expect(await active()).toBe(good)
  const { refused } = await db()
    .selectFrom('models')
    .select('refused')
    .where('id', '=', worse)
    .executeTakeFirstOrThrow()
  expect(refused).toContain('明显不如上一个模型')
  // the model in use is measured by its own back-test again
  expect((await newestBacktest(db(), 'naraka'))?.result.modelVersion).toBe('tested')
  const decision = db().selectFrom('model_decisions').selectAll().orderBy('id', 'desc').limit(1)
  expect(await decision.executeTakeFirst()).toMatchObject({
    ...{ decision: 'ROLLED_BACK', rule: 'SAME_SALES', champion_id: worse, challenger_id: good, n: 240 },
  })

  // the sales that led to it start no further training; later sales do, and so does an order by staff, once
  const { train, wants } = countTrainings(() => Promise.reject(new Error('not now')))
  const training = createTraining(db(), train, server.clock.now)
  await training.runDueWork(config)
  expect(wants).toEqual([])
  const later = unseen(260).slice(240)
  await insertSales(db(), later.slice(0, 19))
  await training.runDueWork(config)
  expect(wants).toEqual([])
  await insertSales(db(), later.slice(19))
  await training.runDueWork(config)
  await training.runDueWork(config)
  expect(wants).toEqual(['both'])
  const order = () =>
    db()
      .transaction()
      .execute((tx) => requestTraining(tx, { gameId: 'naraka', reason: '已核对', now: server.clock.now() }))
  await order()
  await training.runDueWork(config)
  await training.runDueWork(config)
  expect(wants).toEqual(['both', 'both'])

  // neither a training that was reading its sales when the order was given nor a roll-back ends the order
  await order()
  let during: Promise<void> | undefined
  const whileReading = db().withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!during && result.rows.some((row) => 'attributes' in row)) {
        server.clock.advance(1000)
        during = order()
      }
      return result
    },
  })
  const slow = countTrainings(() => Promise.resolve(during).then(() => Promise.reject(new Error('not now'))))
  await createTraining(whileReading, slow.train, server.clock.now).runDueWork(config)
  expect(slow.wants).toEqual(['both'])
  await db()
    .insertInto('model_decisions')
    .values({ game_id: 'naraka', at: server.clock.now(), decision: 'ROLLED_BACK', rule: 'NONE', newest_sale: 0 })
    .execute()
  await training.runDueWork(config)
  await training.runDueWork(config)
  expect(wants).toEqual(['both', 'both', 'both'])
})
