import { shiftedCount } from './screening'

const repeat = (n: number, shift: number) => Array.from({ length: n }, (_, i) => shift + ((i % 9) - 4) / 50)

test.each([
  ['an honest source', repeat(300, 0), 0],
  ['all sales of a source', repeat(40, 0.2), 40],
  ['those since it has sent asking prices', [...repeat(240, 0), ...repeat(60, 0.22)], 60],
  ['the same when they are more than half of all', [...repeat(100, 0), ...repeat(200, 0.22)], 200],
  ['prices that are too low', [...repeat(200, 0.02), ...repeat(100, -0.5)], 100],
])('the sales of a shift are counted: %s', (_what, residuals, n) => {
  expect(Math.abs(shiftedCount(residuals, 0.16) - n)).toBeLessThanOrEqual(3)
})
