import type { Answers } from '@/contract/form/types'
import { SALES_UNTIL } from '../test/arbitrary'
import { flats } from '../test/benchmark-markets'
import { mean, quantile, share } from './numbers'
import { train } from './train'
import type { Model, Sale, Valued } from './types'
import { priceOfRecord, valuate } from './valuate'

const LEARNED = 300
const typed = { now: SALES_UNTIL, source: 'TYPED' } as const

/** Median error of the prices of later sales. */
const errorOf = (model: Model, config: Parameters<typeof train>[0], later: readonly Sale[]): number =>
  quantile(
    later.map(({ attributes, priceFen }) =>
      Math.abs((priceOfRecord(model, config, attributes, typed)?.predictFen ?? 0) / priceFen - 1),
    ),
    0.5,
  )

describe('a list without a promised direction, of which half of the items lower the price', () => {
  const { config, sales } = flats(LEARNED + 500, SALES_UNTIL, { falling: true, role: 'value-' })
  const later = sales.slice(LEARNED)
  const model = train(config, sales.slice(0, LEARNED), { now: SALES_UNTIL })
  const valued = (answers: Answers): Valued => {
    const found = valuate(model, config, answers, typed)
    if (!found.ok) throw new Error('refused')
    return found
  }
  const some = later.slice(0, 60).map(({ attributes }) => attributes)
  const traitsOf = ({ traits }: Answers): string[] => (Array.isArray(traits) ? traits.map(String) : [])

  test('is learned: prices are hardly farther off than the noise of the market', () => {
    // 0.054 is the median of the noise; 0.117 if each item can only raise the price
    expect(errorOf(model, config, later)).toBeLessThan(0.08)
  })

  test('an item that lowers the price does so in every account', () => {
    const falls = some.flatMap((answers) => {
      const own = traitsOf(answers)
      if (own.includes('trait1')) return []
      const [before, after] = [own, [...own, 'trait1']].map((traits) => valued({ ...answers, traits }).price.predictFen)
      return [(after ?? 0) / (before ?? 1)]
    })
    expect(falls.length).toBeGreaterThan(20)
    expect(Math.max(...falls)).toBeLessThan(1)
  })

  test('the lines add up, and that of the list is what it takes away or adds', () => {
    for (const answers of some) {
      const { breakdown, price } = valued(answers)
      expect(breakdown.reduce((total, { amountFen }) => total + amountFen, 0)).toBe(price.predictFen)
      const line = breakdown.find(({ key }) => key === 'traits')
      const without = valued({ ...answers, traits: [] }).price.predictFen
      if (Math.abs(price.predictFen / without - 1) < 0.05) continue
      expect(Math.sign(line?.amountFen ?? 0)).toBe(Math.sign(price.predictFen - without))
    }
  })

  test('left open it is taken as usual and named', () => {
    const ratios = some.map(({ traits, ...open }) => {
      const { price, confidence, breakdown } = valued(open)
      expect(confidence.assumed).toEqual([{ key: 'traits', label: 'traits' }])
      expect(breakdown.reduce((total, { amountFen }) => total + amountFen, 0)).toBe(price.predictFen)
      const whole = valued({ ...open, traits }).price
      expect(price.highFen / price.lowFen).toBeGreaterThan(whole.highFen / whole.lowFen)
      return Math.log(price.predictFen / whole.predictFen)
    })
    expect(Math.abs(mean(ratios))).toBeLessThan(0.25)
    expect(share(ratios, (ratio) => ratio > Math.log(1.05))).toBeLessThan(0.5)
  })
})

test('where no item lowers the price such a list is learned as well as one that promises it', () => {
  const errors = (['value', 'value-'] as const).map((role) => {
    const { config, sales } = flats(LEARNED + 500, SALES_UNTIL, { falling: false, role })
    return errorOf(train(config, sales.slice(0, LEARNED), { now: SALES_UNTIL }), config, sales.slice(LEARNED))
  })
  expect((errors[1] ?? 1) / (errors[0] ?? 1)).toBeLessThan(1.02)
})
