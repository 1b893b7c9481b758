import { createRng } from '../fixtures/synthetic/random'
import type { DesignMatrix } from './design-matrix'
import { recentShift, withShift } from './level-shift'
import { DAY } from './numbers'

const NOW = Date.UTC(2026, 10, 20)

/** Five sales a day for 120 days, of which those of the last `days` are shifted by `log`. */
function market(log: number, days: number, trust: (i: number) => number = () => 1) {
  const rng = createRng(1)
  const n = 600
  const at = Float64Array.from({ length: n }, (_, i) => NOW - ((n - i) * DAY) / 5)
  const residual = at.map((time) => 0.15 * rng.normal() + (time >= NOW - days * DAY ? log : 0))
  const weight = Float64Array.from({ length: n }, (_, i) => trust(i))
  return recentShift({ at, asking: new Uint8Array(n), weight } as DesignMatrix, residual)
}

test.each([
  [-0.69, 4],
  [-0.69, 30],
  [0.4, 10],
])('a market shifted by %d for %d days is seen, with its day', (log, days) => {
  const shift = market(log, days)
  expect(Math.abs((shift?.log ?? 0) - log)).toBeLessThan(0.1)
  expect(Math.abs((shift?.at ?? 0) - (NOW - days * DAY))).toBeLessThan(2 * DAY)
})

test('no shift is found in a quiet market, of a single day, by a factor of a hundred, or in sales of negligible weight', () => {
  expect(market(0, 30)).toBeUndefined()
  expect(market(0.1, 30)).toBeUndefined()
  expect(market(-0.69, 1)).toBeUndefined()
  expect(market(4.6, 10)).toBeUndefined()
  expect(market(-0.69, 10, (i) => (i >= 550 ? 0.1 : 1))).toBeUndefined()
})

test('one wrong batch of sales on a single day is not a shift', () => {
  const rng = createRng(2)
  const at = Float64Array.from({ length: 300 }, (_, i) => (i < 250 ? NOW - ((250 - i) * DAY) / 3 : NOW - 60_000))
  const residual = at.map((time) => 0.15 * rng.normal() + (time > NOW - DAY / 4 ? -0.69 : 0))
  const table = { at, asking: new Uint8Array(300), weight: new Float64Array(300).fill(1) } as DesignMatrix
  expect(recentShift(table, residual)).toBeUndefined()
})

test('a break of ten sales is seen behind a mild fall that has lasted for weeks', () => {
  const rng = createRng(1)
  const at = Float64Array.from({ length: 270 }, (_, i) => NOW - ((270 - i) * DAY) / 3)
  const fallen = (days: number, log: number, time: number) => (time >= NOW - days * DAY ? log : 0)
  const residual = at.map((time) => 0.15 * rng.normal() + fallen(14, -0.15, time) + fallen(3.5, -0.6, time))
  const table = { at, asking: new Uint8Array(270), weight: new Float64Array(270).fill(1) } as DesignMatrix
  const shift = recentShift(table, residual)
  expect(Math.abs((shift?.at ?? 0) - (NOW - 3.5 * DAY))).toBeLessThan(DAY)
  expect(shift?.log).toBeLessThan(-0.5)
})

test('the market path steps on the day of the shift and is unchanged elsewhere', () => {
  const market = { start: NOW - 60 * DAY, step: 30 * DAY, values: [0, 0.03, 0], drift: 0 }
  const { step, values } = withShift(market, { at: NOW - 10 * DAY, log: -0.5 })
  expect(step).toBe(DAY)
  expect(values[15]).toBeCloseTo(0.015)
  expect(values[49]).toBeCloseTo(0.011)
  expect(values[50]).toBeCloseTo(0.01 - 0.5)
  expect(values).toHaveLength(61)
})
