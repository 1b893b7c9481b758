/** Assertions on the engine's accuracy for generated sales, relative to the irreducible error. */
import { backtest } from '../domains/models/backtest'
import { irreducibleError } from '../research/irreducible-error'
import { game, SALES_UNTIL, salesOf } from './arbitrary'

const N = 1_500

/**
 * Tolerances around the measured figures (README of the generator): wide enough for chance, too narrow for a broken
 * engine.
 * @param blocks trainings
 */
export function expectNearIrreducibleError(id: string, factor: number, blocks = 2): void {
  const config = game(id)
  const result = backtest(config, salesOf(config, N), { blocks })
  const limit = irreducibleError(config, { n: N, until: SALES_UNTIL })
  expect(result.medianError).toBeLessThan(factor * limit.medianError)
  expect(result.medianError).toBeLessThan(0.25 * (result.baselines.median?.medianError ?? 0))
  // the baseline must be plausible too
  expect(result.baselines.knn?.medianError).toBeLessThan(0.42 * (result.baselines.median?.medianError ?? 0))
  expect(result.coverage).toBeGreaterThan(0.76)
  expect(result.coverage).toBeLessThan(0.85)
  expect(result.n + result.refused).toBeGreaterThan(180)
  expect(result.within10).toBeLessThan(result.within20)
}
