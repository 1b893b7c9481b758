import { config, market } from '../../test/small-market'
import { backtest } from './backtest'

// accuracy in the markets of all games: backtest.deep.test.ts
test('too few sales to test on are refused with a message', () => {
  expect(() => backtest(config, market(9, 1))).toThrow('only 9 sales')
})

test('sales that are not to be tested do not count as errors', () => {
  const sales = market(120, 1).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  const told = sales.slice(-24).filter((_, i) => i % 2 === 0)
  const untested = new Set(told.map(({ id }) => id))
  const dear = sales.map((sale) => (untested.has(sale.id) ? { ...sale, priceFen: 4 * sale.priceFen } : sale))
  const tested = backtest(config, dear, { blocks: 1, untested })
  expect(tested.n + tested.refused).toBe(
    sales.slice(-24).filter(({ id, kind }) => kind === 'SOLD' && !untested.has(id)).length,
  )
  expect(tested.medianError).toBeLessThan(backtest(config, dear, { blocks: 1 }).medianError)
})
