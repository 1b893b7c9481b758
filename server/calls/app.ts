import type { HomeCounts, TickerOrder } from '@/contract/types'
import type { OpenCtx } from '../context'
import { document } from '../domains/content/accuracy-page'
import { banners } from '../domains/content/banners'
import { addressFrom, helpCenter, informationDetail, informationPage } from '../domains/content/content'
import { incrementReported } from '../domains/content/counters'
import { uploadToken } from '../domains/content/uploads'
import { listGames, toItem } from '../domains/games/repository'
import { urge } from '../domains/orders/urge'
import { openPay } from '../domains/payments/availability'
import { excellentReports } from '../domains/reports/featured'
import { adUnitOf, openHelp } from '../domains/unlocks/availability'
import { feedbackUserCount } from '../domains/users/feedback'
import type { Settings } from '../settings'
import type { Handlers } from './handlers'

const homeCounts = async ({ games, publicStatistics: figures }: OpenCtx): Promise<HomeCounts> => ({
  ...(await figures.counts()),
  games: listGames(await games.all()).length,
})

/** Newest valuations of users who agreed to publication. */
async function ticker({ games, clock, publicStatistics: figures }: OpenCtx): Promise<TickerOrder[]> {
  const names = new Map((await games.all()).map(({ config }) => [config.gameId, config.name]))
  return (await figures.ticker()).map(({ gameId, at, nickMasked, priceFen }) => ({
    nickMasked,
    priceFen,
    gameName: names.get(gameId) ?? gameId,
    minutesAgo: Math.max(0, Math.floor((clock.now() - at) / 60_000)),
  }))
}

/** The amounts shown on screens; no prices where nothing is for sale. */
const pricesOf = ({ aiFreePerDay: freePerDay, manualFen: { STD, PRO } }: Settings, forSale: boolean) =>
  forSale ? { freePerDay, manualFromFen: Math.min(STD, PRO) } : { freePerDay }

/** A path of ours is resolved for the caller's platform; an external URL is not changed. */
const seenAt = (ctx: OpenCtx, address: string) => (address.startsWith('/') ? addressFrom(ctx, address) : address)

/** the only count with a side effect: it asks the appraisers to hurry */
const ORDER_URGE = 'ORDER_URGE'

export const appHandlers: Handlers<'app'> = {
  banner: banners,
  homeDataCount: homeCounts,
  lastFifteenOrder: ticker,
  homeGameList: async ({ games }) => listGames(await games.all()).map(toItem),
  documentGet: document,
  stsPost: uploadToken,
  stsGet: uploadToken,
  openPayStatus: async (ctx, { platform }) => {
    const pay = openPay(ctx, platform)
    const ad = adUnitOf(ctx, platform) !== undefined
    const { webDomains } = ctx.settings
    const more = { wechat: ctx.wechat.enabledLogins.web, webDomains: [...webDomains] }
    const manual = pay !== 'OFF'
    const { share, ios } = ctx.settings.shareImages
    const images = { share: seenAt(ctx, share), ios: seenAt(ctx, ios) }
    return { pay, images, help: openHelp(ctx, platform), ad, manual, ...pricesOf(ctx.settings, manual), ...more }
  },
  helpCenter,
  informationPage,
  informationDetail,
  excellentReportList: excellentReports,
  latestVersion: async ({ settings }) => settings.latestVersion,
  feedbackUserCount,
  countHit: async (ctx, { key, bizId }) => ({
    n: key === ORDER_URGE ? await urge(ctx, bizId ?? '') : await incrementReported(ctx, key, bizId),
  }),
}
