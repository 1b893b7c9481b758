import { claimCoupon, couponsByStatus, listCentreCoupons } from '../domains/coupons/centre'
import { couponsFor } from '../domains/orders/quote'
import type { Handlers } from './handlers'

export const couponHandlers: Handlers<'coupon'> = {
  canReceive: listCentreCoupons,
  receive: (ctx, { templateId }) => claimCoupon(ctx, templateId),
  getByStatus: couponsByStatus,
  getCanUse: (ctx, { orderId }) => couponsFor(ctx, orderId),
}
