import { isDealer } from './view'

test.each([
  ['号商回收', true],
  ['卖给号商', true],
  ['不想等就找号商', true],
  ['免费回收', true],
  ['不如回收', true],
  ['不限号商', true],
  ['不经号商的寄售', false],
  ['不经过号商', false],
  ['不卖给号商', false],
  ['避免回收', false],
  ['避免被回收', false],
  ['不通过号商', false],
  ['不用号商', false],
  ['不需要号商', false],
  ['非回收平台', false],
  ['绕过号商自己挂', false],
  ['寄售平台', false],
])('%s buys at the quick price: %s', (channel, quick) => {
  expect(isDealer(channel)).toBe(quick)
})
