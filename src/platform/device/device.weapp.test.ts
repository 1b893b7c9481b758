import type { Device } from './port'

const phone = { ...wx }
let device: Device
beforeEach(() => {
  Object.assign(wx, phone)
  jest.isolateModules(() => {
    device = require('.').device
  })
})

it('measures the frame once: status bar, home indicator and the room of the capsule', () => {
  const info = jest.spyOn(wx, 'getWindowInfo')
  expect(device.frame()).toEqual({
    statusBar: 44,
    bottom: 34,
    capsule: { top: 48, height: 32, fromRight: 94 },
  })
  device.frame()
  expect(info).toHaveBeenCalledTimes(1)
  expect(device.os()).toBe('ios')
  expect(device.handheld()).toBe(true)
})

const usual = { statusBar: 44, bottom: 34, capsule: { top: 48, height: 32, fromRight: 97 } }
const zeros = { top: 0, bottom: 0, left: 0, right: 0, width: 0, height: 0 }

it.each<[string, () => unknown]>([
  ['zeros', () => zeros],
  ['a button off the screen', () => ({ ...zeros, top: 48, height: 32, left: 1000 })],
  ['null', () => null],
  [
    'an error',
    () => {
      throw new Error('getMenuButtonBoundingClientRect:fail')
    },
  ],
])('the frame is the usual one while the host gives %s for its button, and measured afterwards', (_what, answer) => {
  Object.assign(wx, { getMenuButtonBoundingClientRect: answer })
  expect(device.frame()).toEqual(usual)
  expect(device.frame()).toEqual(usual)
  Object.assign(wx, { getMenuButtonBoundingClientRect: phone.getMenuButtonBoundingClientRect })
  expect(device.frame().capsule).toEqual({ top: 48, height: 32, fromRight: 94 })
})

it('leaves no room for a home indicator when the safe area is zeros', () => {
  Object.assign(wx, {
    getWindowInfo: () => ({ statusBarHeight: 44, windowWidth: 375, screenHeight: 812, safeArea: zeros }),
  })
  expect(device.frame().bottom).toBe(0)
})
