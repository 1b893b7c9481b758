import { trendOf } from './trend'

const WEEK = 7 * 86_400_000
const weeks = (indices: (number | null)[]) =>
  indices.map((index, i) => ({ at: i * WEEK, index, low: index, high: index, n: index === null ? 0 : 10 }))
const price = { predictFen: 200_000 }

it('scales the price by the mean of every four weeks, and ends with the price itself', () => {
  // 24 weeks: six points, the index rising by 10 from each to the next
  const rising = weeks(Array.from({ length: 24 }, (_, i) => 50 + 10 * Math.floor(i / 4)))
  const trend = trendOf(rising, price, 24 * WEEK)
  expect(trend?.map(({ fen }) => fen)).toEqual([100_000, 120_000, 140_000, 160_000, 180_000, 200_000])
  expect(trend?.at(-1)?.at).toBe(24 * WEEK)
  expect(trend?.[0]?.at).toBe(3 * WEEK)
})

it('ignores weeks after the report and weeks without sales, and gives no trend for less than half a year', () => {
  const flat = weeks([...Array(24).fill(100), ...Array(8).fill(300)])
  expect(new Set(trendOf(flat, price, 23.5 * WEEK)?.map(({ fen }) => fen))).toEqual(new Set([200_000]))
  const gaps = weeks(Array.from({ length: 28 }, (_, i) => (i >= 4 && i < 8 ? null : 100)))
  expect(trendOf(gaps, price, 28 * WEEK)).toHaveLength(6)
  expect(trendOf(weeks(Array(20).fill(100)), price, 20 * WEEK)).toBeUndefined()
  expect(trendOf([], price, 0)).toBeUndefined()
})
