/** Out-of-fold sales correct the formula by field; wrong rows have no influence. */

import { applyFieldShrinkage, fitFieldShrinkage, type HeldOutResidual, residualGradient } from './field-shrinkage'
import { applyHedonic } from './hedonic'
import { quantile } from './numbers'
import type { FieldCode, Hedonic } from './types'

const field = (key: string): FieldCode => ({
  ...{ key, kind: 'list', items: ['x'], rows: 'plain', grades: [], dups: 0 },
  ...{ scale: 0.5, power: 0.8, weights: [1, 1], details: [], interaction: 0, mean: 0.5, missingSd: 0 },
  missing: { contribution: 0.2, interaction: 0 },
})

const hedonic: Hedonic = {
  ...{
    scale: 0,
    level: 0,
    power: 1.5,
    base: 0.1,
    fields: [field('a'), field('b')],
    factors: [],
    ask: 0.1,
    spread: 0.1,
  },
  market: { start: 0, step: 1, values: [0, 0], drift: 0 },
}

/**
 * `n` accounts with varying amounts of both fields; their prices deviate from the formula by `truth` and a little
 * noise.
 */
function missedOf(n: number, truth: (shareA: number) => number): HeldOutResidual[] {
  return Array.from({ length: n }, (_, i) => {
    const answers = { a: Array.from({ length: i % 9 }, () => 'x'), b: Array.from({ length: (i * 5) % 7 }, () => 'x') }
    const { derivatives } = residualGradient(hedonic, answers, 0)
    const chance = 0.05 * Math.sin(i * 12.9898)
    const wrong = i % 10 === 3 ? (i % 20 === 3 ? 2.3 : -2.3) : 0
    return { residual: truth(derivatives.get('a')?.[0] ?? 0) + chance + wrong, weight: 1, derivatives }
  })
}

it('finds by how much a field is overvalued, even with one wrong row in ten', () => {
  const shrinkage = fitFieldShrinkage(missedOf(400, (share) => 0.1 - 0.2 * share))
  const corrected = missedOf(400, (share) => 0.1 - 0.2 * share)
    .filter((_, i) => i % 10 !== 3)
    .map(({ residual, derivatives }) => {
      const moved = [...derivatives].map(([key, [byScale, byPower]]) => {
        const [scale, power] = shrinkage.get(key) ?? [0, 0]
        return byScale * scale + byPower * power
      })
      return Math.abs(residual - 0.1 - moved.reduce((a, b) => a + b, 0))
    })
  // the rest is noise of at most 0.05, to a small part of which the correction has been fitted
  expect(corrected.reduce((a, b) => Math.max(a, b))).toBeLessThan(0.08)
  expect(shrinkage.get('a')?.[0]).toBeLessThan(-0.15)
  expect(Math.abs(shrinkage.get('b')?.[0] ?? 1)).toBeLessThan(0.01)
})

it('leaves a correct formula unchanged, and any formula if there are few sales', () => {
  for (const by of [...fitFieldShrinkage(missedOf(400, () => 0)).values()].flat())
    expect(Math.abs(by)).toBeLessThan(0.01)
  expect(applyFieldShrinkage(hedonic, fitFieldShrinkage(missedOf(49, () => 1)), [])).toEqual(hedonic)
})

it('keeps the price monotone, whatever the sales show', () => {
  const { fields } = applyFieldShrinkage(hedonic, fitFieldShrinkage(missedOf(400, (share) => -9 * share)), [])
  for (const { scale, power } of fields) {
    expect(scale).toBeGreaterThan(0)
    expect(power).toBeGreaterThan(0)
  }
})

it('changes prices relative to each other, never all of them in one direction', () => {
  // parts far from the mean: a power that varies about any other point would change every price by a third
  const steep = { ...hedonic, fields: hedonic.fields.map((code) => ({ ...code, scale: 0.1, power: 2.2, mean: 0.9 })) }
  const accounts = Array.from({ length: 99 }, (_, i) => ({
    a: Array.from({ length: 3 + (i % 3) }, () => 'x'),
    b: Array.from({ length: 2 + (i % 5) }, () => 'x'),
  }))
  const bent = applyFieldShrinkage(
    steep,
    new Map([
      ['a', [0.3, 0.4]],
      ['b', [-0.1, -0.4]],
    ]),
    accounts.map((attributes) => ({ attributes })),
  )
  const moved = accounts.map((account) => {
    const [before, after] = [steep, bent].map((one) => applyHedonic(one, account, 'average').logValue)
    return (after ?? 0) - (before ?? 0)
  })
  expect(Math.abs(quantile(moved, 0.5))).toBeLessThan(1e-9)
  expect(Math.max(...moved)).toBeGreaterThan(0.05)
  expect(Math.min(...moved)).toBeLessThan(-0.05)
})
