import { createRng } from '../fixtures/synthetic/random'
import { calibrate, expectedSizeOf, type HeldOut } from './conformal'

/** Simulated residuals: blanks are mostly harmless and, one time in three, cause large errors. */
function drawn(seed: number, n: number): HeldOut[] {
  const rng = createRng(seed)
  return Array.from({ length: n }, (_, i) => {
    const open = i % 4 === 0 ? 0.9 : 0
    const hidden = open > 0 && rng.next() < 1 / 3 ? 0.35 * rng.normal() : 0
    return { residual: 0.1 * rng.normal() + hidden, open, empty: 0.1, apart: 0, log: 0, unsure: false }
  })
}

test('the range holds for accounts that leave something open as for those that do not', () => {
  const conformal = calibrate(drawn(1, 1_500))
  const covered = (accounts: readonly HeldOut[]) =>
    accounts.filter((one) => {
      const score = (one.residual - conformal.bias) / expectedSizeOf(conformal, one)
      return score >= conformal.p10 && score <= conformal.p90
    }).length / accounts.length
  const later = drawn(2, 4_000)
  for (const open of [0, 0.9]) {
    const share = covered(later.filter((one) => one.open === open))
    expect(share).toBeGreaterThan(0.75)
    expect(share).toBeLessThan(0.85)
  }
})
