import { device } from '.'

it.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15', 5, 'ios'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/130', 0, 'other'],
  ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', 5, 'android'],
  ['Mozilla/5.0 (Phone; OpenHarmony 5.0) HarmonyOS', 5, 'android'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 0, 'other'],
])('reads %s with %i fingers as %s', (userAgent, maxTouchPoints, os) => {
  Object.defineProperty(window, 'navigator', { value: { userAgent, maxTouchPoints }, configurable: true })
  expect(device.os()).toBe(os)
})
