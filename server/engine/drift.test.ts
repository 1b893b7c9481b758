import { stability } from './drift'
import type { Sale } from './types'

const percentiles = Array.from({ length: 101 }, (_, p) => 10 + p / 100)
const sold = (logs: readonly number[]) => logs.map((log) => ({ priceFen: Math.exp(log) }) as Sale)

test('the same population is stable, a shifted one is not', () => {
  const same = Array.from({ length: 500 }, (_, i) => 10 + (i + 0.5) / 500)
  expect(stability({ percentiles }, sold(same))).toBeLessThan(0.02)
  expect(stability({ percentiles }, sold(same.map((log) => log + 0.4)))).toBeGreaterThan(0.25)
  expect(stability({ percentiles }, [])).toBe(0)
})
