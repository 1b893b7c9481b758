import { observeServerTime, serverTime } from './clock'

const NOW = Date.UTC(2026, 10, 21, 4)
const DAY = 86_400_000
beforeEach(() => {
  jest.useFakeTimers({ now: NOW })
  observeServerTime(NOW)
})
afterEach(() => jest.useRealTimers())

it('a device whose clock is a day behind hears it from the answers; a second apart changes nothing', () => {
  observeServerTime(NOW + DAY)
  expect(serverTime()).toBe(NOW + DAY)
  observeServerTime(NOW + 1000)
  expect(serverTime()).toBe(NOW)
  observeServerTime(Number.NaN)
  expect(serverTime()).toBe(NOW)
})
