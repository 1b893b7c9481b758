import { createRng } from '../fixtures/synthetic/random'
import { calibrate, expectedSizeOf, type HeldOut } from './conformal'
import type { Conformal } from './types'

/** Simulated residuals: missing answers are mostly harmless and, one time in three, cause large errors. */
function drawn(seed: number, n: number): HeldOut[] {
  const rng = createRng(seed)
  return Array.from({ length: n }, (_, i) => {
    const open = i % 4 === 0 ? 0.9 : 0
    const hidden = open > 0 && rng.next() < 1 / 3 ? 0.35 * rng.normal() : 0
    return {
      residual: 0.1 * rng.normal() + hidden,
      weight: 1,
      missingInflation: open,
      sparsity: 0.1,
      disagreement: 0,
      logPrice: 0,
      lowConfidence: false,
    }
  })
}

const coveredBy = (conformal: Conformal, accounts: readonly HeldOut[]) =>
  accounts.filter((one) => {
    const score = (one.residual - conformal.bias) / expectedSizeOf(conformal, one)
    return score >= conformal.p10 && score <= conformal.p90
  }).length / accounts.length

test('accounts with missing answers are covered as often as complete ones', () => {
  const conformal = calibrate(drawn(1, 1_500))
  const later = drawn(2, 4_000)
  for (const open of [0, 0.9]) {
    const share = coveredBy(
      conformal,
      later.filter((one) => one.missingInflation === open),
    )
    expect(share).toBeGreaterThan(0.75)
    expect(share).toBeLessThan(0.85)
  }
})

test('residuals of negligible weight do not change the range', () => {
  const honest = drawn(3, 500)
  const wrong = drawn(4, 400).map((one) => ({ ...one, residual: one.residual - 2, weight: 1e-6 }))
  const [before, after] = [calibrate(honest), calibrate([...honest, ...wrong])]
  for (const one of honest.slice(0, 4)) {
    for (const end of ['p10', 'p25', 'p75', 'p90'] as const) {
      const [own = 0, other = 1] = [before, after].map((by) => by.bias + by[end] * expectedSizeOf(by, one))
      expect(other).toBeCloseTo(own, 2)
    }
  }
})

test.each([
  ['twice as large at both ends', (logPrice: number) => 0.1 * (Math.abs(logPrice - 10) > 1 ? 2 : 1)],
  ['falling to a tenth', (logPrice: number) => 0.2 * Math.exp(-1.2 * Math.max(0, logPrice - 10))],
])('each quarter of the estimated price is covered as often, errors %s', (_, sizeAt) => {
  const market = (seed: number, n: number): HeldOut[] => {
    const rng = createRng(seed)
    return Array.from({ length: n }, () => {
      const logPrice = 8 + 4 * rng.next()
      const residual = sizeAt(logPrice) * rng.normal()
      return {
        residual,
        weight: 1,
        missingInflation: 0,
        sparsity: 0.1,
        disagreement: 0,
        logPrice,
        lowConfidence: false,
      }
    })
  }
  const conformal = calibrate(market(1, 1_500))
  const later = market(2, 8_000).sort((a, b) => a.logPrice - b.logPrice)
  for (let k = 0; k < 4; k++) {
    const share = coveredBy(conformal, later.slice(2_000 * k, 2_000 * (k + 1)))
    expect(share).toBeGreaterThan(0.75)
    expect(share).toBeLessThan(0.85)
  }
})
