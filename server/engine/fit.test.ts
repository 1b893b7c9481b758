import { createRng } from '../fixtures/synthetic/random'
import { game, salesOf } from '../test/arbitrary'
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
