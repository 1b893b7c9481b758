import { type RawBuilder, sql } from 'kysely'

/** One disagreeing row; `ref` is the payment, refund, coupon or report concerned. */
export interface DifferenceRow {
  order_id: string
  ref: string | null
}

export type CheckQuery = RawBuilder<DifferenceRow>

/** The pay status implied by an order's status; AI reports are also unlocked without a payment. */
const payStatusFits = sql`case
  when o.status in ('REFUNDING', 'REFUNDED') then o.pay_status = o.status
  when o.mode = 'AI' and o.status in ('UNLOCKED', 'DONE') then o.pay_status in ('UNPAID', 'PAID')
  when o.mode = 'MANUAL' and o.status not in ('UNPAID', 'CANCELED', 'CLOSED') then o.pay_status = 'PAID'
  else o.pay_status = 'UNPAID' end`

/** SQL over `orders o`: the order's own columns contradict each other. Other checks skip such orders. */
export const statusContradictsPayment = sql<boolean>`(not ${payStatusFits})`

/** SQL over `orders o`: it was paid for, even if refunded since. */
export const wasPaid = sql<boolean>`(o.pay_status <> 'UNPAID' and ${payStatusFits})`

/** SQL over `orders o`: the owner's account was deleted, with its reports, messages and coupons. */
export const isErased = sql<boolean>`exists (select from users u where u.id = o.user_id and u.erased)`

/** SQL over `orders o`: the ledger has a payment that settled it. */
export const hasPayLine = sql<boolean>`exists (select from ledger l where l.order_id = o.id and l.kind = 'PAY')`
