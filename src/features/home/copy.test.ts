import { copy } from './copy'

it.each([
  ['8折', '专家估价 8 折券', '专家估价 8 折券，无门槛'],
  ['¥5', '新人 5 元券', '新人 5 元券，无门槛'],
  ['免费', '免费体验券', '免费体验券，无门槛'],
  ['8折', '满 18 可用券', '满 18 可用券 8折，无门槛'],
  ['¥3', '满减券', '满减券 ¥3，无门槛'],
])('a coupon worth %s called %s says its worth once', (worth, name, expected) => {
  expect(copy.dailyCoupon(worth, name, '无门槛')).toBe(expected)
})
