import { isOutlier, offScaleText, splitDots } from './priceRange'

const sold = (adjFen: number) => ({ adjFen, kind: 'SOLD' as const })

test('a price over twice or under half of the expected one is an outlier', () => {
  const all = [49, 50, 100, 200, 201].map(sold)
  expect(all.map((one) => isOutlier(one, 100))).toEqual([true, false, false, false, true])
})

test('dots are placed by price; those beyond the line are counted at its end', () => {
  const price = { predictFen: 20_000, lowFen: 15_000, highFen: 30_000 }
  const { dots, lower, higher } = splitDots([1000, 15_000, 20_000, 30_000, 70_000, 90_000].map(sold), price)
  expect(dots.map(({ priceFen }) => priceFen)).toEqual([15_000, 20_000, 30_000])
  expect(lower && offScaleText(lower, 'lower')).toBe('1 个更低 ¥10')
  expect(higher && offScaleText(higher, 'higher')).toBe('2 个更高，最高 ¥900')
  expect(splitDots([sold(20_000)], price)).toEqual({
    dots: [{ priceFen: 20_000, kind: 'SOLD', similarity: undefined }],
  })
})
