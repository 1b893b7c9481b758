import { randomOf } from '../../engine/numbers'
import type { Sale } from '../../engine/types'
import { stability } from './drift'

const percentiles = Array.from({ length: 101 }, (_, p) => 10 + p / 100)
const model = { percentiles, sampleN: 2000 }
const sold = (logs: readonly number[]) => logs.map((log) => ({ priceFen: Math.exp(log) }) as Sale)

test('the same population is stable, a shifted one is not', () => {
  const same = Array.from({ length: 500 }, (_, i) => 10 + (i + 0.5) / 500)
  expect(stability(model, sold(same))).toBeLessThan(0.02)
  expect(stability(model, sold(same.map((log) => log + 0.4)))).toBeGreaterThan(0.25)
  expect(stability(model, [])).toBe(0)
})

test.each([
  [50, 0.02],
  [100, 0.001],
])('%d random sales of the same population drift by chance on fewer than %d of the days', (n, share) => {
  const random = randomOf(7)
  const days = Array.from({ length: 3000 }, () =>
    stability(model, sold(Array.from({ length: n }, () => 10 + random()))),
  )
  expect(days.filter((index) => index > 0.25).length / days.length).toBeLessThan(share)
})

test('fifty sales of a dearer market drift', () => {
  const random = randomOf(7)
  const days = Array.from({ length: 300 }, () =>
    stability(model, sold(Array.from({ length: 50 }, () => 10.35 + random()))),
  )
  expect(days.filter((index) => index > 0.25).length / days.length).toBeGreaterThan(0.95)
})
