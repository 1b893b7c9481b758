/** Calls of the group `coupon`. */
import { Type } from 'typebox'
import { couponCentreStateText, userCouponStatusText } from '../labels'
import {
  couponTemplate,
  GameId,
  Int,
  idOf,
  OrderId,
  obj,
  oneOf,
  opt,
  page,
  paging,
  UnusableCoupon,
  UserCoupon,
} from './common'
import type { GroupSchemas } from './groupSchemas'

/** A template in the coupon centre; `left` is absent without a limit. */
export const CentreCoupon = obj({
  ...couponTemplate,
  state: oneOf(couponCentreStateText),
  left: opt(Int),
  /** status of the viewer's own coupon of this template, the most useful one */
  mine: opt(oneOf(userCouponStatusText)),
})

export const coupon = {
  canReceive: { req: obj({ gameId: opt(GameId) }), res: Type.Array(CentreCoupon) },
  receive: { req: obj({ templateId: idOf('优惠券') }), res: UserCoupon },
  getByStatus: {
    req: obj({ status: oneOf(userCouponStatusText, { title: '状态' }), ...paging }),
    res: page(UserCoupon),
  },
  getCanUse: {
    req: obj({ orderId: OrderId }),
    res: obj({ usable: Type.Array(UserCoupon), unusable: Type.Array(UnusableCoupon) }),
  },
} as const satisfies GroupSchemas<'coupon'>
