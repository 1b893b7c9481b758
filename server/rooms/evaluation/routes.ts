import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { type Handlers, notOpenYet } from '../handlers'
import { listOrders } from '../orders/list'
import { hottest, listed, openFor, serversOf, toItem } from './games'
import { linkVerify } from './link/verify'
import { findReport } from './report'
import { freeLeft, submitAi } from './submit'

const HOT_LIMIT = 8

export const evaluationHandlers: Handlers<'evaluation'> = {
  gameList: async ({ games }, { keyword }) => listed(await games.all(), keyword).map(toItem),
  gameServer: async ({ games }, { gameId }) => serversOf((await games.find(gameId)).config),
  gameDetail: async ({ games }, { gameId }) => {
    const game = await games.find(gameId)
    return { ...toItem(game), estSeconds: game.config.estSeconds, readList: game.config.readList }
  },
  taskCreate: notOpenYet,
  taskRecord: notOpenYet,
  gameConfig: async (ctx, { gameId, mode }) => {
    const config = openFor(await ctx.games.find(gameId), mode)
    const userId = mode === 'AI' ? await ctx.viewer() : undefined
    return userId === undefined ? config : { ...config, freeLeft: await freeLeft(ctx, userId) }
  },
  orderList: async (ctx, { pageNo = 1, pageSize = PAGE_SIZE_DEFAULT, ...q }) => ({
    ...(await listOrders(ctx, { ...q, pageNo, pageSize })),
    pageNo,
    pageSize,
  }),
  reportGet: findReport,
  linkVerify,
  submitAi,
  consultStaff: notOpenYet,
  applyCancel: notOpenYet,
  submitManual: notOpenYet,
  saveGameFeedback: notOpenYet,
  saveEvaluation: notOpenYet,
  getEvaluation: notOpenYet,
  reportImage: notOpenYet,
  reportImageShare: notOpenYet,
  unlockRecord: notOpenYet,
  unlockHelpList: notOpenYet,
  unlockHelp: notOpenYet,
  hotGame: async ({ games }, { limit = HOT_LIMIT }) => hottest(await games.all(), limit).map(toItem),
  contrastAnalysis: notOpenYet,
}
