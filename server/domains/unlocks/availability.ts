import type { Req, Res } from '@/contract/types'
import type { OpenCtx } from '../../core/context'
import type { HelpPlace, Settings } from '../../settings'
import { addressFrom } from '../content/content'
import { saleMode } from '../payments/availability'
import { SHARE_IMAGE } from '../reports/publishing/share'

/**
 * WeChat's browser needs separate treatment: asking for help in shared links there can get the whole domain blocked.
 */
function placeOf(platform: string, userAgent: string): HelpPlace {
  if (platform.toLowerCase() === 'weapp') return 'weapp'
  return /MicroMessenger/i.test(userAgent) ? 'wechat' : 'h5'
}

/** Whether help is available to the caller (rules 2.8, 4.3). */
export const isHelpOffered = ({ settings, userAgent }: OpenCtx, platform: string): boolean =>
  settings.unlock.helpOn.includes(placeOf(platform, userAgent))

/** The mini-program's ad unit, if configured with the login that identifies the viewer. Browsers have no such ads. */
export const adUnitOf = ({ settings, providers: { wechat } }: OpenCtx, platform: string): string | undefined =>
  wechat.enabledLogins.mini && platform.toLowerCase() === 'weapp' ? settings.unlock.adUnitId : undefined

/** The amounts shown on screens; no prices where nothing is for sale. */
const pricesOf = ({ aiFreePerDay: freePerDay, manualFen: { STD, PRO } }: Settings, forSale: boolean) =>
  forSale ? { freePerDay, manualFromFen: Math.min(STD, PRO) } : { freePerDay }

/** What the caller can pay for, be helped with or watch, and the settings that the app shows. */
export async function openPayStatus(
  ctx: OpenCtx,
  { platform }: Req<'app', 'openPayStatus'>,
): Promise<Res<'app', 'openPayStatus'>> {
  const pay = saleMode(ctx, platform)
  const ad = adUnitOf(ctx, platform) !== undefined
  const { webDomains } = ctx.settings
  const more = { wechat: ctx.providers.wechat.enabledLogins.web, webDomains: [...webDomains] }
  const manual = pay !== 'OFF'
  const share = addressFrom(ctx, SHARE_IMAGE)
  const images = { share, ios: share }
  return { pay, images, help: isHelpOffered(ctx, platform), ad, manual, ...pricesOf(ctx.settings, manual), ...more }
}
