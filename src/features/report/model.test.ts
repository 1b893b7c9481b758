import { DAY_MS } from '@/contract/time'
import { validity } from './model'

const NOW = Date.UTC(2026, 10, 23)
const textAt = (left: number) => validity({ status: 'UNLOCKED', validUntil: NOW + left }, NOW).text

test.each([
  ['a clock one second behind the server', 7 * DAY_MS + 1000, '有效期还有 7 天'],
  ['just made', 7 * DAY_MS, '有效期还有 7 天'],
  ['a day and an hour', DAY_MS + 3_600_000, '有效期还有 2 天'],
])('%s', (_name, left, text) => expect(textAt(left)).toBe(text))
