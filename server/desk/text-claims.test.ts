import { daysNamedIn, mendedAmountsIn } from './text-claims'

const NOON = Date.UTC(2026, 10, 20, 4)

test.each([
  ['第 9 天降到 900 元', 9],
  ['十五天后还没成交再降', 15],
  ['二十天后不再等', 20],
  ['五周后', 35],
  ['两个月后再挂', 60],
  ['半个月没人问就降', 15],
  ['11 月 25 日前', 5],
  // says what was, not what will be
  ['近 30 天不到 5 单', 0],
  ['近 38 天没人问', 0],
  ['近 290 天没成交', 0],
  ['已经 38 天没人问', 0],
  ['近三十八天还没卖', 0],
  ['账号三个月没登录', 0],
  ['12 月没人问', 0],
])('“%s”: %d days', (text, days) => {
  expect(daysNamedIn(text, NOON)).toBe(days)
})

test.each([
  ['换下邮箱后我愿意按 1,100 元看', [110_000]],
  ['卖之前申请更换邮箱，能换下来价能回到 1,150 元上下', [115_000]],
  ['解绑后约多卖 80 元', [8_000]],
  ['换下邮箱的话我要往上调', []],
])('“%s” names for the mended account %j', (text, amounts) => {
  expect(mendedAmountsIn(text)).toEqual(amounts)
})
