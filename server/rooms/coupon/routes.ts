import type { Handlers } from '../handlers'
import { couponsFor } from '../orders/pre'
import { centre, couponsByStatus, receive } from './centre'

export const couponHandlers: Handlers<'coupon'> = {
  canReceive: centre,
  receive: (ctx, { templateId }) => receive(ctx, templateId),
  getByStatus: couponsByStatus,
  getCanUse: (ctx, { orderId }) => couponsFor(ctx, orderId),
}
