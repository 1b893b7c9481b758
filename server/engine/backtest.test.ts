import { noiseFloor } from '../fixtures/synthetic/floor'
import { game, salesOf, UNTIL } from '../test/arbitrary'
import { backtest } from './backtest'

/** Bands around what is reached (README of the generator): wide enough for chance, too narrow for a broken engine. */
test.each([
  ['lolm', 1.4],
  ['hsr', 1.4],
])('later sales of %s are predicted close to the noise floor with an honest range', (id, factor) => {
  const config = game(id)
  const result = backtest(config, salesOf(config, 1_500), { blocks: 2 })
  const floor = noiseFloor(config, { n: 1_500, until: UNTIL })
  expect(result.medianError).toBeLessThan(factor * floor.medianError)
  expect(result.medianError).toBeLessThan(0.5 * (result.baselines.median?.medianError ?? 0))
  // what is compared with must not be broken either
  expect(result.baselines.knn?.medianError).toBeLessThan(0.5 * (result.baselines.median?.medianError ?? 0))
  expect(result.coverage).toBeGreaterThan(0.72)
  expect(result.coverage).toBeLessThan(0.9)
  expect(result.baselines.flat10?.coverage).toBeLessThan(result.coverage)
  expect(result.n + result.refused).toBeGreaterThan(180)
  expect(result.within10).toBeLessThan(result.within20)
})

test('too few sales to test on are refused in words', () => {
  const config = game('val')
  expect(() => backtest(config, salesOf(config, 9))).toThrow('only 9 sales')
})
