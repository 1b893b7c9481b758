import fc from 'fast-check'
import { confidenceOf, readReasons } from './confidence'
import { DAY } from './numbers'

test('the reasons of a stored report say in figures what they were made from', () => {
  const grounds = fc.record({
    sold: fc.nat(200),
    asking: fc.nat(50),
    close: fc.boolean(),
    asked: fc.integer({ min: 1, max: 40 }),
    left: fc.nat(40),
    days: fc.nat(90),
    source: fc.constantFrom('AUTH', 'PUBLIC_ID', 'TYPED'),
    doubts: fc.constantFrom([], ['段位与对局数对不上']),
  })
  fc.assert(
    fc.property(grounds, ({ sold, asking, asked, left, days, ...rest }) => {
      const open = Math.min(asked, left)
      const g = { ...rest, sold, comparables: sold + asking, asked, open, age: days * DAY }
      const { reasons } = confidenceOf(g as Parameters<typeof confidenceOf>[0])
      expect(readReasons(reasons)).toEqual({
        comparables: sold + asking,
        complete: Math.round(100 * (1 - open / asked)) / 100,
        days,
      })
    }),
  )
  expect(readReasons(['资料由授权读取'])).toEqual({})
})
