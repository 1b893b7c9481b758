import Taro from '@tarojs/taro'
import type { Device, FrameSize, Os } from './port'

let os: Os | undefined
let frame: FrameSize | undefined

/** Read once it is known: each is a blocking host call, and neither changes at run time (portrait only). */
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
    if (frame) return frame
    const { measured, certain } = measure()
    if (certain) frame = measured
    return measured
  },
}

function readOs(): Os {
  const { platform } = Taro.getDeviceInfo()
  return platform === 'ios' || platform === 'android' ? platform : 'other'
}

/** The host's button; at times the host gives zeros, null or an error instead, mostly early in a launch. */
function readCapsule(windowWidth: number): FrameSize['capsule'] {
  try {
    const { top, height, left }: Partial<DOMRectReadOnly> = Taro.getMenuButtonBoundingClientRect() ?? {}
    if (top && height && left && left < windowWidth) return { top, height, fromRight: windowWidth - left }
  } catch {
    // undefined, as for other unusable answers
  }
  return undefined
}

/** Where the button is on most phones. */
const usualCapsule = (statusBar: number) => ({
  top: statusBar + (device.os() === 'ios' ? 4 : 8),
  height: 32,
  fromRight: 97,
})

/** `certain`: the host has told where its button is. */
function measure(): { measured: FrameSize; certain: boolean } {
  const { statusBarHeight, windowWidth, screenHeight, safeArea } = Taro.getWindowInfo()
  const statusBar = statusBarHeight ?? 0
  const capsule = readCapsule(windowWidth)
  return {
    measured: {
      statusBar,
      // a safe area of zeros does not say where the bottom is
      bottom: safeArea?.bottom ? Math.max(0, screenHeight - safeArea.bottom) : 0,
      capsule: capsule ?? usualCapsule(statusBar),
    },
    certain: capsule !== undefined,
  }
}
