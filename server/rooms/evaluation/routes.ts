import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import type { Handlers } from '../handlers'
import { applyCancel } from '../orders/cancel'
import { submitManual } from '../orders/create'
import { getEvaluation, saveEvaluation } from '../orders/evaluate'
import { listOrders } from '../orders/list'
import { consultStaff } from '../staff/staff'
import { unlockHelp, unlockHelpList } from '../unlock/help'
import { unlockRecord } from '../unlock/record'
import { reportShare } from '../unlock/share'
import { contrast } from './contrast'
import { hottest, listed, serversOf, toItem } from './games'
import { linkVerify } from './link/verify'
import { formOffer } from './offer'
import { reportImage } from './picture/image'
import { findReport } from './report'
import { submitAi } from './submit'
import { taskCreate } from './tasks/create'
import { taskRecord } from './tasks/record'
import { submitRead } from './tasks/submit'
import { saveGameFeedback } from './wish'

const HOT_LIMIT = 8

export const evaluationHandlers: Handlers<'evaluation'> = {
  gameList: async ({ games }, { keyword }) => listed(await games.all(), keyword).map(toItem),
  gameServer: async ({ games }, { gameId }) => serversOf((await games.find(gameId)).config),
  gameDetail: async ({ games }, { gameId }) => {
    const game = await games.find(gameId)
    return { ...toItem(game), estSeconds: game.config.estSeconds, readList: game.config.readList }
  },
  taskCreate,
  taskRecord,
  gameConfig: formOffer,
  orderList: async (ctx, { pageNo = 1, pageSize = PAGE_SIZE_DEFAULT, ...q }) => ({
    ...(await listOrders(ctx, { ...q, pageNo, pageSize })),
    pageNo,
    pageSize,
  }),
  reportGet: findReport,
  linkVerify,
  consultStaff: (ctx, { gameId }) => consultStaff(ctx, gameId),
  applyCancel,
  submitManual,
  submitAi: (ctx, req) => (req.taskId ? submitRead(ctx, { ...req, taskId: req.taskId }) : submitAi(ctx, req)),
  saveGameFeedback,
  saveEvaluation,
  getEvaluation: (ctx, { orderId }) => getEvaluation(ctx, orderId),
  reportImage,
  reportImageShare: reportShare,
  unlockRecord,
  unlockHelpList,
  unlockHelp,
  hotGame: async ({ games }, { limit = HOT_LIMIT }) => hottest(await games.all(), limit).map(toItem),
  contrastAnalysis: contrast,
}
