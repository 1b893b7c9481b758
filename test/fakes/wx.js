/**
 * The host object of a mini-program for unit tests: remembers, answers kindly, shows nothing.
 * Tests look at it with `jest.spyOn(wx, 'showToast')`.
 */
const stored = new Map()
const listeners = new Set()
const task = () => ({ abort() {}, onProgressUpdate() {}, onHeadersReceived() {} })

module.exports = {
  getStorageSync: (key) => stored.get(key) ?? '',
  setStorageSync: (key, value) => void stored.set(key, value),
  removeStorageSync: (key) => void stored.delete(key),
  request: task,
  uploadFile: task,
  downloadFile: task,
  showToast() {},
  showLoading() {},
  hideLoading() {},
  showModal: ({ success }) => success({ confirm: true }),
  setClipboardData: ({ success }) => success(),
  getWindowInfo: () => ({
    windowWidth: 375,
    windowHeight: 812,
    screenHeight: 812,
    statusBarHeight: 44,
    safeArea: { top: 44, bottom: 778, left: 0, right: 375, width: 375, height: 734 },
  }),
  getDeviceInfo: () => ({ platform: 'ios' }),
  getMenuButtonBoundingClientRect: () => ({ top: 48, bottom: 80, left: 281, right: 368, width: 87, height: 32 }),
  getBackgroundFetchData: ({ fail }) => fail(),
  getLaunchOptionsSync: () => ({ path: 'pages/home/index', query: {} }),
  onAppShow() {},
  getUpdateManager: () => ({ onUpdateReady() {}, onUpdateFailed() {}, applyUpdate() {} }),
  onError() {},
  onUnhandledRejection() {},
  getRealtimeLogManager: () => ({ setFilterMsg() {}, warn() {}, error() {} }),
  getNetworkType: ({ success }) => success({ networkType: 'wifi' }),
  onNetworkStatusChange: (listener) => void listeners.add(listener),
  offNetworkStatusChange: (listener) => void listeners.delete(listener),
  setNavigationBarTitle() {},
  previewImage() {},
}
