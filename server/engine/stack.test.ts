import type { Answers } from '@/contract/form/types'
import { SALES_UNTIL } from '../test/arbitrary'
import { config, market } from '../test/small-market'
import { randomOf } from './numbers'
import { chosenWeight, lossLimit } from './stack'
import { train } from './train'
import type { Valued } from './types'
import { priceOfRecord, valuate } from './valuate'

// how little other sales move the prices: stack.deep.test.ts
describe('where the formula does not fit', () => {
  const model = train(config, market(300, 1), { now: SALES_UNTIL })
  const valued = (answers: Answers): Valued | undefined => {
    const found = valuate(model, config, answers, { now: SALES_UNTIL, source: 'TYPED' })
    return found.ok ? found : undefined
  }

  test('trees have most of the weight', () => {
    const { treeWeight, trees } = model.stack
    expect(treeWeight).toBeGreaterThan(0.9)
    expect(trees?.roots.length).toBeGreaterThan(10)
  })

  test('a record with all fields unanswered is priced within the range of the sales', () => {
    const opts = { now: SALES_UNTIL, source: 'TYPED' } as const
    const prices = model.sales.map(({ priceFen }) => priceFen).sort((a, b) => a - b)
    const record = priceOfRecord(model, config, {}, opts)
    expect(record?.predictFen).toBeGreaterThanOrEqual(prices[Math.floor(0.1 * prices.length)] ?? 0)
    expect(record?.predictFen).toBeLessThanOrEqual(prices[Math.floor(0.9 * prices.length)] ?? 0)
  })

  const plain = { skins: 50, guns: 20, age: 10, colour: 'blue' }
  test.each<[string, Answers]>([
    ['a number beyond the form', { ...plain, skins: 1e308 }],
    ['a number below the form', { ...plain, guns: -1e9 }],
    ['no number', { ...plain, skins: Number.NaN }],
    ['a word for a number', { ...plain, skins: 'many' }],
    ['a list for a choice', { ...plain, colour: ['red', 'blue'] }],
  ])('%s: a price that was paid before, whose lines add up', (_name, answers) => {
    const found = valued(answers)
    const prices = model.sales.map(({ priceFen }) => priceFen)
    expect(found?.price.predictFen).toBeGreaterThanOrEqual(Math.min(...prices))
    expect(found?.price.predictFen).toBeLessThanOrEqual(Math.max(...prices))
    expect(found?.breakdown.reduce((total, { amountFen }) => total + amountFen, 0)).toBe(found?.price.predictFen)
    // not above the price of the form's best answer
    const best = { ...plain, skins: 100, guns: 100, colour: 'red' }
    expect(found?.price.predictFen).toBeLessThanOrEqual(valued(best)?.price.predictFen ?? 0)
  })
})

test('trees have the weight with the least loss, and none for a negligible gain', () => {
  expect(chosenWeight((weight) => 1 + (weight - 0.6) ** 2)).toBeCloseTo(0.9 * 0.6 + 0.05)
  expect(chosenWeight((weight) => 1 - 0.009 * weight)).toBe(0)
  expect(chosenWeight((weight) => 1 + weight)).toBe(0)
})

test('the limit of errors grows where sound prices are missed by more, not with a few wrong rows', () => {
  const random = randomOf(3)
  const missedBy = (size: number) => Array.from({ length: 200 }, () => size * (random() + random() + random() - 1.5))
  const limitOf = (residuals: number[]) =>
    lossLimit(
      residuals,
      residuals.map(() => 1),
    )
  expect(limitOf(missedBy(0.2))).toBe(0.5)
  const wide = missedBy(2)
  // most errors count as what they are
  expect(wide.filter((residual) => Math.abs(residual) > limitOf(wide)).length).toBeLessThan(3)
  const wrong = wide.map((residual, i) => (i % 20 === 0 ? 7 : residual))
  expect(limitOf(wrong) / limitOf(wide)).toBeLessThan(1.1)
})
