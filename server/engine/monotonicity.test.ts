import fc from 'fast-check'
import { weightedMean } from 'simple-statistics'
import { pooled } from './monotonicity'

test('isotonic regression pools neighbours in the wrong order by their weighted mean', () => {
  const of = (...items: [mean: number, n: number][]) =>
    pooled(items.map(([mean, n]) => ({ mean, n }))).map(({ mean, groups }) => [mean, groups.length])
  expect(of([1, 1], [3, 1], [2, 1], [4, 1])).toEqual([
    [1, 1],
    [2.5, 2],
    [4, 1],
  ])
  // the third pulls the first two below each other's mean
  expect(of([5, 1], [6, 1], [1, 2])).toEqual([[3.25, 3]])
  expect(of([2, 1], [2, 3])).toEqual([[2, 2]])
  expect(of()).toEqual([])
})

test('no other non-decreasing means are closer', () => {
  const item = fc.record({ mean: fc.integer({ min: -9, max: 9 }), n: fc.integer({ min: 1, max: 5 }) })
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: -9, max: 9 })),
      (items, some) => {
        const pools = pooled(items)
        const fitted = pools.flatMap(({ mean, groups }) => groups.map(() => mean))
        expect(pools.flatMap(({ groups }) => groups)).toEqual(items)
        expect(fitted).toEqual([...fitted].sort((a, b) => a - b))
        const squares = (guess: readonly number[]) => items.map(({ mean }, i) => (mean - (guess[i] ?? 0)) ** 2)
        const loss = (guess: readonly number[]) =>
          weightedMean(
            squares(guess),
            items.map(({ n }) => n),
          )
        const other = items.map((_, i) => some[i] ?? 9).sort((a, b) => a - b)
        expect(loss(fitted)).toBeLessThanOrEqual(loss(other) + 1e-9)
      },
    ),
  )
})
