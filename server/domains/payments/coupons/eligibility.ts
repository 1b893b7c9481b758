import type { Selectable } from 'kysely'
import { fromText } from '@/contract/couponText'
import type { CouponTemplates, UserCoupons } from '../../../db/tables'

type Rule = Pick<
  Selectable<CouponTemplates>,
  'type' | 'amount_fen' | 'percent' | 'cap_fen' | 'threshold_fen' | 'scope' | 'game_ids'
>
type Held = Pick<Selectable<UserCoupons>, 'status' | 'start_at' | 'end_at' | 'order_id'>

/** The purchase a coupon is evaluated for. */
export interface Purchase {
  orderId: string
  mode: 'AI' | 'MANUAL'
  gameId: string
  originFen: number
}

export interface Price {
  originFen: number
  discountFen: number
  payFen: number
}

/** Discount in fen, never more than the price. For a percentage the remaining price is rounded half up. */
export function discountOf(rule: Rule, originFen: number): number {
  if (rule.type === 'FREE') return originFen
  if (rule.type !== 'PERCENT') return Math.min(rule.amount_fen, originFen)
  const off = originFen - Math.round((originFen * (rule.percent ?? 100)) / 100)
  return Math.max(0, Math.min(off, rule.cap_fen ?? off))
}

/** Amount to pay: `max(0, origin − discount)`. */
export function discountedPrice({ originFen }: Pick<Purchase, 'originFen'>, rule: Rule | undefined): Price {
  const discountFen = rule ? discountOf(rule, originFen) : 0
  return { originFen, discountFen, payFen: Math.max(0, originFen - discountFen) }
}

/** Why a coupon cannot be used for a purchase now, as shown to the user; undefined when it can. */
export function ineligibleReason(c: Rule & Held, p: Purchase, now: number): string | undefined {
  if (c.status === 'USED') return '已使用'
  if (c.status === 'LOCKED' && c.order_id !== p.orderId) return '正在另一笔订单中使用'
  if (c.status === 'EXPIRED' || c.end_at <= now) return '已过期'
  if (c.start_at > now) return '未到使用时间'
  if (c.scope === 'AI' && p.mode !== 'AI') return '仅限 AI 估价使用'
  if (c.scope === 'MANUAL' && p.mode !== 'MANUAL') return '仅限人工估价使用'
  if (c.scope === 'GAME' && !c.game_ids.includes(p.gameId)) return '不适用于这个游戏'
  if (c.type === 'FREE' && p.mode !== 'AI') return '体验券仅限 AI 完整报告使用'
  if (p.originFen < c.threshold_fen) return fromText(c.threshold_fen)
  return undefined
}

/** Largest discount first; among equals the earliest end first. */
export const compareByDiscount =
  (originFen: number) =>
  (a: Rule & Held, b: Rule & Held): number =>
    discountOf(b, originFen) - discountOf(a, originFen) || a.end_at - b.end_at
