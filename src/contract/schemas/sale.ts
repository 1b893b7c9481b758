/** Calls of the group `sale`: what became of an account after its valuation (卖出回访). */
import { Type } from 'typebox'
import { saleOutcomeText } from '../labels'
import { Bool, Fen, idOf, imageKeys, obj, oneOf, opt, Str, Timestamp, text } from './common'
import type { GroupSchemas } from './groupSchemas'

const OrderId = idOf('订单编号')

const answer = {
  outcome: oneOf(saleOutcomeText, { title: '卖出情况' }),
  /** the marketplace where it is or was listed */
  platform: opt(text('挂牌平台', 30, 0)),
  listFen: opt(Fen),
  listedAt: opt(Timestamp),
  /** only with SOLD */
  soldFen: opt(Fen),
  soldAt: opt(Timestamp),
  images: opt(imageKeys('成交截图', 1)),
}

export const SaleFollowUp = obj({
  orderId: Str,
  gameId: Str,
  gameName: Str,
  title: Str,
  /** of the newest report */
  predictFen: Fen,
  reportedAt: Timestamp,
  /** absent until reported */
  answer: opt(obj({ ...answer, toldAt: Timestamp })),
  /** a thank-you coupon has been given */
  thanked: Bool,
})

export const sale = {
  followUp: { req: obj({ orderId: OrderId }), res: SaleFollowUp },
  report: {
    req: obj({ orderId: OrderId, ...answer, consent: Type.Literal(true, { title: '同意说明' }) }),
    res: SaleFollowUp,
  },
} satisfies GroupSchemas<'sale'>
