import { unlockedReport } from '@/samples/report'
import { plotOf } from './plot'

const { comparables = [], price } = unlockedReport

it('places closeness from the left and the adjusted price from the bottom', () => {
  const { dots, range, scale } = plotOf(comparables, price)
  expect(dots.map(({ x }) => x)).toEqual([80, 50, 20])
  const heights = dots.map(({ y }) => y)
  expect(heights).toEqual([...heights].sort((a, b) => a - b))
  expect(range.low).toBe(6)
  expect(range.high).toBe(94)
  expect(range.predict).toBeGreaterThan(range.low)
  expect(scale).toEqual({ low: price.lowFen, high: price.highFen })
  expect(dots.some(({ stray }) => stray)).toBe(false)
})

it('the scale has the amounts of the range, also where a comparable lies just outside', () => {
  const [first, ...rest] = comparables
  if (!first) throw new Error('no comparable')
  const at = (adjFen: number) => plotOf([{ ...first, adjFen }, ...rest], price)
  expect(at(price.lowFen - 100)).toMatchObject({
    scale: { low: price.lowFen },
    dots: [{ y: 6, stray: undefined }, {}, {}],
  })
  expect(at(price.lowFen - 10_000)).toMatchObject({ scale: { low: price.lowFen - 10_000 }, dots: [{ y: 6 }, {}, {}] })
})

it('an outlier is drawn at the edge and does not compress the others', () => {
  const [first] = comparables
  if (!first) throw new Error('no comparable')
  const usual = plotOf(comparables, price)
  const outlier = { ...first, adjFen: 5 * price.predictFen, closeness: 'REFERENCE' as const }
  const { dots } = plotOf([outlier, ...comparables], price)
  expect(dots[0]).toMatchObject({ x: 20, y: 94, stray: 'higher' })
  expect(dots.slice(1)).toEqual(usual.dots)
})
