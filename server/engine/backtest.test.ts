import type { Field } from '@/contract/form/types'
import { createRng } from '../fixtures/synthetic/random'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { config, market } from '../test/small-market'
import { backtest, recovery } from './backtest'
import { DAY } from './numbers'
import type { Sale } from './types'

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

test('after a sudden change of all prices the error is followed day by day, for as many days as asked for', () => {
  const rng = createRng(7)
  const field: Field = {
    ...{ key: 'skins', label: 'skins', group: 'g', type: 'int', role: 'value', required: true, sort: 1 },
    rules: { min: 0 },
  }
  const oneField = { ...game('hok'), fields: [field] }
  const shock = SALES_UNTIL - 30 * DAY
  const sales = Array.from({ length: 300 }, (_, i): Sale => {
    const [skins, at] = [Math.floor(100 * rng.next()), SALES_UNTIL - (i % 100) * DAY]
    const priceFen = Math.round(20_000 * (1 + skins / 50) * (at < shock ? 1 : 0.5))
    return { id: `${i}`, gameId: 'hok', kind: 'SOLD', priceFen, at, attributes: { skins } }
  })
  const { before, after, recovered } = recovery(oneField, sales, shock, 2)
  expect(before).toBeLessThan(0.05)
  expect(after[0]).toBeGreaterThan(0.5)
  expect([after.length, recovered]).toEqual([2, false])
})
