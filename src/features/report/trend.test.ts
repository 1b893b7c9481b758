import { placeTrend, trendMask } from './trend'

it('places times in proportion and prices from the lowest to the highest', () => {
  const points = [
    { at: 0, predictFen: 100 },
    { at: 25, predictFen: 300 },
    { at: 100, predictFen: 200 },
  ]
  expect(placeTrend(points)).toEqual([
    { x: 0, y: 88 },
    { x: 25, y: 12 },
    { x: 100, y: 50 },
  ])
})

it('puts equal prices in the middle, and one time at the end', () => {
  expect(placeTrend([{ at: 5, predictFen: 100 }])).toEqual([{ x: 100, y: 50 }])
})

it('draws a line, or closes it to an area, without a character that ends the style', () => {
  const placed = [
    { x: 0, y: 88 },
    { x: 100, y: 12 },
  ]
  expect(trendMask(placed, 'line')).toContain("d='M0 88L100 12'")
  expect(trendMask(placed, 'area')).toContain("d='M0 100L0 88L100 12L100 100z'")
  expect(trendMask(placed, 'line')).not.toMatch(/[<>#;]/)
})
