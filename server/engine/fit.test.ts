import { createRng } from '../fixtures/synthetic/random'
import { game, salesOf } from '../test/arbitrary'
import { fitHedonic } from './fit'
import { applyHedonic } from './hedonic'
import { objectiveOf } from './objective'
import { paramsOf } from './params'
import { layoutOf } from './shapes'
import { tableOf } from './table'
import type { Observed } from './types'

const observed = (id: string, n: number): Observed[] =>
  salesOf(game(id), n).map(({ kind, priceFen, at, attributes }) => ({
    kind,
    logPrice: Math.log(priceFen),
    at,
    attributes,
  }))

test.each(['ys', 'delta', 'hok'])('the gradient of the fit is that of its value (%s)', (id) => {
  const sales = observed(id, 60)
  const layout = layoutOf(
    game(id),
    sales.map((sale) => sale.attributes),
  )
  const table = tableOf(layout, sales)
  const params = paramsOf(layout, table)
  const rng = createRng(3)
  table.rich.forEach((_, i) => {
    table.rich[i] = 0.5 + rng.next()
  })
  const f = objectiveOf(table, params, 0.3, new Float64Array(table.n))
  const x = params.centre.map((centre) => centre + 0.2 * rng.normal())
  const gradient = new Float64Array(x.length)
  f(x, gradient)
  const scratch = new Float64Array(x.length)
  for (let k = 0; k < x.length; k++) {
    const at = (step: number) =>
      f(
        Float64Array.from(x, (v, j) => (j === k ? v + step : v)),
        scratch,
      )
    const slope = (at(1e-5) - at(-1e-5)) / 2e-5
    expect(Math.abs(slope - (gradient[k] ?? 0))).toBeLessThan(1e-4 * (1 + Math.abs(slope)))
  }
})

test('what nobody sold yet is worth what stands under its heading', () => {
  const names = (heading: string) =>
    Array.from({ length: 12 }, (_, i) => ({ v: `${heading}${i}`, t: `${heading}${i}`, group: heading }))
  const config = {
    ...game('hok'),
    fields: game('hok').fields.filter(({ key }) => key === 'rareSkins'),
    dicts: { hok_skin: [...names('dear'), ...names('plain')] },
  }
  const rng = createRng(7)
  const sales: Observed[] = Array.from({ length: 200 }, (_, i) => {
    // the last of each heading is never seen
    const owned = [...names('dear').slice(0, 11), ...names('plain').slice(0, 11)].filter(() => rng.next() < 0.2)
    const worth = owned.reduce((sum, { group }) => sum + (group === 'dear' ? 300 : 60), 200)
    return {
      kind: 'SOLD',
      logPrice: Math.log(worth * 100) + 0.05 * rng.normal(),
      at: i * 86_400_000,
      attributes: { rareSkins: owned.map(({ v }) => v) },
    }
  })
  const hedonic = fitHedonic(config, sales)
  const log = (v: string) => applyHedonic(hedonic, { rareSkins: ['dear0', 'plain0', v] }, 'expected').logValue
  expect(log('dear11') - log('plain11')).toBeGreaterThan(0.6 * (log('dear5') - log('plain5')))
})
