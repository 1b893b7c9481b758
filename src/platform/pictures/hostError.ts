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

/** Whether WeChat itself may not use the album or the camera, which only the phone's settings change. */
export function isDeniedByPhone(): boolean {
  const { albumAuthorized, cameraAuthorized } = Taro.getAppAuthorizeSetting()
  return albumAuthorized === 'denied' || cameraAuthorized === 'denied'
}
