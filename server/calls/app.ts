import { APP_VERSION, VERSION_CODE } from '@/contract/constants'
import { feedbackUserCount } from '../domains/accounts/feedback'
import { document } from '../domains/content/accuracy-page'
import { banners } from '../domains/content/banners'
import { helpCenter, informationDetail, informationPage } from '../domains/content/content'
import { incrementReported } from '../domains/content/counters'
import { uploadToken } from '../domains/content/uploads'
import { gameList } from '../domains/games/game-list'
import { urge } from '../domains/orders/urge'
import { excellentReports } from '../domains/reports/publishing/featured'
import { homeCounts, newestValuations } from '../domains/reports/publishing/home'
import { openPayStatus } from '../domains/unlocks/availability'
import type { Handlers } from './handlers'

/** the only count with a side effect: it asks the appraisers to hurry */
const ORDER_URGE = 'ORDER_URGE'

export const appHandlers: Handlers<'app'> = {
  banner: banners,
  homeDataCount: homeCounts,
  lastFifteenOrder: newestValuations,
  homeGameList: (ctx) => gameList(ctx),
  documentGet: document,
  stsPost: uploadToken,
  stsGet: uploadToken,
  openPayStatus,
  helpCenter,
  informationPage,
  informationDetail,
  excellentReportList: excellentReports,
  latestVersion: async () => ({ version: APP_VERSION, code: VERSION_CODE, force: false, url: '', note: '' }),
  feedbackUserCount,
  countHit: async (ctx, { key, bizId }) => ({
    n: key === ORDER_URGE ? await urge(ctx, bizId ?? '') : await incrementReported(ctx, key, bizId),
  }),
}
