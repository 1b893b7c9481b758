import type { Device } from './port'

export const device: Device = {
  platform: 'h5',
  ownHosts: [location.host],
  hasNativeLogin: false,
  supportsIframes: true,
  pageLimit: Number.POSITIVE_INFINITY,
  os() {
    const { userAgent, maxTouchPoints } = navigator
    // iPads identify as Macs, but Macs have no touch screen
    if (/iPhone|iPad|iPod/i.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios'
    return /Android|HarmonyOS/i.test(userAgent) ? 'android' : 'other'
  },
  // the shorter side, so that rotating a phone makes no difference
  handheld: () => navigator.maxTouchPoints > 0 && Math.min(screen.width, screen.height) <= 600,
  frame: () => ({ statusBar: 0, bottom: 0 }),
}
