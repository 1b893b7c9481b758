import { type RawBuilder, sql } from 'kysely'

/** One row that does not agree with the others; `ref` is the payment, refund, coupon or report concerned. */
export interface DifferenceRow {
  order_id: string
  ref: string | null
}

export type CheckQuery = RawBuilder<DifferenceRow>

/** The pay status that follows from an order's status; AI reports are also unlocked without a payment. */
const payStatusFits = sql`case
  when o.status in ('REFUNDING', 'REFUNDED') then o.pay_status = o.status
  when o.mode = 'AI' and o.status in ('UNLOCKED', 'DONE') then o.pay_status in ('UNPAID', 'PAID')
  when o.mode = 'MANUAL' and o.status not in ('UNPAID', 'CANCELED', 'CLOSED') then o.pay_status = 'PAID'
  else o.pay_status = 'UNPAID' end`

/** Over `orders o`: the order's own columns contradict each other. Other checks leave such orders out. */
export const contradicts = sql<boolean>`(not ${payStatusFits})`

/** Over `orders o`: somebody paid for it, also when the money has gone back since. */
export const wasPaid = sql<boolean>`(o.pay_status <> 'UNPAID' and ${payStatusFits})`

/** Over `orders o`: the owner's account was erased, and with it reports, messages and coupons. */
export const isErased = sql<boolean>`exists (select from users u where u.id = o.user_id and u.erased)`

/** Over `orders o`: the ledger says that a payment settled it. */
export const hasPayLine = sql<boolean>`exists (select from ledger l where l.order_id = o.id and l.kind = 'PAY')`
