import { game, SALES_UNTIL } from '../../test/arbitrary'
import { processorTime } from '../../test/processor'
import { saleWeights, type TraceableSale } from './sale-weights'

const config = game('lolm')
const DAY = 86_400_000

const sale = (id: number, change: Partial<TraceableSale> = {}): TraceableSale => ({
  ...{ id: String(id), gameId: config.gameId, kind: 'SOLD', priceFen: 50_000 + 100 * id, at: SALES_UNTIL - id * 1000 },
  ...{ attributes: { heroCount: id }, channel: 'IMPORT', synthetic: false },
  source: change.channel ?? 'IMPORT',
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

test('a reported sale counts less the more it disagrees with the market', () => {
  const [near = 0, far = 0] = saleWeights(config, [
    sale(1, { channel: 'FOLLOW_UP', residual: 0.02 }),
    sale(2, { channel: 'FOLLOW_UP', residual: -0.7 }),
    sale(3),
  ])
  expect(near).toBeGreaterThan(4 * far)
})

test('the same account sold once, in two sources, counts once', () => {
  const twice = { fingerprint: 'f', priceFen: 50_000 }
  const reported = sale(2, { ...twice, priceFen: 50_500, channel: 'FOLLOW_UP' })
  expect(saleWeights(config, [reported, sale(1, twice)])).toEqual([0, 1])
  expect(saleWeights(config, [sale(1, twice), sale(2, { ...twice, at: SALES_UNTIL - 90 * DAY })])).toEqual([1, 1])
  expect(saleWeights(config, [sale(1, twice), sale(2, { ...twice, priceFen: 70_000 })])).toEqual([1, 1])
  expect(saleWeights(config, [sale(1, twice), sale(2, { ...twice, source: 'other' })])).toEqual([1, 0])
  const listed = { ...twice, kind: 'ASKING' } as const
  const pasted = sale(3, { ...listed, channel: 'LISTING' })
  expect(saleWeights(config, [pasted, sale(1, twice), sale(2, listed)])).toEqual([0, 1, 1])
})

test('equal accounts of two sources that never match are not compared in pairs', () => {
  /** How often prices are read for `n` sales of each source, 4 % apart. */
  const reads = (n: number) => {
    let count = 0
    const of = (source: string, priceFen: number) =>
      list(n, (i) => ({ fingerprint: 'f', source, at: SALES_UNTIL - i * 60_000, priceFen })).map((one) =>
        Object.defineProperty(one, 'priceFen', {
          get() {
            count += 1
            return priceFen
          },
        }),
      )
    expect(saleWeights(config, [...of('a', 50_000), ...of('b', 52_000)])).toEqual(Array(2 * n).fill(1))
    return count
  }
  const few = reads(500)
  expect(few).toBeGreaterThan(500)
  expect(reads(1000)).toBe(2 * few)
})

test('equal accounts in one source are sales of their own, unless they are copies', () => {
  const equal = list(5, (i) => ({ fingerprint: 'f', priceFen: 50_000 + 100 * i }))
  expect(saleWeights(config, equal)).toEqual([1, 1, 1, 1, 1])
  expect(saleWeights(config, [sale(1, { fingerprint: 'f' }), sale(1, { fingerprint: 'f', id: 'copy' })])).toEqual([
    1, 0,
  ])
  const reported = list(3, () => ({ fingerprint: 'f', priceFen: 50_000, channel: 'FOLLOW_UP', residual: 0 }))
  expect(saleWeights(config, [...reported, sale(9)]).filter((weight) => weight > 0)).toHaveLength(2)
})

test('twenty thousand equal accounts in one source take little time', () => {
  const equal = list(20_000, () => ({ fingerprint: 'f', priceFen: 50_000 }))
  const spent = processorTime()
  expect(new Set(saleWeights(config, equal))).toEqual(new Set([1]))
  expect(spent()).toBeLessThan(1000)
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
  const few = list(60, (i) => ({ reporter: `r${Math.min(i, 39)}`, channel: 'APPRAISER' }))
  const weights = saleWeights(config, few)
  expect(weights.slice(0, 39)).toEqual(Array(39).fill(1))
  expect(total(weights.slice(39))).toBeCloseTo(1, 9)
})
