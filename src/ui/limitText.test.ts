import fc from 'fast-check'
import { limitText, nativeMaxLength } from './limitText'

it('keeps what comes after the cursor and drops the excess of what was typed', () => {
  expect(limitText('abXYcd', 'abcd', 5)).toBe('abXcd')
  expect(limitText('abcdX', 'abcd', 4)).toBe('abcd')
  expect(limitText('Xabcd', 'abcd', 4)).toBe('abcd')
  expect(limitText('😀'.repeat(201), '😀'.repeat(200), 200)).toBe('😀'.repeat(200))
})

it('any text within the limit is kept, a longer one is cut to it', () => {
  const max = 8
  const typed = fc.string({ unit: 'binary', maxLength: 14 })
  fc.assert(
    fc.property(typed, typed, typed, typed, (head, inserted, tail, old) => {
      const previous = limitText(head + old + tail, '', max)
      const next = head + inserted + tail
      const kept = limitText(next, previous, max)
      const fits = [...next].length <= max
      expect(kept === next).toBe(fits)
      expect([...kept]).toHaveLength(Math.min(max, [...next].length))
      expect(kept.length).toBeLessThanOrEqual(nativeMaxLength(max))
    }),
  )
})
