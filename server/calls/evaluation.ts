import { PAGE_SIZE_DEFAULT } from '@/contract/constants'
import { taskCreate } from '../domains/collection/create-task'
import { taskRecord } from '../domains/collection/refresh-task'
import { submitRead } from '../domains/collection/submit'
import { saveGameFeedback } from '../domains/games/game-request'
import { hottest, listGames, serversOf, toItem } from '../domains/games/repository'
import { linkVerify } from '../domains/listings/verify'
import { applyCancel } from '../domains/orders/cancel'
import { submitManual } from '../domains/orders/create'
import { listOrders } from '../domains/orders/list'
import { contrast } from '../domains/reports/contrast'
import { reportImage } from '../domains/reports/picture/image'
import { findReport } from '../domains/reports/report'
import { reportShare } from '../domains/reports/share'
import { getEvaluation, saveEvaluation } from '../domains/reviews/review'
import { consultStaff } from '../domains/staff/staff'
import { unlockHelp, unlockHelpList } from '../domains/unlocks/friend-help'
import { unlockRecord } from '../domains/unlocks/record'
import { prefilledForm } from '../domains/valuations/prefilled-form'
import { submitAi } from '../domains/valuations/submit'
import type { Handlers } from './handlers'

const HOT_LIMIT = 8

export const evaluationHandlers: Handlers<'evaluation'> = {
  gameList: async ({ games }, { keyword }) => listGames(await games.all(), keyword).map(toItem),
  gameServer: async ({ games }, { gameId }) => serversOf((await games.find(gameId)).config),
  gameDetail: async ({ games }, { gameId }) => {
    const game = await games.find(gameId)
    return { ...toItem(game), estSeconds: game.config.estSeconds, readList: game.config.readList }
  },
  taskCreate,
  taskRecord,
  gameConfig: prefilledForm,
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
