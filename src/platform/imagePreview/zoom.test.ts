import fc from 'fast-check'
import { clampScale, clampToScreen, INITIAL_ZOOM, type Point, pinch, zoomAt } from './zoom'

const screen = { width: 375, height: 812 }
const number = fc.double({ min: -2000, max: 2000, noNaN: true })
const point = fc.record({ x: number, y: number })
const zoom = fc.record({ scale: fc.double({ min: 1, max: 4, noNaN: true }), x: number, y: number })
const size = fc.record({ width: fc.integer({ min: 1, max: 375 }), height: fc.integer({ min: 1, max: 812 }) })

it.each([
  [0.2, 1],
  [1, 1],
  [2.5, 2.5],
  [4, 4],
  [4.01, 4],
  [Number.POSITIVE_INFINITY, 4],
])('spec §9: a scale of %f is shown as %f', (asked, shown) => expect(clampScale(asked)).toBe(shown))

it('two fingers twice as far apart: twice the size, the middle of them stays where it is', () => {
  const from: [Point, Point] = [
    { x: 50, y: 0 },
    { x: 150, y: 0 },
  ]
  const to: [Point, Point] = [
    { x: 0, y: 0 },
    { x: 200, y: 0 },
  ]
  expect(pinch(INITIAL_ZOOM, from, to)).toEqual({ scale: 2, x: -100, y: 0 })
})

it('one finger drags, and never zooms', () => {
  expect(pinch({ scale: 2, x: 5, y: 5 }, [{ x: 0, y: 0 }], [{ x: 30, y: -7 }])).toEqual({ scale: 2, x: 35, y: -2 })
})

it('the point under the fingers stays under them', () => {
  fc.assert(
    fc.property(zoom, fc.double({ min: 0.1, max: 9, noNaN: true }), point, (before, scale, target) => {
      const after = zoomAt(before, scale, target)
      expect((target.x - after.x) / after.scale).toBeCloseTo((target.x - before.x) / before.scale, 3)
      expect((target.y - after.y) / after.scale).toBeCloseTo((target.y - before.y) / before.scale, 3)
    }),
  )
})

it('whatever the fingers do: 1 to 4 times, no gap beside a picture that fills the screen, in the middle where it fits', () => {
  fc.assert(
    fc.property(zoom, size, point, point, point, point, (before, picture, a, b, c, d) => {
      const { scale, x, y } = clampToScreen(pinch(before, [a, b], [c, d]), picture, screen)
      expect(scale).toBeGreaterThanOrEqual(1)
      expect(scale).toBeLessThanOrEqual(4)
      for (const [offset, length, room] of [
        [x, picture.width * scale, screen.width],
        [y, picture.height * scale, screen.height],
      ] as const) {
        if (length <= room) expect(Math.abs(offset)).toBe(0)
        else expect(length / 2 - Math.abs(offset)).toBeGreaterThanOrEqual(room / 2 - 1e-6)
      }
    }),
  )
})
