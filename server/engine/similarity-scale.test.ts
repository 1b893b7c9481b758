import fc from 'fast-check'
import { game, modelOf, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { sum } from './numbers'
import { similarity } from './similarity-scale'
import { valuate } from './valuate'

// what it means in markets whose true prices are known: similarity-scale.deep.test.ts
test('similarity falls with distance and with the price difference, and a tenfold price is never similar', () => {
  const scale = fc
    .array(fc.tuple(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })), {
      minLength: 1,
      maxLength: 12,
    })
    .map((knots) => ({
      distances: knots.map((_, k) => sum(knots.slice(0, k + 1).map(([step]) => step))),
      shares: knots.map(([, share]) => share).sort((a, b) => b - a),
    }))
  const log = fc.double({ min: 0, max: 8, noNaN: true })
  fc.assert(
    fc.property(scale, log, log, log, (own, d, rest, more) => {
      const at = similarity(own, d, rest)
      expect(at).toBeLessThanOrEqual(1)
      expect(at).toBeGreaterThanOrEqual(0)
      expect(similarity(own, d + more, rest)).toBeLessThanOrEqual(at)
      expect(similarity(own, d, rest + more)).toBeLessThanOrEqual(at)
      expect(similarity(own, d, -rest)).toBe(at)
      expect(similarity(own, d, Math.log(10) + more)).toBeLessThanOrEqual(0.2)
    }),
  )
})

test('a sale at ten times the price of similar accounts has a low similarity', () => {
  const config = game('lolm')
  const model = modelOf(config)
  const [sale] = salesOf(config, 1)
  if (!sale) throw new Error('there are sales')
  const typed = { now: SALES_UNTIL, source: 'TYPED' } as const
  const before = valuate(model, config, sale.attributes, typed)
  const [nearest] = before.ok ? before.comparables : []
  if (!nearest) throw new Error('it has comparables')
  const odd = {
    ...model,
    sales: model.sales.map((one) => (one.id === nearest.id ? { ...one, priceFen: 10 * one.priceFen } : one)),
  }
  const after = valuate(odd, config, sale.attributes, typed)
  const shown = after.ok ? after.comparables.find(({ id }) => id === nearest.id) : undefined
  expect(nearest.similarity).toBeGreaterThan(0.8)
  expect(shown?.similarity).toBeLessThan(0.2)
})
