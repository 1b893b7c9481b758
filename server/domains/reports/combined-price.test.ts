import fc from 'fast-check'
import { combinedPrice, type PersonalPrice } from './combined-price'

/** low ≤ quick ≤ price ≤ list ≤ high, as the desk accepts it; prices of two agree within 20 %. */
const person = fc
  .record({
    priceFen: fc.integer({ min: 100_000, max: 110_000 }),
    down: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
    up: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
  })
  .map(({ priceFen, down, up }): PersonalPrice => {
    const of = (share: number) => Math.round(priceFen * share)
    return {
      priceFen,
      details: { lowFen: of(1 - down), quickFen: of(1 - down / 2), listFen: of(1 + up / 2), highFen: of(1 + up) },
    }
  })
const mean = (a: PersonalPrice, b: PersonalPrice) => Math.round((a.priceFen + b.priceFen) / 200) * 100
/** of the price */
const below = ({ priceFen, details }: PersonalPrice) => 1 - (details?.lowFen ?? 0) / priceFen
const above = ({ priceFen, details }: PersonalPrice) => (details?.highFen ?? 0) / priceFen - 1
/** rounding to whole yuan and fen */
const TOLERANCE = 0.001

test('the range of two is never wider than the wider one, and contains quick price, list price and both estimates', () => {
  fc.assert(
    fc.property(person, person, (a, b) => {
      const predictFen = mean(a, b)
      const { lowFen, highFen, quickFen = 0, listFen = 0 } = combinedPrice(predictFen, [a, b], undefined)
      const inside = [quickFen, listFen, a.priceFen, b.priceFen, predictFen]
      expect(lowFen).toBeLessThanOrEqual(Math.min(...inside))
      expect(highFen).toBeGreaterThanOrEqual(Math.max(...inside))
      const needed = { below: 1 - Math.min(...inside) / predictFen, above: Math.max(...inside) / predictFen - 1 }
      expect(1 - lowFen / predictFen).toBeLessThanOrEqual(Math.max(needed.below, below(a), below(b)) + TOLERANCE)
      expect(highFen / predictFen - 1).toBeLessThanOrEqual(Math.max(needed.above, above(a), above(b)) + TOLERANCE)
    }),
  )
})

const ofPrice = (priceFen: number): PersonalPrice => ({
  priceFen,
  details: { lowFen: priceFen * 0.9, quickFen: priceFen * 0.95, listFen: priceFen * 1.06, highFen: priceFen * 1.12 },
})

test('two equally sure appraisers who agree are surer than one', () => {
  // −10 % and +12 % of each become −8.7 % and +10.4 % of their mean
  expect(combinedPrice(100_000, [ofPrice(98_000), ofPrice(102_000)], undefined)).toEqual({
    ...{ predictFen: 100_000, lowFen: 91_340, highFen: 110_392, quickFen: 95_000, listFen: 106_000 },
  })
})

test('one appraiser keeps the own range; a settled price has that of who wrote for it, as wide as the estimates differ', () => {
  const own = { lowFen: 90_000, quickFen: 95_000, listFen: 106_000, highFen: 112_000 }
  expect(combinedPrice(100_000, [ofPrice(100_000)], undefined)).toEqual({ predictFen: 100_000, ...own })
  const apart = [ofPrice(100_000), ofPrice(200_000), ofPrice(140_000)]
  expect(combinedPrice(140_000, apart, ofPrice(140_000))).toEqual({
    ...{ predictFen: 140_000, lowFen: 100_000, highFen: 200_000, quickFen: 133_000, listFen: 148_400 },
  })
})
