import { DAY_MS } from '@/contract/time'
import { gapText, validity } from './model'

const NOW = Date.UTC(2026, 10, 23)
const textAt = (left: number) => validity({ status: 'UNLOCKED', validUntil: NOW + left }, NOW).text

test.each([
  ['a clock one second behind the server', 7 * DAY_MS + 1000, '有效期还有 7 天'],
  ['just made', 7 * DAY_MS, '有效期还有 7 天'],
  ['a day and an hour', DAY_MS + 3_600_000, '有效期还有 2 天'],
])('%s', (_name, left, text) => expect(textAt(left)).toBe(text))

test.each([
  [[], ['防沉迷'], '折算前中间价 ¥1,000，估价高 20%：估价参考了全部成交，不只看这几个账号。'],
  [['无双', '段位'], [], '折算前中间价 ¥1,000，估价高 20%：本报告的无双、段位更值钱。'],
  [
    ['无双'],
    ['防沉迷', '稀有皮肤', '史诗'],
    '折算前中间价 ¥1,000，估价高 20%：本报告的无双更值钱，不过防沉迷、稀有皮肤较弱。',
  ],
])('why the price is above the comparables: better in %j, worse in %j', (better, worse, text) =>
  expect(gapText({ medianFen: 100_000, better, worse }, 120_000, false)).toBe(text),
)
