import Taro from '@tarojs/taro'
import type { HostTextScale, ShowTextScale } from './port'

/** Messages are the host's own, in the size the phone is set to. */
export const showTextScale: ShowTextScale = () => undefined

/** px of WeChat's standard text size */
const STANDARD = 16

/** WeChat's own setting (通用 → 字体大小); hosts before 2.20.1 do not tell it. */
export const hostTextScale: HostTextScale = () => {
  // missing in Taro's declarations
  const info: object = Taro.canIUse('getAppBaseInfo') ? Taro.getAppBaseInfo() : {}
  const px = 'fontSizeSetting' in info ? Number(info.fontSizeSetting) : 0
  return (px || STANDARD) / STANDARD
}
