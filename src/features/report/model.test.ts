import { gapText, isExpired } from './model'

const NOW = Date.UTC(2026, 10, 23)

test('the server says that a report is over, whatever the clock of the device says', () => {
  expect(isExpired({ status: 'EXPIRED', validUntil: NOW + 1 }, NOW)).toBe(true)
  expect(isExpired({ status: 'UNLOCKED', validUntil: NOW }, NOW)).toBe(true)
  expect(isExpired({ status: 'UNLOCKED', validUntil: NOW + 1 }, NOW)).toBe(false)
})

test.each([
  [120_000, [], ['防沉迷'], '比同类高'],
  [120_000, ['无双', '段位'], [], '比同类高，主要因为无双'],
  [80_000, ['无双'], ['稀有皮肤（未填）', '史诗'], '比同类低，主要因为稀有皮肤未填'],
])('why %d is not the price of the comparables: better in %j, worse in %j', (predictFen, better, worse, text) =>
  expect(gapText({ medianFen: 100_000, better, worse }, predictFen)).toBe(text),
)
