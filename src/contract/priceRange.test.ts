import { dotsOf, isOutlier, positionOnScale } from './priceRange'

const sold = (adjFen: number) => ({ adjFen, kind: 'SOLD' as const })

test('a price over twice or under half of the expected one is an outlier', () => {
  const all = [49, 50, 100, 200, 201].map(sold)
  expect(all.map((comparable) => isOutlier(comparable, 100))).toEqual([true, false, false, false, true])
})

test('dots are placed by price; those beyond the line and abnormal sales are left out', () => {
  const price = { predictFen: 20_000, lowFen: 18_000, highFen: 24_000 }
  const usual = [15_000, 18_000, 20_000, 24_000, 30_000].map(sold)
  const all = [...usual, { adjFen: 22_000, kind: 'ASKING' as const }, sold(392_600)]
  expect(dotsOf(all, price)).toEqual([
    ...[18_000, 20_000, 24_000].map((priceFen) => ({ priceFen, kind: 'SOLD' })),
    { priceFen: 22_000, kind: 'ASKING' },
  ])
  // within the line, but more than twice the price
  expect(dotsOf([sold(9_000)], { predictFen: 20_000, lowFen: 5_000, highFen: 24_000 })).toEqual([])
})

test('the ends of a common scale are the ends of the line', () => {
  const scale = { lowFen: 39_800, highFen: 1_543_000 }
  expect([39_800, 791_400, 1_543_000].map((fen) => positionOnScale(fen, scale))).toEqual([0, 50, 100])
  expect(positionOnScale(500, { lowFen: 500, highFen: 500 })).toBe(0)
})
