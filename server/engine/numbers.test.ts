import fc from 'fast-check'
import { isotonic, weightedMean } from './numbers'

const value = (item: { y: number }) => item.y
const weight = (item: { w: number }) => item.w

test('isotonic regression pools neighbours in the wrong order by their weighted mean', () => {
  const of = (...items: [y: number, w: number][]) =>
    isotonic(
      items.map(([y, w]) => ({ y, w })),
      value,
      weight,
    ).map(({ mean, items }) => [mean, items.length])
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
  const item = fc.record({ y: fc.integer({ min: -9, max: 9 }), w: fc.integer({ min: 1, max: 5 }) })
  fc.assert(
    fc.property(
      fc.array(item, { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: -9, max: 9 })),
      (items, some) => {
        const pools = isotonic(items, value, weight)
        const fitted = pools.flatMap(({ mean, items }) => items.map(() => mean))
        expect(pools.flatMap((pool) => pool.items)).toEqual(items)
        expect(fitted).toEqual([...fitted].sort((a, b) => a - b))
        const squares = (guess: readonly number[]) => items.map(({ y }, i) => (y - (guess[i] ?? 0)) ** 2)
        const loss = (guess: readonly number[]) => weightedMean(squares(guess), items.map(weight))
        const other = items.map((_, i) => some[i] ?? 9).sort((a, b) => a - b)
        expect(loss(fitted)).toBeLessThanOrEqual(loss(other) + 1e-9)
      },
    ),
  )
})
