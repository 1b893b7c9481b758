import { game, SALES_UNTIL } from '../../../test/arbitrary'
import { saleWeights, type TraceableSale } from './sale-weights'

const config = game('lolm')

const sale = (id: number, change: Partial<TraceableSale> = {}): TraceableSale => ({
  ...{ id: String(id), gameId: config.gameId, kind: 'SOLD', priceFen: 50_000 + 100 * id, at: SALES_UNTIL - id * 1000 },
  ...{ attributes: { heroCount: id }, channel: 'IMPORT', synthetic: false },
  ...change,
})
const list = (n: number, change: (i: number) => Partial<TraceableSale> = () => ({})) =>
  Array.from({ length: n }, (_, i) => sale(i, change(i)))
const total = (weights: readonly number[]) => weights.reduce((a, b) => a + b, 0)

test('imports count fully, others by channel, generated sales only as a background to real ones', () => {
  expect(saleWeights(config, list(3))).toEqual([1, 1, 1])
  expect(
    saleWeights(
      config,
      list(3, () => ({ synthetic: true })),
    ),
  ).toEqual([1, 1, 1])
  expect(saleWeights(config, [sale(1), sale(2, { channel: 'PARTNER' }), sale(3, { synthetic: true })])).toEqual([
    1, 0.8, 0.25,
  ])
})

test.each<[string, (i: number) => Partial<TraceableSale>]>([
  ['person', () => ({ reporter: 'me' })],
  ['device, whatever accounts are used on it,', (i) => ({ reporter: `me ${i}`, device: 'mine' })],
])('one %s makes up at most one hundredth of a game', (_, marks) => {
  const mine = list(100, (i) => (i < 30 ? { ...marks(i), channel: 'FOLLOW_UP' } : {}))
  const weights = saleWeights(config, mine)
  expect(total(weights.slice(0, 30))).toBeLessThanOrEqual(0.0101 * total(weights))
})

test('five people with many sales each make up at most one hundredth each', () => {
  const few = list(100, (i) => (i < 40 ? { reporter: `r${i % 5}`, channel: 'FOLLOW_UP' } : {}))
  const weights = saleWeights(config, few)
  const own = total(weights.filter((_, i) => i < 40 && i % 5 === 0))
  expect(own).toBeLessThanOrEqual(0.0101 * total(weights))
})

test('people who make up the whole of a game count alike if they are too few for the limit', () => {
  const few = list(60, (i) => ({ reporter: `r${Math.min(i, 39)}`, channel: 'FOLLOW_UP' }))
  const weights = saleWeights(config, few)
  expect(weights.slice(0, 39)).toEqual(Array(39).fill(0.4))
  expect(total(weights.slice(39))).toBeCloseTo(0.4, 9)
})
