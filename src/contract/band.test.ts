import { dotsOf, isOutlier } from './band'

test('what would have cost more than twice or less than half as much is an outlier and not on the line', () => {
  const sold = (adjFen: number) => ({ adjFen, kind: 'SOLD' as const })
  const all = [49, 50, 100, 200, 201].map(sold)
  expect(all.map((one) => isOutlier(one, 100))).toEqual([true, false, false, false, true])
  expect(dotsOf(all, { predictFen: 100 }).map(({ priceFen }) => priceFen)).toEqual([50, 100, 200])
})
