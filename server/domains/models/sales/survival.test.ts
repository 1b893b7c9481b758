import { randomOf } from '../../../engine/numbers'
import { fitSellTime, medianDays, type Spell } from './survival'

/** Freireich et al. 1963, the 6-MP arm: the textbook example of Cox and Collett. */
const treated = [
  ...[6, 6, 6, 7, 10, 13, 16, 22, 23].map((days) => ({ days, sold: true, ratio: 1 })),
  ...[6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map((days) => ({ days, sold: false, ratio: 1 })),
]
const placebo = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23].map((days) => ({
  ...{ days, sold: true, ratio: 0 },
}))

test('Cox of both arms is the published one with Breslow ties, −1.51', () => {
  expect(fitSellTime([...treated, ...placebo])?.slope).toBeCloseTo(-1.51, 1)
})

test('slope and times are recovered with a third of the listings censored', () => {
  const random = randomOf(7)
  const [slope, scale] = [-4, 14]
  const spells = Array.from({ length: 3_000 }, (): Spell => {
    const ratio = 0.4 * (random() - 0.4)
    const days = (-Math.log(1 - random()) * scale) / Math.exp(slope * ratio)
    const seen = 5 + 60 * random()
    return { days: Math.min(days, seen), sold: days <= seen, ratio }
  })
  const fitted = fitSellTime(spells)
  if (!fitted) throw new Error('nothing fitted')
  expect(fitted.slope).toBeGreaterThan(-4.6)
  expect(fitted.slope).toBeLessThan(-3.4)
  for (const ratio of [-0.1, 0, 0.1]) {
    const right = (Math.log(2) * scale) / Math.exp(slope * ratio)
    expect(Math.abs((medianDays(fitted, ratio) ?? 0) - right)).toBeLessThan(2 + 0.12 * right)
  }
})

test('without a sale there is no model; a more expensive account never sells faster', () => {
  expect(fitSellTime([{ days: 5, sold: false, ratio: 0 }])).toBeUndefined()
  const odd = [1, 2, 3, 4].map((days) => ({ days, sold: true, ratio: -days / 10 }))
  const fitted = fitSellTime(odd)
  expect(fitted?.slope).toBeLessThanOrEqual(0)
  expect(medianDays({ slope: -1, hazard: [[3, 0.2]] }, 0)).toBeUndefined()
})
