import Taro from '@tarojs/taro'
import { newState, type WechatLogin } from './port'

export const wechatLogin: WechatLogin = {
  code: () =>
    Taro.login().then(
      ({ code }) => code || undefined,
      () => undefined,
    ),
  // the same version of the host introduced both
  phoneButton: Taro.canIUse('onNeedPrivacyAuthorization')
    ? 'getPhoneNumber|agreePrivacyAuthorization'
    : 'getPhoneNumber',
  state: newState,
  inBrowser: () => false,
  leave: () => undefined,
  returned: () => undefined,
}
