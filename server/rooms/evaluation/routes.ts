import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { type Handlers, notOpenYet } from '../handlers'
import { applyCancel } from '../orders/cancel'
import { submitManual } from '../orders/create'
import { getEvaluation, saveEvaluation } from '../orders/evaluate'
import { listOrders } from '../orders/list'
import { consultStaff } from '../staff/staff'
import { contrast } from './contrast'
import { hottest, listed, serversOf, toItem } from './games'
import { linkVerify } from './link/verify'
import { formOffer } from './offer'
import { findReport } from './report'
import { submitAi } from './submit'

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
  gameConfig: formOffer,
  orderList: async (ctx, { pageNo = 1, pageSize = PAGE_SIZE_DEFAULT, ...q }) => ({
    ...(await listOrders(ctx, { ...q, pageNo, pageSize })),
    pageNo,
    pageSize,
  }),
  reportGet: findReport,
  linkVerify,
  submitAi,
  consultStaff: (ctx, { gameId }) => consultStaff(ctx, gameId),
  applyCancel,
  submitManual,
  saveGameFeedback: notOpenYet,
  saveEvaluation,
  getEvaluation: (ctx, { orderId }) => getEvaluation(ctx, orderId),
  reportImage: notOpenYet,
  reportImageShare: notOpenYet,
  unlockRecord: notOpenYet,
  unlockHelpList: notOpenYet,
  unlockHelp: notOpenYet,
  hotGame: async ({ games }, { limit = HOT_LIMIT }) => hottest(await games.all(), limit).map(toItem),
  contrastAnalysis: contrast,
}
