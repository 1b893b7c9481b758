import Taro from '@tarojs/taro'

/** WeChat's error number when the user declined the privacy guide */
const GUIDE_REFUSED = 104

interface Failure {
  errMsg: string
  errno?: number
}

/**
 * Which consent the mini-program's host lacks: to its privacy guide, or to the album or camera. Messages: `fail auth deny`,
 * `fail:auth denied`, `fail authorize no response`, `fail system permission denied`, `fail no permission`.
 */
export function missingConsent({ errMsg, errno }: Failure): 'privacy' | 'denied' | undefined {
  if (errno === GUIDE_REFUSED || /privacy permission/i.test(errMsg)) return 'privacy'
  return /auth\w* (den|no resp)|permission denied|no permission/i.test(errMsg) ? 'denied' : undefined
}

// hosts with a base library before 2.20.1 lack the call
const phoneSettings = () => (Taro.canIUse('getAppAuthorizeSetting') ? Taro.getAppAuthorizeSetting() : undefined)

/** Whether WeChat itself may not use the album, which only the phone's settings change. */
export const isAlbumDeniedByPhone = () => phoneSettings()?.albumAuthorized === 'denied'

/** Whether WeChat itself may not use the album or the camera. */
export const isDeniedByPhone = () => isAlbumDeniedByPhone() || phoneSettings()?.cameraAuthorized === 'denied'
