import type { FormConfig } from '@/contract/form/types'
import { generateWithTruth } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { carSales, houses } from '../test/benchmark-markets'
import { packedSales } from './comparables'
import { applyHedonic, marketAt } from './hedonic'
import { sum } from './numbers'
import { distanceApart } from './offsetting'
import { distancesTo } from './similarity'
import { similarity } from './similarity-scale'
import { train } from './train'
import type { Model, Sale } from './types'
import { valuate } from './valuate'

const LEARNED = 800

/** A known sale and a sold account that the model does not know. */
interface Pair {
  similarity: number
  /** squared difference of the two log prices, without the market's movement */
  square: number
}

const mean = (values: readonly number[]): number => sum(values) / values.length

const deflated = ({ hedonic }: Model, { priceFen, at }: Pick<Sale, 'priceFen' | 'at'>): number =>
  Math.log(priceFen) - marketAt(hedonic.market, at)

/** Pairs with the comparables as shown. */
const shownTo = (model: Model, config: FormConfig, sale: Sale): Pair[] => {
  const valued = valuate(model, config, sale.attributes, { now: sale.at, source: 'TYPED' })
  if (!valued.ok) return []
  return valued.comparables
    .filter(({ kind }) => kind === 'SOLD')
    .map((one) => ({ similarity: one.similarity, square: (deflated(model, one) - deflated(model, sale)) ** 2 }))
}

/** Pairs with every twentieth sale, at any distance. */
const anyTo = (model: Model, sale: Sale): Pair[] => {
  const place = applyHedonic(model.hedonic, sale.attributes, 'average')
  const distances = distancesTo(place, packedSales(model), model.hedonic.power, SALES_UNTIL)
  return model.sales.flatMap((other, i): Pair[] => {
    if (i % 20 > 0 || other.kind === 'ASKING' || distances[i] === Number.POSITIVE_INFINITY) return []
    const rest = deflated(model, other) - other.logValue
    const theirs = { answers: other.attributes, value: applyHedonic(model.hedonic, other.attributes, 'average') }
    const apart = distanceApart(model.hedonic, distances[i] ?? 0, { answers: sale.attributes, value: place }, theirs)
    return [
      {
        similarity: similarity(model.similarity, apart, rest),
        square: (deflated(model, other) - deflated(model, sale)) ** 2,
      },
    ]
  })
}

/** Mean similarity and share of the price explained, by quantile group of the similarity. */
function parts(pairs: readonly Pair[], count: number, random: number) {
  const order = [...pairs].sort((a, b) => a.similarity - b.similarity)
  return Array.from({ length: count }, (_, k) => {
    const part = order.slice((k * order.length) / count, ((k + 1) * order.length) / count)
    return {
      said: mean(part.map((pair) => pair.similarity)),
      explained: 1 - mean(part.map(({ square }) => square)) / random,
    }
  })
}

/** Sales without the deliberately wrong ones, which have the price of another account. */
function games(id: string): { config: FormConfig; sales: Sale[] } {
  const config = game(id)
  const generated = [...generateWithTruth(config, { n: 1_600, until: SALES_UNTIL, seed: 4 })]
  const right = ({ wrong }: { wrong: boolean }, i: number) => i < LEARNED || !wrong
  return { config, sales: generated.filter(right).map(({ sale }) => ({ ...sale, id: sale.externalId })) }
}

describe.each<[string, () => { config: FormConfig; sales: Sale[] }]>([
  ['lolm', () => games('lolm')],
  ['houses', () => houses(1_200, SALES_UNTIL)],
  ['cars', () => carSales(1_200, SALES_UNTIL)],
])('similarity in the market of %s', (_name, open) => {
  const { config, sales } = open()
  const model = train(config, sales.slice(0, LEARNED), { now: SALES_UNTIL })
  const sold = sales.slice(LEARNED).filter(({ kind }) => kind === 'SOLD')
  const prices = sold.map((sale) => deflated(model, sale))
  const random = 2 * mean(prices.map((price) => (price - mean(prices)) ** 2))

  // differences that make up for each other in the price are counted, see `distanceApart`
  test('of the comparables shown is the share of the price explained, at most 3 points more and 6 less', () => {
    for (const { said, explained } of parts(
      sold.flatMap((sale) => shownTo(model, config, sale)),
      3,
      random,
    )) {
      expect(said - explained).toBeLessThan(0.03)
      expect(explained - said).toBeLessThan(0.06)
    }
  })

  test('equals the share of the price explained within 12 points for any sale, and rises with it', () => {
    const measured = parts(
      sold.flatMap((sale) => anyTo(model, sale)),
      8,
      random,
    )
    for (const { said, explained } of measured) expect(Math.abs(said - Math.max(0, explained))).toBeLessThan(0.12)
    // sales that explain nothing all have a low similarity
    const explained = measured.filter(({ said }) => said > 0.01).map((part) => part.explained)
    expect(explained.length).toBeGreaterThan(3)
    expect(explained).toEqual([...explained].sort((a, b) => a - b))
  })
})
