/** @group long */
import type { FormConfig } from '@/contract/form/types'
import { insertSales, type SaleRow } from '../db/sales'
import { newestBacktest } from '../domains/models/backtests'
import { championOf } from '../domains/models/repository'
import { DAY } from '../engine/numbers'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { setupDatabase } from '../test/harness'
import { trainOnce } from '../test/models'
import { createTraining } from './training'

/** Whole trainings with hundreds of sales; the rules alone: promotion.test.ts, train-and-test.test.ts. */
const database = setupDatabase()
const config: FormConfig = { ...game('val'), gameId: 'compared' }
let now = SALES_UNTIL
const training = () => createTraining(database.db, trainOnce, () => ++now)

/** the model in use learns from sales before it */
const SINCE = SALES_UNTIL - 60 * DAY
const market = [...generateSales(config, { n: 900, until: SALES_UNTIL })]
  .filter(({ kind }) => kind === 'SOLD')
  .map((sale): SaleRow => ({ ...sale, source: 'market' }))
const [known, fresh] = [market.filter(({ at }) => at < SINCE), market.filter(({ at }) => at >= SINCE)]
/** Sales of another source within some days after `SINCE`. */
const others = (n: number, days: number, priceOf: (sale: SaleRow, i: number) => number) =>
  known.slice(0, n).map((sale, i): SaleRow => {
    const at = SINCE + ((i + 0.5) / n) * days * DAY
    return { ...sale, at, source: 'others', externalId: `o${i}`, priceFen: Math.round(priceOf(sale, i)) }
  })

const decisions = (gameId = config.gameId) =>
  database.db.selectFrom('model_decisions').selectAll().where('game_id', '=', gameId).orderBy('id').execute()
const inUse = async () => (await championOf(database.db, config.gameId))?.id
const forget = () => database.db.deleteFrom('sales').where('at', '>=', SINCE).execute()

beforeAll(async () => {
  await insertSales(database.db, known)
  expect(await training().ensure(config)).toBe(true)
  await training().runDueWork(config)
})
afterEach(forget)

test('a model that learned false prices is refused on the honest days after them, and the one in use stays', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  await insertSales(database.db, [...others(80, 5, ({ priceFen }) => 3 * priceFen), ...fresh])
  const outcome = await training().runDueWork(config)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('高于在用模型') })
  expect(await inUse()).toBe(before)
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'REFUSED', rule: 'SAME_SALES', champion_id: before })
  // the newer half of the new ones, all of them from the honest market
  expect(made?.n).toBe(Math.ceil((80 + fresh.length) / 2))
  expect(made?.from_at).toBeGreaterThan(SINCE + 5 * DAY)
  expect(Number(made?.challenger_error)).toBeGreaterThan(Number(made?.champion_error) + Number(made?.standard_error))
  // the same sales are not tried again
  expect(await training().runDueWork(config)).toMatchObject({ done: 'nothing' })
})

test('prices that follow no market promote no model, although none predicts them better', async () => {
  const before = await inUse()
  await insertSales(
    database.db,
    others(200, 60, (_, i) => 1_000 + ((i * 7_919) % 500) ** 2),
  )
  const outcome = await training().runDueWork(config)
  expect(outcome).toEqual({ done: 'refused', why: expect.stringContaining('请先核对') })
  expect(await inUse()).toBe(before)
})

test('a model that follows a fallen market replaces the one in use, whatever its back-test of other days', async () => {
  const [before, first] = [await inUse(), (await decisions()).length]
  const usual = (await newestBacktest(database.db, config.gameId))?.result.medianError ?? 0
  await insertSales(
    database.db,
    others(120, 60, ({ priceFen }) => 0.6 * priceFen),
  )
  expect(await training().runDueWork(config)).toMatchObject({ done: 'stored' })
  const [made] = (await decisions()).slice(first)
  expect(made).toMatchObject({ decision: 'PROMOTED', rule: 'SAME_SALES', champion_id: before, n: 60 })
  expect(Number(made?.challenger_error)).toBeLessThan(Number(made?.champion_error) - 0.2)
  expect(await inUse()).toBe(made?.challenger_id)
  // by its back-test, which straddles the fall, it would have been refused
  const own = (await newestBacktest(database.db, config.gameId))?.result.medianError ?? 0
  expect(own).toBeGreaterThan(1.25 * usual + 0.02)
})
