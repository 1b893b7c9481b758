import { isOutlier, offScaleText, positionOnScale, splitDots } from './priceRange'

const sold = (adjFen: number) => ({ adjFen, kind: 'SOLD' as const })

test('a price over twice or under half of the expected one is an outlier', () => {
  const all = [49, 50, 100, 200, 201].map(sold)
  expect(all.map((one) => isOutlier(one, 100))).toEqual([true, false, false, false, true])
})

test('dots are placed by price; those beyond the line are counted at its end', () => {
  const price = { predictFen: 20_000, lowFen: 18_000, highFen: 24_000 }
  const { dots, lower, higher } = splitDots([15_000, 18_000, 20_000, 24_000, 30_000, 40_000].map(sold), price)
  expect(dots.map(({ priceFen }) => priceFen)).toEqual([18_000, 20_000, 24_000])
  expect(lower && offScaleText(lower, 'lower')).toBe('1 个更低 ¥150')
  expect(higher && offScaleText(higher, 'higher')).toBe('2 个更高，最高 ¥400')
  expect(splitDots([sold(20_000)], price)).toEqual({
    dots: [{ priceFen: 20_000, kind: 'SOLD' }],
    sold: 1,
    asking: 0,
  })
})

test('abnormal sales are neither drawn nor counted', () => {
  const price = { predictFen: 20_000, lowFen: 15_000, highFen: 30_000 }
  const usual = [{ adjFen: 22_000, kind: 'ASKING' as const }, sold(20_000), sold(39_000)]
  const split = splitDots(usual, price)
  expect(split).toMatchObject({ sold: 2, asking: 1, higher: { n: 1, fen: 39_000 } })
  expect(splitDots([...usual, sold(9_000), sold(392_600)], price)).toEqual(split)
})

test('the ends of a common scale are the ends of the line', () => {
  const scale = { lowFen: 39_800, highFen: 1_543_000 }
  expect([39_800, 791_400, 1_543_000].map((fen) => positionOnScale(fen, scale))).toEqual([0, 50, 100])
  expect(positionOnScale(500, { lowFen: 500, highFen: 500 })).toBe(0)
})
