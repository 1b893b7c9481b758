import { gapsOf } from './gaps'
import { regionsOf } from './regions'

/** A map with rectangles of text: left, top, width, height. */
function mapOf(width: number, height: number, rects: readonly (readonly number[])[], slope = 0) {
  const data = new Float32Array(width * height)
  for (const [left = 0, top = 0, w = 0, h = 0] of rects)
    for (let x = left; x < left + w; x++)
      for (let y = top; y < top + h; y++) data[Math.round(y + (x - left) * slope) * width + x] = 0.9
  return { data, width, height }
}

test('each group of pixels is a region, larger than what is marked', () => {
  const { angle, regions } = regionsOf(
    mapOf(300, 100, [
      [20, 20, 60, 8],
      [150, 40, 8, 8],
      [250, 80, 2, 2],
    ]),
  )
  expect(angle).toBe(0)
  expect(regions).toHaveLength(2)
  const [first] = regions
  expect(first?.left).toBeLessThan(20)
  expect(first?.height).toBeGreaterThan(12)
})

test('the angle of a page is that of its long lines', () => {
  const { angle, regions } = regionsOf(
    mapOf(
      400,
      200,
      [
        [20, 20, 300, 8],
        [20, 100, 300, 8],
      ],
      0.035,
    ),
  )
  expect(angle).toBeCloseTo(0.035, 2)
  // upright again, a line is hardly higher than its marked pixels and the margin
  expect(regions[0]?.height).toBeLessThan(26)
})

test('a label whose neighbours have numbers above is looked at there', () => {
  const regionAt = (text: string, x: number, y: number) => ({
    text,
    region: { left: x - 20, top: y - 10, width: 40, height: 20 },
  })
  const found = [
    regionAt('12', 100, 100),
    regionAt('无双', 100, 130),
    regionAt('典藏', 300, 130),
    regionAt('史诗', 500, 130),
    regionAt('88', 500, 100),
  ]
  const gaps = gapsOf(found)
  expect(gaps).toHaveLength(1)
  expect(gaps[0]).toMatchObject({ left: 284, top: 88 })
})

test('a row without its number is looked at where the others end', () => {
  const regionAt = (text: string, x: number, y: number) => ({
    text,
    region: { left: x, top: y, width: 40, height: 20 },
  })
  const gaps = gapsOf([regionAt('英雄', 20, 100), regionAt('97', 400, 100), regionAt('典藏', 20, 160)])
  expect(gaps).toHaveLength(1)
  expect((gaps[0]?.left ?? 0) + (gaps[0]?.width ?? 0) / 2).toBe(430)
})
