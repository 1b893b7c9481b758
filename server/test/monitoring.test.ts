import type { FormConfig } from '@/contract/form/types'
import type { Backtest } from '../db/columns'
import { insertSales, type SaleRow } from '../db/sales'
import { storeBacktest } from '../domains/models/backtests'
import { hasDrifted, monitorModels } from '../domains/models/monitoring'
import { generateSales } from '../fixtures/synthetic/generate'
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
    .map((sale) => ({ ...sale, source: 'shop', channel: 'IMPORT' }))
}

/** The figures of the next day's monitoring. */
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
  return rows[0]
}

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
  expect(await watch(unseen(49))).toMatchObject({ n: 49, verdict: 'FEW' })
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const found = await watch(unseen(240))
  expect(found).toMatchObject({ n: 240, verdict: 'FITS' })
  expect(found?.coverage).toBeGreaterThan(0.7)
  expect(found?.median_error).toBeLessThan(0.13)
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const unverified = unseen(240).map((sale): SaleRow => ({ ...sale, channel: 'FOLLOW_UP' }))
  expect(await watch(unverified)).toMatchObject({ n: 0, verdict: 'FEW' })
})

test('the error is compared with the model’s own back-test on real sales, with no other', async () => {
  const { trained_at } = await db()
    .selectFrom('models')
    .select('trained_at')
    .where('active', '=', true)
    .executeTakeFirstOrThrow()
  const verdict = async (test: { synthetic: boolean; ago?: number }) => {
    await storeTest('other', 0.001, test)
    const found = await watch(unseen(240))
    await db().deleteFrom('sales').where('source', '=', 'shop').execute()
    await db().deleteFrom('backtests').where('model_version', '=', 'other').execute()
    return found?.verdict
  }
  expect(await verdict({ synthetic: true })).toBe('FITS')
  await db().updateTable('backtests').set({ ran_at: 0 }).execute()
  expect(await verdict({ synthetic: false, ago: server.clock.now() - trained_at + 60_000 })).toBe('FITS')
  expect(await verdict({ synthetic: false })).toBe('DRIFTS')
})

test('drift is found in a market that fell by a third and in one with unknown items', async () => {
  const fallen = await watch(unseen(240).map((sale) => ({ ...sale, priceFen: Math.round(0.66 * sale.priceFen) })))
  expect(fallen).toMatchObject({ verdict: 'DRIFTS' })
  expect(fallen?.median_error).toBeGreaterThan(0.3)
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const renamed = (answer: unknown): unknown =>
    Array.isArray(answer)
      ? answer.map((one) => (typeof one === 'string' ? `新${one}` : { ...one, v: `新${one.v}` }))
      : answer
  const news = unseen(240).map((sale) => ({
    ...sale,
    attributes: Object.fromEntries(Object.entries(sale.attributes).map(([key, answer]) => [key, renamed(answer)])),
  })) as SaleRow[]
  const found = await watch(news)
  expect(found?.unknown_share).toBeGreaterThan(0.5)
  expect(found).toMatchObject({ verdict: 'DRIFTS' })
})
