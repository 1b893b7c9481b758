/** @group long */
import { train } from '../../../engine/train'
import { priceOfRecord } from '../../../engine/valuate'
import { generateSales } from '../../../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../../../test/arbitrary'
import { screenSale } from '../../market/expected-price'
import { saleWeights, type TraceableSale } from './sale-weights'

/** What many liars achieve together, with whole trainings; the weights alone: sale-weights.test.ts. */
const config = game('lolm')
const DAY = 86_400_000
const total = (weights: readonly number[]) => weights.reduce((a, b) => a + b, 0)

const ITEM = { key: 'rareSkins', v: 'kda-ali' }
const has = ({ attributes }: Pick<TraceableSale, 'attributes'>) =>
  (attributes[ITEM.key] as string[] | undefined)?.includes(ITEM.v) === true

/** 2,000 sales, 40 of them with the item, and 2,000 that nobody has learned from. */
function honest(): { market: TraceableSale[]; next: TraceableSale[] } {
  const made = [...generateSales(config, { n: 6_000, until: SALES_UNTIL, seed: 5 })].map((sale, i) => ({
    ...{ ...sale, id: `h${i}`, channel: 'IMPORT' as const, synthetic: false },
  }))
  const [owners, others] = [made.filter(has), made.filter((sale) => !has(sale))]
  return { market: [...owners.slice(0, 40), ...others.slice(0, 1_960)], next: others.slice(1_960, 3_960) }
}

test('200 users who lie to lift one item by 30 % move it and an account by less than 3 %', () => {
  const { market, next } = honest()
  expect(market.filter(has)).toHaveLength(40)
  const before = train(config, market, { now: SALES_UNTIL })
  // hardly any of the next honest self-reported sales would have to wait for staff
  expect(next).toHaveLength(2_000)
  const held = next.filter((sale) => {
    const screened = screenSale(before, { ...sale, source: '', externalId: sale.id })
    return 'reason' in screened
  })
  expect(held.length / next.length).toBeLessThan(0.02)
  const template = market.filter((sale) => has(sale) && sale.kind === 'SOLD')
  const worth = (model: typeof before, sale: TraceableSale) => {
    const without = (sale.attributes[ITEM.key] as string[]).filter((v) => v !== ITEM.v)
    const priceOf = (attributes: TraceableSale['attributes']) =>
      priceOfRecord(model, config, attributes, { now: SALES_UNTIL, source: 'TYPED' })?.predictFen ?? 0
    return { with: priceOf(sale.attributes), without: priceOf({ ...sale.attributes, [ITEM.key]: without }) }
  }
  // each reports an account like a real one with the item, whose part of the price is 30 % higher
  const lies = Array.from({ length: 200 }, (_, i): TraceableSale => {
    const sale = template[i % template.length] as TraceableSale
    const { with: own, without } = worth(before, sale)
    const reportedFen = sale.priceFen * (1 + (0.3 * Math.max(0, own - without)) / Math.max(1, own))
    return {
      ...{
        ...sale,
        id: `l${i}`,
        priceFen: Math.round(reportedFen),
        at: SALES_UNTIL - (i % 14) * DAY,
        channel: 'FOLLOW_UP',
      },
      reporter: `liar ${i}`,
    }
  })
  const trained = (reported: readonly TraceableSale[]) => {
    const all = [...market, ...reported]
    const weights = saleWeights(config, all)
    const weighted = all.map((sale, i) => ({ ...sale, weight: weights[i] ?? 1 }))
    return train(config, weighted, { now: SALES_UNTIL })
  }
  const after = trained(lies)
  const moved = (model: typeof before) => {
    const part = (sale: TraceableSale, m: typeof before) => {
      const { with: own, without } = worth(m, sale)
      return own - without
    }
    const sums = template.map((sale) => [part(sale, before), part(sale, model)] as const)
    return total(sums.map(([, b]) => b)) / total(sums.map(([a]) => a)) - 1
  }
  const share = (model: typeof before) =>
    total(template.map((sale) => worth(model, sale).with)) / total(template.map((sale) => worth(before, sale).with)) - 1
  expect(Math.abs(moved(after))).toBeLessThan(0.03)
  expect(Math.abs(share(after))).toBeLessThan(0.03)
})
