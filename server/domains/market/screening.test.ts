import { fnv1a, randomOf } from '../../engine/numbers'
import { type ComparedPrice, shiftedCount, shiftOf } from './screening'

const SPREAD = 0.2
const ASK = 0.16
const N = 300

/** Prices of a source, oldest first: residuals of a normal distribution plus what `of` adds to each. */
function prices(n: number, of: (price: ComparedPrice, i: number) => number, seed = 1): ComparedPrice[] {
  const random = randomOf(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Array.from({ length: n }, (_, i) => {
    const price = { residual: SPREAD * normal(), level: 6 + 1.2 * normal(), spread: SPREAD }
    return { ...price, residual: price.residual + of(price, i) }
  })
}
const shiftIn = (all: readonly ComparedPrice[]) => shiftOf(all, ASK)
const isDear = ({ level }: ComparedPrice) => level > 6.2

test.each<[string, (price: ComparedPrice, i: number) => number, number]>([
  ['all sales of a source', () => 0.2, N],
  ['those since it has sent asking prices', (_, i) => (i < 240 ? 0 : 0.22), 60],
  ['the same when they are more than half of all', (_, i) => (i < 100 ? 0 : 0.22), 200],
  ['prices that are too low', (_, i) => (i < 200 ? 0.02 : -0.5), 100],
  ['the dear ones three times as high, the others lower', (price) => (isDear(price) ? Math.log(3) : Math.log(0.92)), N],
  ['the same since an honest half', (price, i) => (i < 150 ? 0 : isDear(price) ? Math.log(3) : Math.log(0.92)), 150],
])('the sales of a shift are counted: %s', (_what, of, n) => {
  const all = prices(N, of)
  const shift = shiftIn(all)
  expect(shift && Math.abs(shiftedCount(all, shift) - n)).toBeLessThanOrEqual(20)
})

test.each<[string, (price: ComparedPrice, i: number) => number]>([
  ['of the market', () => 0],
  ['5 % below it', () => Math.log(0.95)],
  ['with extreme prices in both directions', (_, i) => (i % 10 === 0 ? (i % 20 === 0 ? 1.2 : -1.2) : 0)],
])('honest sources are not shifted: prices %s', (_what, of) => {
  for (let seed = 1; seed <= 50; seed++) expect(shiftIn(prices(N, of, seed))).toBeUndefined()
})

test('a source that raises a fifth of its prices at any level by half is shifted, or moves no level by 5 %', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = randomOf(fnv1a(`pattern ${seed}`))
    const edges = Array.from({ length: 1 + Math.floor(4 * random()) }, () => 3.5 + 5 * random()).sort((a, b) => a - b)
    const factors = [...edges, 0].map(() => (random() < 0.5 ? 1.5 + 2 * random() : 0.75 + 0.35 * random()))
    const factorOf = (price: ComparedPrice) => factors[edges.filter((edge) => edge < price.level).length] ?? 1
    const all = prices(N, (price) => Math.log(factorOf(price)), seed)
    const raised = all.filter((price) => factorOf(price) >= 1.5).length
    if (raised >= N / 5) expect([seed, shiftIn(all)]).toEqual([seed, expect.anything()])
  }
})

test('prices that scatter much more widely as the market are noticed', () => {
  const wild = prices(N, (_, i) => (i % 2 === 0 ? 0.8 : -0.8))
  expect(shiftIn(wild)).toMatchObject({ part: 'SPREAD' })
})
