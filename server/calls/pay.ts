import { closeOrder } from '../domains/orders/cancel'
import { findOrder, orderCounts } from '../domains/orders/list'
import { quoteOrder } from '../domains/orders/quote'
import { pay } from '../domains/payments/payment'
import { payType } from '../domains/payments/payment-methods'
import { payResult } from '../domains/payments/result'
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
