import Taro from '@tarojs/taro'
import type { Device, FrameSize, Os } from './port'

let os: Os | undefined
let frame: FrameSize | undefined

/** Read once: each is a blocking host call, and neither changes at run time (portrait only). */
export const device: Device = {
  platform: 'weapp',
  ownHosts: [
    API_BASE.replace(/^https?:\/\//, '')
      .replace(/\/.*$/, '')
      .toLowerCase(),
  ],
  hasNativeLogin: true,
  supportsIframes: false,
  pageLimit: 10,
  os() {
    os ??= readOs()
    return os
  },
  handheld: () => device.os() !== 'other',
  frame() {
    frame ??= measure()
    return frame
  },
}

function readOs(): Os {
  const { platform } = Taro.getDeviceInfo()
  return platform === 'ios' || platform === 'android' ? platform : 'other'
}

function measure(): FrameSize {
  const { statusBarHeight, windowWidth, screenHeight, safeArea } = Taro.getWindowInfo()
  const { top, height, left } = Taro.getMenuButtonBoundingClientRect()
  return {
    statusBar: statusBarHeight ?? 0,
    bottom: safeArea ? Math.max(0, screenHeight - safeArea.bottom) : 0,
    capsule: { top, height, fromRight: windowWidth - left },
  }
}
