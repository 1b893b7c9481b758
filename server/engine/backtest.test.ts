import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { expectNearFloor } from '../test/near-floor'
import { backtest } from './backtest'
import { DAY, quantile } from './numbers'
import { train } from './train'
import { priceOfRecord } from './valuate'

// all games, with retraining during the tested time: backtest.deep.test.ts
test('later sales of lolm are predicted close to the noise floor with an honest range', () => {
  expectNearFloor('lolm', 1.4, 1)
})

test('too few sales to test on are refused in words', () => {
  const config = game('val')
  expect(() => backtest(config, salesOf(config, 9))).toThrow('only 9 sales')
})

test('a market that halves overnight is followed within four days', () => {
  const config = game('lolm')
  const shock = SALES_UNTIL - 40 * DAY
  const sales = [...generateSales(config, { n: 2_000, until: SALES_UNTIL, seed: 3 })].map((sale) => ({
    ...{ ...sale, id: sale.externalId },
    priceFen: sale.at >= shock ? Math.round(sale.priceFen / 2) : sale.priceFen,
  }))
  /** median error of the next two weeks by a model trained so many days after the shock */
  const errorAfter = (days: number) => {
    const now = shock + days * DAY
    const model = train(
      config,
      sales.filter(({ at }) => at < now),
      { now },
    )
    const next = sales.filter(({ kind, at }) => kind === 'SOLD' && at >= now && at < now + 14 * DAY)
    const errors = next.flatMap(({ attributes, at, priceFen }) => {
      const price = priceOfRecord(model, config, attributes, { now: at, source: 'TYPED' })
      return price ? [Math.abs(price.predictFen / priceFen - 1)] : []
    })
    return quantile(errors, 0.5)
  }
  const usual = errorAfter(-14)
  expect(errorAfter(1)).toBeGreaterThan(0.5)
  expect(errorAfter(4)).toBeLessThan(1.2 * usual)
})
