import { barsOf } from './market'

test('values lie between the ends of all intervals; weeks with few sales stay empty', () => {
  const week = (at: number, index: number | null, low: number | null, high: number | null) => ({
    at,
    index,
    low,
    high,
    n: 9,
  })
  const [first, empty, last] = barsOf([week(1, 100, 95, 105), week(2, null, null, null), week(3, 110, 100, 120)])
  expect(first).toMatchObject({ height: 25, low: 8, high: 42, range: [95, 105] })
  expect(empty).toMatchObject({ height: undefined })
  expect(last?.high).toBe(92)
  expect(barsOf([])).toEqual([])
})
