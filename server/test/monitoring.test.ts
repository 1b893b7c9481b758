import type { FormConfig } from '@/contract/form/types'
import { insertSales, type SaleRow } from '../db/sales'
import { monitorModels } from '../domains/models/monitoring'
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

beforeAll(async () => {
  config = await configOf(server, 'naraka')
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

test('sales of the same market show no drift, generated and unverified ones are ignored', async () => {
  const found = await watch(unseen(240))
  expect(found).toMatchObject({ n: 240 })
  expect(found?.coverage).toBeGreaterThan(0.7)
  expect(found?.median_error).toBeLessThan(0.13)
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const unverified = unseen(240).map((sale): SaleRow => ({ ...sale, channel: 'FOLLOW_UP' }))
  expect(await watch(unverified)).toMatchObject({ n: 0 })
})

test('drift is found in a market that fell by a third and in one with unknown items', async () => {
  const fallen = await watch(unseen(240).map((sale) => ({ ...sale, priceFen: Math.round(0.66 * sale.priceFen) })))
  expect(fallen?.median_error).toBeGreaterThan(0.3)
  await db().deleteFrom('sales').where('source', '=', 'shop').execute()
  const renamed = (answer: unknown): unknown =>
    Array.isArray(answer)
      ? answer.map((item) => (typeof item === 'string' ? `新${item}` : { ...item, v: `新${item.v}` }))
      : answer
  const news = unseen(240).map((sale) => ({
    ...sale,
    attributes: Object.fromEntries(Object.entries(sale.attributes).map(([key, answer]) => [key, renamed(answer)])),
  })) as SaleRow[]
  const found = await watch(news)
  expect(found?.unknown_share).toBeGreaterThan(0.5)
})
