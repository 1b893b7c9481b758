import { noiseFloor } from '../fixtures/synthetic/floor'
import { game, salesOf, UNTIL } from '../test/arbitrary'
import { cards, cars, houses, type OtherWorld } from '../test/worlds'
import { quantile } from './numbers'
import { train } from './train'
import type { Sale } from './types'
import { valuate } from './valuate'

jest.setTimeout(240_000)

/** Trained on the first sales, tested on the SOLD ones after `from`. */
function measure(config: OtherWorld['config'], sales: readonly Sale[], n: number, from: number) {
  const model = train(config, sales.slice(0, n), { now: UNTIL })
  const errors: number[] = []
  const plain: number[] = []
  let covered = 0
  const middle = quantile(
    sales.slice(0, n).map((sale) => sale.priceFen),
    0.5,
  )
  for (const sale of sales.slice(from)) {
    if (sale.kind === 'ASKING') continue
    const valued = valuate(model, config, sale.attributes, { now: sale.at, source: 'TYPED' })
    if (!valued.ok) continue
    const { predictFen, lowFen, highFen } = valued.price
    errors.push(Math.abs(predictFen / sale.priceFen - 1))
    plain.push(Math.abs(middle / sale.priceFen - 1))
    if (sale.priceFen >= lowFen && sale.priceFen <= highFen) covered++
  }
  return {
    model,
    n: errors.length,
    error: quantile(errors, 0.5),
    plain: quantile(plain, 0.5),
    coverage: covered / errors.length,
  }
}

/** Median error of knowing the true price. */
function floorOf({ sales, truth }: OtherWorld, from: number): number {
  const errors = sales.flatMap((sale, i) =>
    i < from || sale.kind === 'ASKING' ? [] : [Math.abs((100 * Math.exp(truth[i] ?? 0)) / sale.priceFen - 1)],
  )
  return quantile(errors, 0.5)
}

describe('markets of other kinds, no word of which is in the engine', () => {
  test.each<[string, OtherWorld, number, number]>([
    ['used cars: drawbacks and unordered brands in value roles', cars(3_000, UNTIL), 1_600, 1.2],
    ['used cars, one row in ten wrong', cars(3_000, UNTIL, 0.1), 1_600, 1.35],
    ['used cars, 300 sales', cars(1_700, UNTIL), 300, 1.8],
    ['houses: numbers and levels, fat tails, no tags', houses(3_000, UNTIL), 1_600, 1.15],
    ['cards: nothing but a list', cards(3_000, UNTIL), 1_600, 1.15],
    ['cards, one row in ten wrong', cards(3_000, UNTIL, 0.1), 1_600, 1.25],
  ])('%s', (_name, world, n, factor) => {
    const from = world.sales.length - 1_400
    const { error, plain, coverage, n: tested } = measure(world.config, world.sales, n, from)
    expect(tested).toBeGreaterThan(900)
    expect(error).toBeLessThan(factor * floorOf(world, from))
    expect(error).toBeLessThan(0.5 * plain)
    expect(coverage).toBeGreaterThan(0.76)
    expect(coverage).toBeLessThan(0.84)
  })

  test('what the sales contradict is turned round, what they confirm is not', () => {
    const { config, sales } = cars(1_600, UNTIL)
    const { model } = measure(config, sales, 1_600, 1_590)
    expect(model.hedonic.factors.map(({ key }) => key)).toEqual(['brand', 'fuel', 'owners'])
    expect(model.hedonic.fields.map(({ key, ...shape }) => [key, 'down' in shape && shape.down])).toEqual([
      ['year', false],
      ['km', true],
      ['kw', false],
    ])
  })
})

/** Two games only, the one with most items and the one with most nesting; the table of all is in ARCHITECTURE.md. */
test.each([
  ['val', 1.2, 1.35],
  ['ys', 1.15, 1.35],
])('%s is learned close to what can be known at all', (id, at2000, at300) => {
  const config = game(id)
  const sales = salesOf(config, 4_000)
  const floor = noiseFloor(config, { n: 4_000, until: UNTIL }).medianError
  const many = measure(config, sales, 2_000, 2_000)
  expect(many.error).toBeLessThan(at2000 * floor)
  expect(Math.abs(many.coverage - 0.8)).toBeLessThan(0.03)
  expect(measure(config, sales, 300, 2_000).error).toBeLessThan(at300 * floor)
})
