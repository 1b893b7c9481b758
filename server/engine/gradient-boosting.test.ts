import fc from 'fast-check'
import { runs } from '../test/arbitrary'
import { binned, createBooster, type Features, predictForest } from './gradient-boosting'
import { quantile, type Random, randomOf } from './numbers'
import type { Forest } from './types'

/**
 * Friedman's first benchmark (MARS, 1991): five of ten features are relevant, the noise has a standard deviation of 1.
 */
function friedman(n: number, seed: number) {
  const random = randomOf(seed)
  const columns = Array.from({ length: 10 }, () => Float64Array.from({ length: n }, random))
  const x = (i: number, f: number) => columns[f]?.[i] ?? 0
  const truth = Float64Array.from(
    { length: n },
    (_, i) => 10 * Math.sin(Math.PI * x(i, 0) * x(i, 1)) + 20 * (x(i, 2) - 0.5) ** 2 + 10 * x(i, 3) + 5 * x(i, 4),
  )
  return {
    features: { n, ids: Uint32Array.from({ length: n }, (_, i) => i), columns, monotone: columns.map(() => 0) },
    truth,
    target: truth.map((y) => y + normal(random)),
  }
}

const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

function learned(features: Features, target: Float64Array, rounds: number, depth = 4): Forest {
  const weight = new Float64Array(features.n).fill(1)
  const rows = Int32Array.from({ length: features.n }, (_, i) => i)
  const booster = createBooster(binned(features), target, weight, rows, [], { depth, rate: 0.05 })
  for (let round = 0; round < rounds; round++) booster.step()
  return booster.forest(rounds)
}

const rowOf = ({ columns }: Features, i: number) => ({
  x: Float64Array.from(columns, (column) => column[i] ?? 0),
  unanswered: new Uint8Array(columns.length),
})

test("Friedman's function is learned with less error than by bagged trees (Breiman 1996, table 5: 11.4 alone, 6.2 bagged)", () => {
  const later = friedman(1_000, 4)
  const errors = [1, 2, 3].map((seed) => {
    const { features, target } = friedman(200, seed)
    const forest = learned(features, target, 250)
    const squares = Array.from(later.target, (y, i) => (y - predictForest(forest, rowOf(later.features, i))) ** 2)
    return squares.reduce((total, square) => total + square, 0) / squares.length
  })
  expect(Math.max(...errors)).toBeLessThan(5)
})

test('rows of negligible weight change neither the initial prediction nor the threshold of the errors', () => {
  const { features, target, truth } = friedman(300, 6)
  const rows = Int32Array.from({ length: 300 }, (_, i) => i)
  const weight = Float64Array.from(rows, (i) => (i % 3 === 0 ? 1e-9 : 1))
  const errorOf = (goal: Float64Array) => {
    const booster = createBooster(binned(features), goal, weight, rows, [], { depth: 4, rate: 0.1 })
    for (let round = 0; round < 60; round++) booster.step()
    return quantile(
      Array.from(truth, (y, i) => Math.abs(y - (booster.predicted[i] ?? 0))),
      0.5,
      [...weight],
    )
  }
  const wrong = target.map((y, i) => (i % 3 === 0 ? y + 100 : y))
  expect(errorOf(wrong)).toBeLessThan(1.15 * errorOf(target))
})

test('predictions during training equal those of the stored trees, also for missing values', () => {
  const { features, target } = friedman(300, 5)
  features.columns.forEach((column, f) => {
    for (let i = f; i < 300; i += 7) column[i] = Number.NaN
  })
  const rows = Int32Array.from({ length: 300 }, (_, i) => i)
  const booster = createBooster(binned(features), target, new Float64Array(300).fill(1), rows, [], {
    depth: 4,
    rate: 0.1,
  })
  for (let round = 0; round < 60; round++) booster.step()
  const forest: Forest = JSON.parse(JSON.stringify(booster.forest(60)))
  for (const i of rows) expect(predictForest(forest, rowOf(features, i))).toBeCloseTo(booster.predicted[i] ?? 0, 4)
})

test('a few wrong prices hardly matter: errors beyond three standard deviations count as three', () => {
  const { features, target, truth } = friedman(800, 6)
  const wrong = target.map((y, i) => (i % 40 === 0 ? y + 500 : y))
  const error = (forest: Forest) =>
    quantile(
      Array.from(truth, (y, i) => Math.abs(y - predictForest(forest, rowOf(features, i)))),
      0.5,
    )
  expect(error(learned(features, wrong, 200))).toBeLessThan(1.3 * error(learned(features, target, 200)))
})

describe('a target that may only rise or fall with a feature', () => {
  const { features, target } = friedman(600, 7)
  const monotone = features.columns.map((_, f) => [1, 0, -1][f % 3] ?? 0)
  const forest = learned({ ...features, monotone }, target, 150, 5)
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const account = fc.array(share, { minLength: 10, maxLength: 10 })
  const openness = fc.array(fc.boolean(), { minLength: 10, maxLength: 10 })

  test('is never violated, whatever other features are missing', () => {
    fc.assert(
      fc.property(account, openness, fc.nat(9), share, (own, open, f, other) => {
        fc.pre(monotone[f] !== 0 && !open[f])
        const valueAt = (x: number) =>
          predictForest(forest, {
            x: Float64Array.from(own.with(f, x)),
            unanswered: Uint8Array.from(open, Number),
          })
        const [low, high] = [Math.min(own[f] ?? 0, other), Math.max(own[f] ?? 0, other)]
        expect((monotone[f] ?? 0) * (valueAt(high) - valueAt(low))).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: runs(1_000, 20_000) },
    )
  })

  test('a missing answer is valued no higher than any possible answer', () => {
    fc.assert(
      fc.property(account, openness, fc.nat(9), (own, open, f) => {
        const point = (of: readonly boolean[]) => ({
          x: Float64Array.from(own),
          unanswered: Uint8Array.from(of, Number),
        })
        expect(predictForest(forest, point(open.with(f, true)))).toBeLessThanOrEqual(
          predictForest(forest, point(open.with(f, false))),
        )
      }),
      { numRuns: runs(1_000, 20_000) },
    )
  })
})
