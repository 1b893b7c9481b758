import fc from 'fast-check'
import { placeOf, roundedRangeText, unionOfScales } from './previewScale'

const fen = fc.integer({ min: 100, max: 1_000_000_000 })
const range = fc.tuple(fen, fen).map(([a, b]) => ({ lowFen: Math.min(a, b), highFen: Math.max(a, b) }))

it('the first range fills the line, a narrower one a part of it', () => {
  const first = { lowFen: 10_000, highFen: 1_000_000 }
  const scale = unionOfScales(undefined, first)
  expect(placeOf(first, scale)).toEqual({ left: 0, right: 0 })
  // logarithmic: 1,000 yuan is in the middle of 100 and 10,000
  expect(placeOf({ lowFen: 100_000, highFen: 1_000_000 }, scale)).toEqual({ left: 50, right: 0 })
  expect(unionOfScales(scale, { lowFen: 50_000, highFen: 2_000_000 })).toEqual({ lowFen: 10_000, highFen: 2_000_000 })
  expect(placeOf(undefined, undefined)).toEqual({ left: 0, right: 0 })
})

it('the band is inside the line and always visible', () => {
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 6 }), (ranges) => {
      let scale: ReturnType<typeof unionOfScales> | undefined
      for (const range of ranges) {
        scale = unionOfScales(scale, range)
        const { left, right } = placeOf(range, scale)
        expect(left).toBeGreaterThanOrEqual(0)
        expect(right).toBeGreaterThanOrEqual(0)
        expect(100 - left - right).toBeGreaterThanOrEqual(5.7)
      }
    }),
  )
})

it.each([
  [160_000, 220_000, '¥1,600–2,200'],
  [980_000, 1_200_000, '¥9,800–1.2万'],
  [12_000_000, 23_000_000, '¥12万–23万'],
  [100, 9_900, '¥1–99'],
])('a range of %i to %i fen is written %s', (lowFen, highFen, text) =>
  expect(roundedRangeText({ lowFen, highFen })).toBe(text),
)
