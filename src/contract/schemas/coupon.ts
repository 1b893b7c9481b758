/** Calls of the group `coupon` (product 2.7, 2.11). */
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
import type { GroupSchemas } from './shape'

/** A template as the centre shows it; `left` is absent when there is no limit. */
export const CentreCoupon = obj({
  ...couponTemplate,
  state: oneOf(couponCentreStateText),
  left: opt(Int),
  /** what has become of the viewer's own, the most useful of them */
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
