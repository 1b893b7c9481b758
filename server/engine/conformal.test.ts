import { createRng } from '../fixtures/synthetic/random'
import {
  accountsFor,
  calibrate,
  endOf,
  errorsOfAll,
  expectedSizeOf,
  followed,
  type HeldOut,
  type Hidden,
} from './conformal'
import { mean } from './numbers'
import type { Conformal } from './types'

/** Simulated residuals. */
function drawn(seed: number, n: number): HeldOut[] {
  const rng = createRng(seed)
  return Array.from({ length: n }, (_, row) => ({ residual: 0.1 * rng.normal(), weight: 1, logPrice: 0, row }))
}

const coveredBy = (conformal: Conformal, accounts: readonly HeldOut[]) =>
  accounts.filter((account) => {
    const score = (account.residual - conformal.bias) / expectedSizeOf(conformal, account.logPrice)
    return score >= conformal.p10 && score <= conformal.p90
  }).length / accounts.length

test('residuals of negligible weight do not change the range', () => {
  const honest = drawn(3, 500)
  const wrong = drawn(4, 400).map((heldOut) => ({ ...heldOut, residual: heldOut.residual - 2, weight: 1e-6 }))
  const [before, after] = [calibrate(honest), calibrate([...honest, ...wrong])]
  for (const heldOut of honest.slice(0, 4)) {
    for (const end of ['p10', 'p25', 'p75', 'p90'] as const) {
      const [own = 0, other = 1] = [before, after].map((by) => by.bias + by[end] * expectedSizeOf(by, heldOut.logPrice))
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
    return Array.from({ length: n }, (_, i) => {
      const logPrice = 8 + 4 * rng.next()
      const residual = sizeAt(logPrice) * rng.normal()
      return {
        residual,
        weight: 1,
        logPrice,
        row: i,
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

test('errors of models that hold sales out become those of the model of all sales', () => {
  const [groups, size, folds] = [300, 6, 3]
  const rng = createRng(7)
  const prices = Array.from({ length: groups * size }, () => rng.normal())
  // the model of each group is the mean of its sales
  const meanOf = (group: number, isUsed: (i: number) => boolean) =>
    mean(prices.filter((_, i) => i % groups === group && isUsed(i)))
  const foldOf = (i: number) => Math.floor(i / groups) % folds
  const known = prices.map((price, i) => 0.1 * (price - meanOf(i % groups, () => true)))
  const heldOut = prices.map((price, i): HeldOut => {
    const residual = price - meanOf(i % groups, (other) => foldOf(other) !== foldOf(i))
    return { residual: 0.1 * residual, weight: 1, logPrice: 0, row: i }
  })
  const share = 1 - 1 / folds
  // the variance of a price, and that of the mean of its group, which the model of all knows better
  const sizes = [share, 1].map((learned) => Math.sqrt(1 + 1 / (learned * size)))
  const factor = (errorsOfAll(heldOut, known, share)(heldOut, share)[0]?.residual ?? 0) / (heldOut[0]?.residual ?? 1)
  expect(factor).toBeCloseTo((sizes[1] ?? 0) / (sizes[0] ?? 1), 2)
  // a model whose errors are the same on what it knows has nothing more to learn
  const same = heldOut.map(({ residual }) => residual)
  expect(errorsOfAll(heldOut, same, share)(heldOut, share)).toEqual(heldOut)
})

test('where prices drift, the end that they pass moves outwards; without a drift the ends stay', () => {
  const complete = (seed: number, n: number, shift: number): HeldOut[] =>
    drawn(seed, n).map((heldOut) => ({ ...heldOut, residual: heldOut.residual + shift }))
  const conformal = calibrate(complete(1, 1_000, 0))
  const steady = followed(conformal, complete(2, 500, 0))
  for (const end of ['p10', 'p90'] as const) expect(Math.abs(Math.log(steady[end] / conformal[end]))).toBeLessThan(0.05)
  const later = complete(3, 2_000, 0.12)
  const drifting = followed(conformal, later)
  expect(drifting.p90).toBeGreaterThan(1.3 * conformal.p90)
  expect(drifting.p10).toBe(conformal.p10)
  expect(coveredBy(conformal, later)).toBeLessThan(0.7)
  expect(coveredBy(drifting, later)).toBeGreaterThan(0.75)
})

test.each([
  ['no open multiplier', 0],
  ['open multipliers that may add a quarter', 0.25],
])('accounts with open answers are covered as often as complete ones, at the least level: %s', (_, upside) => {
  const rng = createRng(5)
  const size = 0.15
  const hidden = Array.from({ length: 1_200 }, (_, i): Hidden => {
    const open = i % 3
    const unknown = open === 0 ? 0 : 0.3 * open * rng.normal()
    const logAt = (share: number) => (open === 0 ? 0 : 0.3 * open * 1.28 * (2 * share - 1))
    const log = 0.1 * rng.normal() + unknown + upside * rng.next()
    return { open, isLeast: open === 2, weight: 1, log, logAt, upside, low: -1.28 * size, high: 1.28 * size }
  })
  const accounts = accountsFor(hidden)
  // complete accounts have smaller errors than the records from which the size was learned
  expect(accounts.error.up).toBeLessThan(0.85)
  expect(accounts.level).toBeGreaterThan(upside > 0 ? 0.15 : 0.3)
  expect(accounts.level).toBeLessThan(0.45)
  const conformal = { ...calibrate([]), p10: -1.28, p90: 1.28, size: Math.log(size), accounts }
  for (const open of [0, 1, 2]) {
    const own = hidden.filter((account) => account.open === open)
    const covered = own.filter(({ log, logAt }) => {
      const logPrice = logAt(accounts.level)
      const end = (score: number, share: number) =>
        endOf(conformal, score, { logPrice, open, gap: Math.abs(logAt(share) - logPrice) + (score > 0 ? upside : 0) })
      return log >= end(conformal.p10, 0.1) && log <= end(conformal.p90, 0.9)
    })
    expect(covered.length / own.length).toBeGreaterThan(0.77)
    expect(covered.length / own.length).toBeLessThan(0.83)
  }
})

test('open answers have their factor at both ends, also where no completion is worth less than the price', () => {
  const ends = { down: 0.5, up: 2 }
  const conformal: Conformal = {
    ...calibrate([]),
    accounts: { level: 0.1, error: { down: 1, up: 1 }, gaps: [{ open: 1, ...ends }] },
  }
  for (const [score, factor] of [
    [conformal.p10, ends.down],
    [conformal.p90, ends.up],
  ] as const) {
    const [complete, open] = [0, 1].map((n) => endOf(conformal, score, { logPrice: 9, open: n, gap: 0 }) - 9)
    expect(open).toBeCloseTo(factor * (complete ?? 0))
  }
})

test('a dearer account has no lower end, however the errors change with the price', () => {
  const levels = { logPrices: [8, 8.1, 8.2, 9], logFactors: [0, 1.5, -1.5, 0] }
  const conformal: Conformal = { ...calibrate([]), levels }
  for (const score of [conformal.p10, conformal.p90]) {
    const ends = Array.from({ length: 200 }, (_, i) =>
      Number(endOf(conformal, score, { logPrice: 7.5 + i / 100, open: 0, gap: 0 }).toFixed(9)),
    )
    expect(ends).toEqual([...ends].sort((a, b) => a - b))
  }
})
