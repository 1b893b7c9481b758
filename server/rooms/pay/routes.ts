import type { Handlers } from '../handlers'
import { closeOrder } from '../orders/cancel'
import { findOrder, orderCounts } from '../orders/list'
import { preOrder } from '../orders/pre'
import { adUnitId, adUnlock } from '../unlock/ad'
import { payType } from './channels'
import { pay } from './payment'
import { payResult } from './result'

export const payHandlers: Handlers<'pay'> = {
  orderCount: (ctx) => orderCounts(ctx),
  createPre: (ctx, req) => preOrder(ctx, 'MANUAL', req),
  payType,
  payResult: (ctx, { orderId }) => payResult(ctx, orderId),
  payment: pay,
  getInfo: (ctx, { orderId }) => findOrder(ctx, orderId),
  createAiPre: (ctx, req) => preOrder(ctx, 'AI', req),
  closeOrder: (ctx, { orderId }) => closeOrder(ctx, orderId),
  adUnitId,
  adUnlock,
}
