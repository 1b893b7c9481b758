import { taskRecord } from '../domains/games/collection/refresh-task'
import { gameDetail, gameList, gameServers, hotGames } from '../domains/games/game-list'
import { saveGameFeedback } from '../domains/games/game-request'
import { linkVerify } from '../domains/games/listings/verify'
import { submitManual } from '../domains/orders/create'
import { listOrders } from '../domains/orders/list'
import { applyCancel } from '../domains/orders/refunding/cancel'
import { getEvaluation, saveEvaluation } from '../domains/orders/reviewing/review'
import { reportImage } from '../domains/reports/picture/image'
import { reportShare } from '../domains/reports/publishing/share'
import { contrast } from '../domains/reports/reading/contrast'
import { findReport } from '../domains/reports/reading/report'
import { consultStaff } from '../domains/staff/staff'
import { unlockHelp, unlockHelpList } from '../domains/unlocks/friend-help'
import { unlockRecord } from '../domains/unlocks/record'
import { taskCreate } from '../domains/valuations/collected/create-task'
import { submitRead } from '../domains/valuations/collected/submit'
import { prefilledForm } from '../domains/valuations/prefilled-form'
import { submitAi } from '../domains/valuations/submit'
import type { Handlers } from './handlers'

export const evaluationHandlers: Handlers<'evaluation'> = {
  gameList,
  gameServer: gameServers,
  gameDetail,
  taskCreate,
  taskRecord,
  gameConfig: prefilledForm,
  orderList: listOrders,
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
  hotGame: hotGames,
  contrastAnalysis: contrast,
}
