import { findOrder, orderCounts } from '../domains/orders/list'
import { pay } from '../domains/orders/paying/payment'
import { payType } from '../domains/orders/paying/payment-methods'
import { quoteOrder } from '../domains/orders/paying/quote'
import { payResult } from '../domains/orders/paying/result'
import { closeOrder } from '../domains/orders/refunding/cancel'
import { adUnitId, adUnlock } from '../domains/unlocks/ad'
import type { Handlers } from './handlers'

export const payHandlers: Handlers<'pay'> = {
  orderCount: (ctx) => orderCounts(ctx),
  createPre: (ctx, req) => quoteOrder(ctx, 'MANUAL', req),
  payType,
  payResult: (ctx, { orderId }) => payResult(ctx, orderId),
  payment: pay,
  getInfo: (ctx, { orderId }) => findOrder(ctx, orderId),
  createAiPre: (ctx, req) => quoteOrder(ctx, 'AI', req),
  closeOrder: (ctx, { orderId }) => closeOrder(ctx, orderId),
  adUnitId,
  adUnlock,
}
