import { newState, type WechatLogin } from './port'

export const wechatLogin: WechatLogin = {
  code: () =>
    new Promise((resolve) => {
      wx.login({ success: ({ code }) => resolve(code || undefined), fail: () => resolve(undefined) })
    }),
  // both came with the same version of the host
  phoneButton: wx.onNeedPrivacyAuthorization ? 'getPhoneNumber|agreePrivacyAuthorization' : 'getPhoneNumber',
  state: newState,
  inBrowser: () => false,
  leave: () => undefined,
  returned: () => undefined,
}
