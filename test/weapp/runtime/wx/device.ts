/** The phone itself: an iPhone of 375 × 812 points with a notch, drawn the same in `frame.css`. */
import { type Api, calls, event } from './call'

const STATUS_BAR = 47
const HOME_INDICATOR = 34
const capsule = { width: 87, height: 32, top: 51, right: 368, bottom: 83, left: 281 }

const width = () => window.innerWidth
const height = () => window.innerHeight
const theme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

function safeArea() {
  const bottom = height() - HOME_INDICATOR
  return { top: STATUS_BAR, bottom, left: 0, right: width(), width: width(), height: bottom - STATUS_BAR }
}

const windowInfo = () => ({
  pixelRatio: window.devicePixelRatio,
  screenWidth: width(),
  screenHeight: height(),
  windowWidth: width(),
  windowHeight: height(),
  statusBarHeight: STATUS_BAR,
  safeArea: safeArea(),
  screenTop: 0,
})

const deviceInfo = () => ({
  abi: 'arm64',
  benchmarkLevel: -1,
  brand: 'iPhone',
  model: 'iPhone 13',
  system: 'iOS 16.6',
  platform: 'ios',
  memorySize: 3700,
})

const appBaseInfo = () => ({
  SDKVersion: '3.7.0',
  version: '8.0.68',
  language: 'zh_CN',
  enableDebug: false,
  theme: theme(),
  fontSizeSetting: 16,
  fontSizeScaleFactor: 1,
  host: { env: 'WeChat' },
})

const systemSetting = () => ({
  bluetoothEnabled: true,
  locationEnabled: true,
  wifiEnabled: true,
  deviceOrientation: 'portrait',
})

const systemInfo = () => ({ ...windowInfo(), ...deviceInfo(), ...appBaseInfo(), ...systemSetting() })

const themeChange = event<{ theme: string }>('ThemeChange')
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => themeChange.fire({ theme: theme() }))

export const deviceApi: Record<string, Api> = {
  ...calls({
    getSystemInfo: systemInfo,
    getSystemInfoAsync: systemInfo,
    vibrateShort: () => undefined,
    vibrateLong: () => undefined,
    hideKeyboard: () => (document.activeElement as HTMLElement | null)?.blur(),
    setKeepScreenOn: () => undefined,
  }),
  ...themeChange.api,
  ...event('KeyboardHeightChange').api,
  ...event('WindowResize').api,
  ...event('MemoryWarning').api,
  getSystemInfoSync: systemInfo,
  getWindowInfo: windowInfo,
  getDeviceInfo: deviceInfo,
  getAppBaseInfo: appBaseInfo,
  getSystemSetting: systemSetting,
  getAppAuthorizeSetting: () => ({ cameraAuthorized: 'not determined', albumAuthorized: 'not determined' }),
  getMenuButtonBoundingClientRect: () => ({ ...capsule }),
  getAccountInfoSync: () => ({
    miniProgram: { appId: 'touristappid', envVersion: 'develop', version: '' },
    plugin: {},
  }),
}
