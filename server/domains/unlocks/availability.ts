import type { OpenCtx } from '../../context'
import type { HelpPlace } from '../../settings'

/**
 * WeChat's browser needs separate treatment: asking for help in shared links there can get the whole domain blocked.
 */
function placeOf(platform: string, userAgent: string): HelpPlace {
  if (platform.toLowerCase() === 'weapp') return 'weapp'
  return /MicroMessenger/i.test(userAgent) ? 'wechat' : 'h5'
}

type Who = Pick<OpenCtx, 'settings' | 'userAgent'>
type Where = Pick<OpenCtx, 'settings' | 'wechat'>

/** Whether help is available to the caller (rules 2.8, 4.3). */
export const openHelp = ({ settings, userAgent }: Who, platform: string): boolean =>
  settings.unlock.helpOn.includes(placeOf(platform, userAgent))

/** The mini-program's ad unit, if configured with the login that identifies the viewer. Browsers have no such ads. */
export const adUnitOf = ({ settings, wechat }: Where, platform: string): string | undefined =>
  wechat.enabledLogins.mini && platform.toLowerCase() === 'weapp' ? settings.unlock.adUnitId : undefined
