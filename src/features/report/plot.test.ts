import { plotOf } from './plot'
import { unlockedReport } from './samples'

const { comparables = [], price } = unlockedReport

it('places similarity from the left and the adjusted price from the bottom', () => {
  const { dots, range } = plotOf(comparables, price)
  expect(dots.map(({ x }) => x)).toEqual([94, 30, 6])
  const heights = dots.map(({ y }) => y)
  expect(heights).toEqual([...heights].sort((a, b) => a - b))
  expect(range.low).toBe(6)
  expect(range.high).toBe(94)
  expect(range.predict).toBeGreaterThan(range.low)
  expect(dots.some(({ stray }) => stray)).toBe(false)
})

it('an outlier is drawn at the edge and does not compress the others', () => {
  const [first, ...rest] = comparables
  if (!first) throw new Error('no comparable')
  const { dots } = plotOf([{ ...first, adjFen: 5 * price.predictFen }, ...rest], price)
  expect(dots[0]).toMatchObject({ y: 94, stray: true })
  expect(dots[1]).toEqual(plotOf(comparables, price).dots[1])
})

it('points of equal similarity are in the middle', () => {
  expect(plotOf(comparables.slice(0, 1), price).dots[0]?.x).toBe(50)
})
