import fc from 'fast-check'
import { SameSales } from './same-sales'

const size = { x: 45, y: 0.03 }
const point = fc.record({
  x: fc.integer({ min: 0, max: 400 }),
  y: fc.integer({ min: 0, max: 200 }).map((n) => n / 1000),
})

test('a record is found exactly when one of all others is within both distances', () => {
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 1, maxLength: 60 }),
      fc.array(point, { maxLength: 30 }),
      (added, sought) => {
        const index = new SameSales(size)
        for (const { x, y } of added) index.add(x, y)
        for (const { x, y } of sought) {
          const distances = added.map((one) => [Math.abs(one.x - x), Math.abs(one.y - y)] as const)
          // at the limit itself the last bit of a logarithm decides
          fc.pre(distances.every(([, dy]) => Math.abs(dy - size.y) > 1e-9))
          expect(index.has(x, y)).toBe(distances.some(([dx, dy]) => dx <= size.x && dy <= size.y))
        }
      },
    ),
  )
})
