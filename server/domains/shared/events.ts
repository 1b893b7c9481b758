import type { Db } from '../../db/database'

/**
 * What a domain tells those above it, in the transaction of the caller, whose locks they rely on: accounts cannot import
 * coupons, nor payments orders. `calls/events.ts` says who acts.
 */
export interface DomainEvents {
  /** a number has its account for the first time */
  newcomer(tx: Db, userId: string, now: number): Promise<unknown>
  /** a payment with the order's amount arrived, `at` ms; SURPLUS: the order needs none, and the caller refunds it */
  orderPaid(tx: Db, orderId: string, at: number): Promise<'SETTLED' | 'SURPLUS'>
  /** the attempt to pay a waiting order failed */
  paymentFailed(tx: Db, orderId: string, now: number): Promise<void>
  /** the provider returned the payment of an order; false: the order was delivered meanwhile and is unchanged */
  orderRefunded(tx: Db, orderId: string, now: number): Promise<boolean>
  /** the provider refuses to return the payment of an order; `reason` for the user */
  refundFailed(tx: Db, refusal: { orderId: string; reason: string; now: number }): Promise<unknown>
}
