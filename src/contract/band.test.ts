import { isOutlier, offScaleText, splitDots } from './band'

const sold = (adjFen: number) => ({ adjFen, kind: 'SOLD' as const })

test('what would have cost more than twice or less than half as much is an outlier', () => {
  const all = [49, 50, 100, 200, 201].map(sold)
  expect(all.map((one) => isOutlier(one, 100))).toEqual([true, false, false, false, true])
})

test('dots stand where their price is; what is beyond the line is counted at its end', () => {
  const price = { predictFen: 20_000, lowFen: 15_000, highFen: 30_000 }
  const { dots, lower, higher } = splitDots([1000, 15_000, 20_000, 30_000, 70_000, 90_000].map(sold), price)
  expect(dots.map(({ priceFen }) => priceFen)).toEqual([15_000, 20_000, 30_000])
  expect(lower && offScaleText(lower, 'lower')).toBe('1 个更低 ¥10')
  expect(higher && offScaleText(higher, 'higher')).toBe('2 个更高，最高 ¥900')
  expect(splitDots([sold(20_000)], price)).toEqual({
    dots: [{ priceFen: 20_000, kind: 'SOLD', similarity: undefined }],
  })
})
