/** Assertions on the engine's accuracy for generated sales, relative to the irreducible error. */
import { backtest } from '../domains/models/backtest'
import { irreducibleError } from '../research/irreducible-error'
import { game, SALES_UNTIL, salesOf } from './arbitrary'

const N = 1_500

/**
 * Tolerances around the measured figures (README of the generator): wide enough for chance, too narrow for a broken
 * engine.
 */
export function expectNearIrreducibleError(id: string, factor: number): void {
  const config = game(id)
  const sales = salesOf(config, N)
  const result = backtest(config, sales, { blocks: 2 })
  // of the rows that are tested: others may be harder or easier
  const since = sales.map(({ at }) => at).sort((a, b) => a - b)[Math.floor(0.8 * N)] ?? 0
  const limit = irreducibleError(config, { n: N, until: SALES_UNTIL }, ({ at }) => at >= since)
  expect(result.medianError).toBeLessThan(factor * limit.medianError)
  expect(result.medianError).toBeLessThan(0.25 * (result.baselines.median?.medianError ?? 0))
  // the baseline must be plausible too
  expect(result.baselines.knn?.medianError).toBeLessThan(0.42 * (result.baselines.median?.medianError ?? 0))
  expect(result.coverage).toBeGreaterThan(0.76)
  expect(result.coverage).toBeLessThan(0.85)
  expect(result.n + result.refused).toBeGreaterThan(180)
  expect(result.within10).toBeLessThan(result.within20)
}
