import type { OpenCtx } from '../../context'
import type { HelpPlace } from '../../settings'

/** Links opened in WeChat's browser are a place of their own: help asked for there can get the whole domain blocked. */
function placeOf(platform: string, userAgent: string): HelpPlace {
  if (platform.toLowerCase() === 'weapp') return 'weapp'
  return /MicroMessenger/i.test(userAgent) ? 'wechat' : 'h5'
}

type Who = Pick<OpenCtx, 'settings' | 'userAgent'>
type Where = Pick<OpenCtx, 'settings' | 'wechat'>

/** Whether friends may be asked and may help where the caller is (rules 2.8, 4.3). */
export const openHelp = ({ settings, userAgent }: Who, platform: string): boolean =>
  settings.unlock.helpOn.includes(placeOf(platform, userAgent))

/** The mini-program's ad while one is set up, and the login that proves who watched it. Browsers have no rewarded ads. */
export const adUnitOf = ({ settings, wechat }: Where, platform: string): string | undefined =>
  wechat.offers.mini && platform.toLowerCase() === 'weapp' ? settings.unlock.adUnitId : undefined
