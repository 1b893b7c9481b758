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

it.each([
  ['a phone', 5, 375, 812, true],
  ['a phone that is turned', 5, 812, 375, true],
  ['a tablet', 5, 820, 1180, false],
  ['a narrow window without touch', 0, 375, 812, false],
])('%s: %i fingers, %i × %i', (_what, maxTouchPoints, width, height, handheld) => {
  Object.defineProperty(window, 'navigator', { value: { userAgent: '', maxTouchPoints }, configurable: true })
  jest.spyOn(screen, 'width', 'get').mockReturnValue(width)
  jest.spyOn(screen, 'height', 'get').mockReturnValue(height)
  expect(device.handheld()).toBe(handheld)
  jest.restoreAllMocks()
})
