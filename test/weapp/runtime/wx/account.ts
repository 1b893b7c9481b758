/** APIs of the user's WeChat account: login, permissions, sharing. */
import { phone } from '../state'
import { type Api, calls, Refused } from './call'
import { guided } from './privacy'

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
  // in the settings the user grants the permission
  openSetting: () => {
    phone.albumAllowed = true
    return { authSetting: { 'scope.writePhotosAlbum': true, 'scope.camera': true } }
  },
  showShareMenu: () => undefined,
  hideShareMenu: () => undefined,
})

/** Detail of the phone-number button's event. */
export async function phoneNumber() {
  try {
    await guided('getPhoneNumber')
    if (phone.phoneCode === undefined) throw new Refused('user deny')
    return { errMsg: 'getPhoneNumber:ok', code: fresh(phone.phoneCode) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { errMsg: `getPhoneNumber:fail ${error.reason}`, ...(error.errno && { errno: error.errno }) }
  }
}
