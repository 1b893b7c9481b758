import { DAY, quantile } from '../../engine/numbers'
import { formulaOf } from '../../engine/train'
import type { Sale } from '../../engine/types'
import { game, SALES_UNTIL, salesOf } from '../../test/arbitrary'
import { compareSales, influenceOf } from './source-influence'

const config = game('val')
const sales = salesOf(config, 1_200)
const idsOf = (some: readonly Sale[]) => some.map(({ id }) => id)
/** of every ten sales in time, those at the given places */
const inTime = [...sales].sort((a, b) => a.at - b.at)
const every10 = (...places: number[]) => inTime.filter((_, i) => places.includes(i % 10))
const [partners, known] = [[every10(0), every10(1), every10(2)], every10(3, 4, 5, 6, 7, 8, 9)]
const formula = formulaOf(config, known, SALES_UNTIL)

/** How far the first of some partners moves prices when all of them send prices times a factor. */
function influence(factor: number | ((sale: Sale) => number), liars: readonly (readonly Sale[])[]) {
  const factorOf = typeof factor === 'number' ? () => factor : factor
  const moving = new Set(liars.flatMap(idsOf))
  const sent = [...known, ...liars.flat()].map((sale) => ({
    ...sale,
    priceFen: moving.has(sale.id) ? Math.round(factorOf(sale) * sale.priceFen) : sale.priceFen,
  }))
  return influenceOf(compareSales(config, formula, sent, moving), new Set(idsOf(liars[0] ?? [])))
}

test('partners that agree are judged by what they move together', () => {
  expect(influence(0.72, partners.slice(0, 1))).toBeUndefined()
  expect(influence(0.72, partners)).toMatchObject({ what: expect.stringContaining('低') })
})

test('partners with the prices of the market move nothing, nor does a usual fee', () => {
  expect(influence(1, partners)).toBeUndefined()
  expect(influence(0.95, partners)).toBeUndefined()
})

const dear = quantile(
  sales.map(({ priceFen }) => priceFen),
  0.6,
)
const since = inTime[0]?.at ?? 0

test.each<[string, (sale: Sale) => number]>([
  ['dear accounts half as dear again', ({ priceFen }) => (priceFen > dear ? 1.5 : 0.95)],
  ['one server', ({ attributes }) => (attributes.server === 'cn' ? 1.5 : 1)],
  ['one item', ({ attributes }) => (JSON.stringify(attributes.knives ?? []).includes('gerenjinzhandanwei') ? 1.4 : 1)],
  ['two per cent a day', ({ at }) => 1.02 ** ((at - since) / DAY)],
])('a partner that moves a part of the prices is found: %s', (_, factorOf) => {
  expect(influence(factorOf, [partners.flat()])).toBeDefined()
})
