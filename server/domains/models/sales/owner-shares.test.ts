import { quantile, sum } from '../../../engine/numbers'
import { capShares, type Owned, thinned } from './owner-shares'

const own: Owned = { channel: 'IMPORT' }
const of = (partner: string): Owned => ({ channel: 'PARTNER', partner })
const told = (reporter: string): Owned => ({ channel: 'FOLLOW_UP', reporter, device: `device of ${reporter}` })
const many = (n: number, made: (i: number) => Owned) => Array.from({ length: n }, (_, i) => made(i))
/** The shares of the weight. */
function sharesOf(groups: Owned[][], level?: { values: number[]; most: number }) {
  const sales = groups.flat()
  const weights = capShares(
    sales,
    sales.map(() => 1),
    level,
  )
  let from = 0
  return groups.map(({ length }) => {
    from += length
    return sum(weights.slice(from - length, from)) / Math.max(1e-9, sum(weights))
  })
}

test('a partner has half at most, self-reports together 30 %, a person one hundredth, what is the operator’s any share', () => {
  expect(sharesOf([many(100, () => own), many(1_000, () => of('p'))])[1]).toBeCloseTo(0.5, 9)
  expect(sharesOf([many(100, () => own), many(1_000, (i) => told(`${i}`))])[1]).toBeCloseTo(0.3, 9)
  expect(sharesOf([many(200, () => own), many(50, () => told('me'))])[1]).toBeCloseTo(0.01, 9)
  const onOneDevice = many(50, (i) => ({ ...told(`${i}`), device: 'mine' }))
  expect(sharesOf([many(200, () => own), onOneDevice])[1]).toBeCloseTo(0.01, 9)
  expect(sharesOf([many(1_000, () => own), many(10, () => of('p'))])[1]).toBeCloseTo(10 / 1_010, 9)
  const recorded = many(20, (): Owned => ({ channel: 'APPRAISER', reporter: 'me', device: 'mine' }))
  expect(sharesOf([many(20, () => own), recorded])[1]).toBeCloseTo(0.5, 9)
  // others are too few to limit it
  expect(sharesOf([many(5, () => own), many(100, () => of('p'))])[1]).toBeCloseTo(100 / 105, 9)
})

test('one limit does not undo another: self-reports beside a partner that is limited itself', () => {
  const me = many(50, () => told('me'))
  const [, partner = 1, mine = 1, others = 1] = sharesOf([
    many(100, () => own),
    many(1_000, () => of('p')),
    me,
    many(600, (i) => told(`${i}`)),
  ])
  expect(partner).toBeLessThanOrEqual(0.5)
  expect(mine + others).toBeLessThanOrEqual(0.3 + 1e-9)
  expect(mine).toBeLessThanOrEqual(0.01 + 1e-9)
})

test('what rests on partners or self-reports alone needs three of them', () => {
  const three = ['a', 'b', 'c'].map((partner) => many(10, () => of(partner)))
  expect(sharesOf(three.slice(0, 2))).toEqual([0, 0])
  for (const share of sharesOf(three)) expect(share).toBeCloseTo(1 / 3, 9)
  expect(sharesOf([many(10, () => of('a')), [told('x')], [told('y')]])[0]).toBeGreaterThan(0)
})

test('an owner whose level is apart from that of the others is left out, one that agrees is not', () => {
  const groups = [
    many(40, () => own),
    many(40, () => of('far')),
    many(40, () => of('near')),
    many(40, (i) => told(`${i}`)),
  ]
  const values = groups.flatMap((group, g) => group.map((_, i) => (i % 10) / 50 + ([0, 0.3, 0.1, -0.3][g] ?? 0)))
  const [, far, near, reported] = sharesOf(groups, { values, most: 0.14 })
  expect([far, reported]).toEqual([0, 0])
  expect(near).toBeCloseTo(0.5, 9)
})

test('false dates of one partner or of 300 people move the median time to sell by less than a fifth', () => {
  const honest = many(300, (i) => (i % 3 === 0 ? of('honest') : own))
  const days = honest.map((_, i) => 2 + (i % 30))
  const median = quantile(days, 0.5)
  const liars = [many(300, () => of('liar')), many(300, (i) => told(`${i}`))]
  for (const group of liars)
    for (const lie of [0.1, 7, 25, 40, 300]) {
      const [sales, all] = [
        [...honest, ...group],
        [...days, ...group.map(() => lie)],
      ]
      const level = { values: all.map((days) => Math.log(days)), most: Math.log(1.4) }
      const weights = capShares(
        sales,
        sales.map(() => 1),
        level,
      )
      const kept = thinned(all, weights)
      expect(Math.abs(quantile(kept, 0.5) / median - 1)).toBeLessThan(0.2)
    }
})

test('a list is thinned evenly by weight', () => {
  const list = [...Array(1_000).keys()]
  expect(
    thinned(
      list,
      list.map(() => 1),
    ),
  ).toEqual(list)
  const half = thinned(
    list,
    list.map((i) => (i < 500 ? 0.5 : 1)),
  )
  expect(half.filter((i) => i < 500)).toHaveLength(250)
  expect(half.filter((i) => i >= 500)).toHaveLength(500)
  expect(
    thinned(
      list,
      list.map(() => 0),
    ),
  ).toEqual([])
})
