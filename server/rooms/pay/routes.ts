import { type Handlers, notOpenYet } from '../handlers'
import { findOrder, orderCounts } from '../orders/list'
import { payType } from './channels'
import { pay } from './payment'
import { payResult } from './result'

export const payHandlers: Handlers<'pay'> = {
  orderCount: (ctx) => orderCounts(ctx),
  createPre: notOpenYet,
  payType,
  payResult: (ctx, { orderId }) => payResult(ctx, orderId),
  payment: pay,
  getInfo: (ctx, { orderId }) => findOrder(ctx, orderId),
  createAiPre: notOpenYet,
  closeOrder: notOpenYet,
  adUnitId: notOpenYet,
  adUnlock: notOpenYet,
}
