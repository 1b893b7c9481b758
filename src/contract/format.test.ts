import fc from 'fast-check'
import { couponDates, expiryWarning } from './couponDates'
import {
  aboutSeconds,
  count,
  dateText,
  estimate,
  estimateGap,
  estimateRange,
  minutesAgo,
  percent,
  percentileText,
  priceOrFree,
  shortYuan,
  signedShortYuan,
  signedYuan,
  tenthsText,
  yuan,
} from './format'
import { DAY_MS } from './time'
import { countdown, dateTimeText, momentInPastText, momentText, timeText } from './timeText'

let warned: jest.SpyInstance
beforeEach(() => {
  warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => warned.mockRestore())

test('amounts to pay have two decimals, zero is free', () => {
  expect(yuan(1990)).toBe('¥19.90')
  expect(yuan(5)).toBe('¥0.05')
  expect(yuan(282000)).toBe('¥2,820.00')
  expect(priceOrFree(0)).toBe('免费')
  expect(priceOrFree(390)).toBe('¥3.90')
  expect(signedYuan(4554)).toBe('+¥45.54')
  expect(signedYuan(-40185)).toBe('−¥401.85')
  expect([4554, -14100, 100000].map(signedShortYuan)).toEqual(['+¥45.54', '−¥141', '+¥1,000'])
})

test.each([
  [232269, '¥2,323'],
  [0, '¥0'],
  [49, '¥0'],
  [50, '¥1'],
  [999_949, '¥9,999'],
  [999_950, '¥10,000'],
  [1_000_499, '¥10,000'],
  [1_000_500, '¥10,010'],
  [1_234_567, '¥12,350'],
  [9_999_500, '¥100,000'],
  [10_004_999, '¥100,000'],
  [10_005_000, '¥100,100'],
  [123_456_789, '¥1,234,600'],
])('an estimate of %i fen is rounded to what is shown', (fen, shown) => expect(estimate(fen)).toBe(shown))

test('a range has both ends and an en dash', () => {
  expect(estimateRange(193000, 279000)).toBe('¥1,930 – ¥2,790')
  expect(estimateRange(193000, undefined)).toBe('—')
  expect(estimateRange(279000, 193000)).toBe('—')
})

test.each([undefined, null, Number.NaN, Number.POSITIVE_INFINITY, -1])('%p is a dash and is logged', (bad) => {
  for (const format of [
    yuan,
    priceOrFree,
    estimate,
    percent,
    count,
    dateText,
    dateTimeText,
    timeText,
    minutesAgo,
    aboutSeconds,
  ]) {
    warned.mockClear()
    expect(format(bad)).toBe('—')
    expect(warned).toHaveBeenCalled()
  }
})
test('no number is printed as NaN, undefined or null', () => {
  fc.assert(
    fc.property(fc.double(), (value) => {
      const shown = [yuan, signedYuan, estimate, dateTimeText, countdown].map((format) => format(value)).join()
      expect(shown).not.toMatch(/NaN|undefined|null|Infinity/)
    }),
  )
})
test('an estimate differs by at most half a step from the amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e10 }), (fen) => {
      const shown = Number(estimate(fen).replace(/[¥,]/g, '')) * 100
      const step = fen >= 1e7 ? 1e4 : fen >= 1e6 ? 1000 : 100
      expect(Math.abs(shown - fen)).toBeLessThanOrEqual(step / 2)
    }),
  )
})

test('times are those of China', () => {
  const at = Date.UTC(2025, 5, 6, 18, 24)
  expect(dateText(at)).toBe('2025-06-07')
  expect(timeText(at)).toBe('02:24')
  expect(dateTimeText(at)).toBe('2025-06-07 02:24')
})

test('a moment is named by its day', () => {
  const now = Date.UTC(2026, 10, 22, 4)
  const said = (at: number) => momentText(at, now)
  expect(said(Date.UTC(2026, 10, 22, 11, 58))).toBe('今天 19:58')
  // midnight in China
  expect(said(Date.UTC(2026, 10, 22, 16))).toBe('明天 00:00')
  expect(said(Date.UTC(2026, 10, 21, 15, 59))).toBe('昨天 23:59')
  expect(said(Date.UTC(2026, 10, 19, 2, 24))).toBe('11月19日 10:24')
  expect(said(Date.UTC(2025, 10, 22, 2, 24))).toBe('2025年11月22日 10:24')
  expect(said(Number.NaN)).toBe('—')
})

test('a coupon names the day of its end, and its last three days with the time', () => {
  const now = Date.UTC(2026, 10, 22, 4)
  const said = (days: number, startAt = 0) => {
    const coupon = { startAt, endAt: now + days * DAY_MS }
    return [couponDates(coupon, now), expiryWarning(coupon, now)]
  }
  expect(said(0.1)).toEqual(['今天 14:24 过期', '今天过期'])
  expect(said(1)).toEqual(['明天 12:00 过期', '明天过期'])
  expect(said(2.5)).toEqual(['11月25日 00:00 过期', '还剩 3 天'])
  expect(said(9)).toEqual(['12月1日过期', undefined])
  expect(said(60)).toEqual(['2027年1月21日过期', undefined])
  expect(said(-1)).toEqual(['昨天已过期', undefined])
  expect(said(9, now + DAY_MS)).toEqual(['明天 至 12月1日', undefined])
})

test('shares and coupon amounts in everyday language', () => {
  expect([0.8, 0.9, 0.78, 1].map(tenthsText)).toEqual(['八成', '九成', '78%', '100%'])
  expect([300, 1990, 190_000].map(shortYuan)).toEqual(['¥3', '¥19.90', '¥1,900'])
  expect(percentileText(0.934, '王者荣耀 · 安卓微信 · V8')).toBe('超过 93% 的王者荣耀账号')
})

test('durations are in everyday units', () => {
  expect(countdown(872_000)).toBe('14:32')
  expect(countdown(83_405_000)).toBe('23:10:05')
  expect(countdown(1)).toBe('00:01')
  expect(countdown(-5)).toBe('00:00')
  expect([0, 59, 60, 1439, 1440, 2880].map(minutesAgo)).toEqual([
    '刚刚',
    '59分钟前',
    '1小时前',
    '23小时前',
    '1天前',
    '2天前',
  ])
  expect([40, 60].map(aboutSeconds)).toEqual(['约 40 秒', '约 1 分钟'])
  expect(percent(0.064)).toBe('6.4%')
  expect(percent(0.07)).toBe('7.0%')
  expect(percent(0.8, 0)).toBe('80%')
  expect(percent(0.934, 0)).toBe('93%')
  expect(count(1227078)).toBe('1,227,078')
})

test('the gap of two estimates is the difference of the amounts as shown', () => {
  // shown as 1,024 and 561, while the exact difference is 463.60
  expect([estimate(102_440), estimate(56_080), estimateGap(102_440, 56_080)]).toEqual(['¥1,024', '¥561', '¥463'])
  expect(estimateGap(999_900, 2_234_600)).toBe('¥12,351')
})

test('a past event is never shown as future, even if the clocks differ', () => {
  const now = Date.UTC(2026, 10, 21, 4)
  expect(momentInPastText(now + 86_400_000, now)).toBe('今天 12:00')
  expect(momentInPastText(now - 86_400_000, now)).toBe('昨天 12:00')
  expect(momentInPastText(undefined, now)).toBe('—')
})
