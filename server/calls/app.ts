import { sql } from 'kysely'
import { HOME_ORDER_COUNT } from '@/contract/constants'
import { maskNick } from '@/contract/mask'
import type { HomeCounts, TickerOrder } from '@/contract/types'
import type { OpenCtx } from '../context'
import { banners } from '../domains/content/banners'
import { addressFrom, helpCenter, informationDetail, informationPage } from '../domains/content/content'
import { incrementReported } from '../domains/content/counters'
import { document } from '../domains/content/documents'
import { uploadToken } from '../domains/content/uploads'
import { listed, toItem } from '../domains/games/repository'
import { MIN_TESTED, newestBacktests } from '../domains/models/backtests'
import { urge } from '../domains/orders/urge'
import { openPay } from '../domains/payments/availability'
import { excellentReports } from '../domains/reports/featured'
import { adUnitOf, openHelp } from '../domains/unlocks/availability'
import { feedbackUserCount } from '../domains/users/feedback'
import type { Settings } from '../settings'
import type { Handlers } from './handlers'

/** Counts from the database, never rounded up. */
async function homeCounts({ db, games }: OpenCtx): Promise<HomeCounts> {
  const { rows } = await sql<{ users: number; reports: number }>`
    select (select count(*) from users) as users, (select count(*) from reports) as reports`.execute(db)
  const runs = (await newestBacktests(db)).filter(({ result }) => result.n >= MIN_TESTED)
  const errors = runs.map(({ result }) => result.medianError).sort((a, b) => a - b)
  return {
    ...rows[0],
    games: listed(await games.all()).length,
    // the median over the games' median errors (the upper one for an even count)
    ...(errors.length > 0 && {
      accuracyMedian: errors[Math.floor(errors.length / 2)] ?? 0,
      synthetic: runs.some(({ synthetic }) => synthetic),
    }),
  }
}

/** Newest valuations of users who agreed to publication, masked; prices rounded to 100 yuan. */
async function ticker({ db, games, clock }: OpenCtx): Promise<TickerOrder[]> {
  const rows = await db
    .selectFrom('reports')
    .innerJoin('users', 'users.id', 'reports.user_id')
    .select(['reports.game_id', 'reports.predict_fen', 'reports.created_at', 'users.nickname'])
    .where(sql<boolean>`users.settings @> '{"showAsExample": true}'`)
    .orderBy('reports.created_at', 'desc')
    .limit(HOME_ORDER_COUNT)
    .execute()
  const names = new Map((await games.all()).map(({ config }) => [config.gameId, config.name]))
  return rows.map((r) => ({
    gameName: names.get(r.game_id) ?? r.game_id,
    nickMasked: maskNick(r.nickname),
    priceFen: Math.round(r.predict_fen / 10_000) * 10_000,
    minutesAgo: Math.max(0, Math.floor((clock.now() - r.created_at) / 60_000)),
  }))
}

/** The amounts shown on screens; no prices where nothing is for sale. */
const pricesOf = ({ aiFreePerDay: freePerDay, manualFen: { STD, PRO } }: Settings, forSale: boolean) =>
  forSale ? { freePerDay, manualFromFen: Math.min(STD, PRO) } : { freePerDay }

/** A path of ours is resolved for the caller's platform; an external URL stays as it is. */
const seenAt = (ctx: OpenCtx, address: string) => (address.startsWith('/') ? addressFrom(ctx, address) : address)

/** the only count with a side effect: it asks the appraisers to hurry */
const ORDER_URGE = 'ORDER_URGE'

export const appHandlers: Handlers<'app'> = {
  banner: banners,
  homeDataCount: homeCounts,
  lastFifteenOrder: ticker,
  homeGameList: async ({ games }) => listed(await games.all()).map(toItem),
  documentGet: document,
  stsPost: uploadToken,
  stsGet: uploadToken,
  openPayStatus: async (ctx, { platform }) => {
    const pay = openPay(ctx, platform)
    const ad = adUnitOf(ctx, platform) !== undefined
    const { webDomains } = ctx.settings
    const more = { wechat: ctx.wechat.offers.web, webDomains: [...webDomains] }
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
