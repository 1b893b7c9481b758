/** Calls of the group `pay`. */
import { Type } from 'typebox'
import { payTypeText } from '../labels'
import {
  among,
  Bool,
  empty,
  Fen,
  Int,
  Order,
  OrderId,
  obj,
  oneOf,
  opt,
  Str,
  Timestamp,
  text,
  userCoupon,
} from './common'
import type { GroupSchemas } from './groupSchemas'

/** Empty string = the user wants no coupon; absent = the server selects the best. */
const CouponId = Type.String({ title: '优惠券', maxLength: 64 })
const PayType = oneOf(payTypeText, { title: '支付方式' })

/** Price of an order. Coupons that do not apply come last, with a reason. */
export const PreOrder = obj({
  originFen: Fen,
  discountFen: Fen,
  payFen: Fen,
  coupons: Type.Array(obj({ ...userCoupon, reason: opt(Str) })),
  /** coupon included in `discountFen` */
  couponId: opt(Str),
  payExpireAt: Timestamp,
  /** the server's time, so that a countdown does not depend on the phone's clock */
  now: opt(Timestamp),
  agreeUrl: Str,
  /** manual orders: prices of all services, so that the checkout can switch */
  levels: opt(obj({ STD: Fen, PRO: Fen })),
  /** manual orders: until when the report is delivered if the order is paid now */
  dueAt: opt(Timestamp),
  /** manual orders: number of pictures that were sent */
  pictures: opt(Int),
})
/** `claim`: without a coupon named, one of the centre that is better than those held is claimed */
const preReq = obj({ orderId: OrderId, couponId: opt(CouponId), claim: opt(Bool) })

export const pay = {
  orderCount: { req: empty, res: obj({ unpaid: Int, ing: Int, done: Int, refund: Int }) },
  createPre: { req: preReq, res: PreOrder },
  payType: {
    req: obj({ orderId: OrderId, env: text('环境', 32) }),
    res: Type.Array(obj({ type: oneOf(payTypeText), default: Bool, note: Str })),
  },
  payResult: { req: obj({ orderId: OrderId }), res: obj({ status: among(['PAID', 'PENDING', 'FAILED', 'CLOSED']) }) },
  /** one of three, by channel: parameters for the client's own call, an address to open, a form to post */
  payment: {
    req: obj({
      orderId: OrderId,
      payType: PayType,
      couponId: opt(CouponId),
      /** to the rule that the page shows: no refund, or no coupon back; required unless it is recorded with the order */
      consent: opt(Type.Literal(true, { title: '同意退款规则' })),
      openid: opt(text('微信用户', 128)),
      /** login code of the mini-program, by which the server determines the payer */
      loginCode: opt(text('微信登录凭证', 128)),
      returnUrl: opt(text('返回地址', 500)),
    }),
    res: obj({ payParams: opt(Type.Record(Str, Str)), jumpUrl: opt(Str), form: opt(Str) }),
  },
  getInfo: { req: obj({ orderId: OrderId }), res: Order },
  createAiPre: { req: preReq, res: PreOrder },
  closeOrder: { req: obj({ orderId: OrderId }), res: Order },
  adUnitId: {
    req: obj({ orderId: OrderId, platform: text('平台', 32) }),
    res: obj({ adUnitId: Str, nonce: Str, left: Int }),
  },
  adUnlock: {
    req: obj({
      orderId: OrderId,
      nonce: text('广告凭证', 128),
      isEnded: Bool,
      /** login code of the mini-program: only its host issues one, and only it shows rewarded ads */
      loginCode: opt(text('微信登录凭证', 128)),
    }),
    res: obj({ unlocked: Bool }),
  },
} as const satisfies GroupSchemas<'pay'>
