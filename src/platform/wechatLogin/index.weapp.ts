import Taro from '@tarojs/taro'
import { newState, type WechatLogin } from './port'

export const wechatLogin: WechatLogin = {
  code: () =>
    Taro.login().then(
      ({ code }) => code || undefined,
      () => undefined,
    ),
  // both were introduced by the same host version
  phoneButton: Taro.canIUse('onNeedPrivacyAuthorization')
    ? 'getPhoneNumber|agreePrivacyAuthorization'
    : 'getPhoneNumber',
  state: newState,
  inBrowser: () => false,
  leave: () => undefined,
  returned: () => undefined,
}
