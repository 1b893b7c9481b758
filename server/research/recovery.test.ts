import type { Field } from '@/contract/form/types'
import { DAY } from '../engine/numbers'
import type { Sale } from '../engine/types'
import { createRng } from '../fixtures/synthetic/random'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { recovery } from './recovery'

test('after a sudden change of all prices the error is followed day by day, for as many days as asked for', async () => {
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
  const { before, after, recovered } = await recovery(oneField, sales, shock, 2)
  expect(before).toBeLessThan(0.05)
  expect(after[0]).toBeGreaterThan(0.5)
  expect([after.length, recovered]).toEqual([2, false])
})
