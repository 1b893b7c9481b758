import { readNumber } from './numberText'

/** characters: the longest body of a call */
const LONGEST = 64 * 1024

test.each([' ', '1', '1,', '1,111,', '-', '¥', '.', '万', '\u200b', '\ufdfa'])(
  'a long text of %j is read within 50 ms',
  (part) => {
    const text = `1${part.repeat((LONGEST - 2) / part.length)}x`
    const times = [1, 2, 3].map(() => {
      const start = process.cpuUsage()
      expect(readNumber(text, '万')).toBe(text)
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(50)
  },
)
