import { type Handlers, notOpenYet } from '../handlers'
import { findOrder, orderCounts } from '../orders/list'

export const payHandlers: Handlers<'pay'> = {
  orderCount: (ctx) => orderCounts(ctx),
  createPre: notOpenYet,
  payType: notOpenYet,
  payResult: notOpenYet,
  payment: notOpenYet,
  getInfo: (ctx, { orderId }) => findOrder(ctx, orderId),
  createAiPre: notOpenYet,
  closeOrder: notOpenYet,
  adUnitId: notOpenYet,
  adUnlock: notOpenYet,
}
