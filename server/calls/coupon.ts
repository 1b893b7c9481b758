import { centre, couponsByStatus, receive } from '../domains/coupons/centre'
import { couponsFor } from '../domains/orders/quote'
import type { Handlers } from './handlers'

export const couponHandlers: Handlers<'coupon'> = {
  canReceive: centre,
  receive: (ctx, { templateId }) => receive(ctx, templateId),
  getByStatus: couponsByStatus,
  getCanUse: (ctx, { orderId }) => couponsFor(ctx, orderId),
}
