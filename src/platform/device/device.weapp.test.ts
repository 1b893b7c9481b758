import { device } from '.'

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
