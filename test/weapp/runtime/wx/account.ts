/** What belongs to the user's WeChat: login, permissions, sharing. */
import { phone } from '../state'
import { type Api, calls, Refused } from './call'

let used = 0
/** WeChat's codes work once: `*` makes each another. */
const fresh = (code: string) => code.replace('*', `n${Date.now().toString(36)}${++used}`)

export const accountApi: Record<string, Api> = calls({
  login: () => {
    if (phone.loginCode === undefined) throw new Refused('system error', -1)
    return { code: fresh(phone.loginCode) }
  },
  checkSession: () => undefined,
  getSetting: () => ({ authSetting: {} }),
  showShareMenu: () => undefined,
  hideShareMenu: () => undefined,
})

/** Taken and never called: the user of this phone agreed to the privacy guide long ago. */
export const privacyApi: Record<string, Api> = { onNeedPrivacyAuthorization: () => undefined }

/** What the phone-number button hands to the app. */
export function phoneNumber() {
  return phone.phoneCode === undefined
    ? { errMsg: 'getPhoneNumber:fail user deny' }
    : { errMsg: 'getPhoneNumber:ok', code: fresh(phone.phoneCode) }
}
