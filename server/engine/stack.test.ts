import type { Answers } from '@/contract/form/types'
import { SALES_UNTIL } from '../test/arbitrary'
import { config, market } from '../test/small-market'
import { featuresOf } from './features'
import { randomOf } from './numbers'
import { chosenWeights, isBetterAlone, lossLimit } from './stack'
import { train } from './train'
import { LEARNERS, type Learner, type Valued } from './types'
import { priceOfRecord, valuate } from './valuate'

// how little other sales move the prices: stack.deep.test.ts
describe('where the formula does not fit', () => {
  const model = train(config, market(300, 1), { now: SALES_UNTIL })
  const valued = (answers: Answers): Valued | undefined => {
    const found = valuate(model, config, answers, { now: SALES_UNTIL, source: 'TYPED' })
    return found.ok ? found : undefined
  }

  test('trees have most of the weight, and weights add up to one', () => {
    const { weights, errors, trees, residualTrees } = model.stack
    expect(weights.trees + weights.residualTrees).toBeGreaterThan(0.9)
    expect(weights.formula + weights.trees + weights.residualTrees).toBeCloseTo(1, 9)
    expect(errors.stack ?? 1).toBeLessThan(0.45 * (errors.formula ?? 0))
    // learners of weight 0 are not stored
    expect([trees !== undefined, residualTrees !== undefined]).toEqual([weights.trees > 0, weights.residualTrees > 0])
  })

  test("trees may use the formula's value, trees on what it leaves over do not", () => {
    const { hedonic, stack } = train(config, market(100, 1), { now: SALES_UNTIL, all: true })
    const last = featuresOf(config, hedonic).length - 1
    const used = [stack.trees, stack.residualTrees].map((forest) => forest?.split.some((own) => own >> 1 === last))
    expect(used).toEqual([true, false])
  })

  test('a record with all fields unanswered is priced within the range of the sales', () => {
    const opts = { now: SALES_UNTIL, source: 'TYPED' } as const
    const prices = model.sales.map(({ priceFen }) => priceFen).sort((a, b) => a - b)
    const record = priceOfRecord(model, config, {}, opts)
    // the average is expected for such a record, with a wider range than for a complete one
    const complete = priceOfRecord(model, config, market(1, 5)[0]?.attributes ?? {}, opts)
    expect(record?.predictFen).toBeGreaterThanOrEqual(prices[Math.floor(0.1 * prices.length)] ?? 0)
    expect(record?.predictFen).toBeLessThanOrEqual(prices[Math.floor(0.9 * prices.length)] ?? 0)
    const width = (price: typeof record) => (price ? Math.log(price.highFen / price.lowFen) : 0)
    expect(width(record)).toBeGreaterThan(width(complete))
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

describe('which learners are published', () => {
  const FOLDS = 10
  /** three sales a fold, all of log price 0, so that a prediction is its error */
  const fold = Array.from({ length: 3 * FOLDS }, (_, i) => i % FOLDS)
  const choose = (errorOf: (learner: Learner, fold: number, i: number) => number) =>
    chosenWeights(
      Object.fromEntries(LEARNERS.map((one) => [one, fold.map((k, i) => errorOf(one, k, i))])) as Record<
        Learner,
        number[]
      >,
      (predicted) => predicted.map(Math.abs),
      fold.map(() => 1),
      fold,
      FOLDS,
    )

  test('the combination if the errors of two learners cancel', () => {
    const weights = choose((one, _, i) => (one === 'formula' ? 1 : (one === 'trees' ? 0.1 : -0.1) * (1 + (i % 3))))
    expect(weights.formula).toBe(0)
    expect(weights.trees).toBeCloseTo(0.5)
    expect(weights.residualTrees).toBeCloseTo(0.5)
  })

  test('the best learner alone if weights learned on the other folds are worse on each fold', () => {
    // each is wrong where the other is right, so the better one on the other folds is the worse one on this fold
    const weights = choose((one, k) => {
      if (one === 'formula') return 1
      return (k % 2 === 0) === (one === 'trees') ? 0.2 : 0.1
    })
    expect(weights).toEqual({ formula: 0, trees: 1, residualTrees: 0 })
  })

  test('a learner far worse than the best one has no weight, even if it would cancel errors', () => {
    const weights = choose((one) => (one === 'formula' ? 0.1 : -0.14))
    expect(weights).toEqual({ formula: 1, trees: 0, residualTrees: 0 })
  })

  test.each<[string, Learner, number[], boolean]>([
    ['trees, the combination worse by more than one standard error', 'trees', [0.02, 0.03, 0.02, 0.01], true],
    ['trees, the combination worse by less than that', 'trees', [0.05, -0.04, 0.03, -0.02], false],
    ['trees, the combination better by little', 'trees', [-1e-4, -1e-4, -1e-4, -1e-4], false],
    ['the formula, the combination better by little', 'formula', [-1e-4, -1e-4, -1e-4, -1e-4], true],
    ['the formula, the combination better by one per cent', 'formula', [-1e-3, -2e-3, 0, -1e-3], false],
  ])('%s', (_name, one, differences, alone) => {
    expect(isBetterAlone({ one, mean: 0.1 }, differences)).toBe(alone)
  })
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
  expect(wide.filter((one) => Math.abs(one) > limitOf(wide)).length).toBeLessThan(3)
  const wrong = wide.map((one, i) => (i % 20 === 0 ? 7 : one))
  expect(limitOf(wrong) / limitOf(wide)).toBeLessThan(1.1)
})
