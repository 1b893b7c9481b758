import { resetPrice } from '../domains/orders/paying/lock-price'
import { markPaid } from '../domains/orders/paying/mark-paid'
import { onProviderRefund, revertRefunding } from '../domains/orders/refunding/refund-outcome'
import { grantByRule } from '../domains/payments/coupons/grant'
import type { DomainEvents } from '../domains/shared/events'

/** The domains that act on what those below them tell. */
export const events: DomainEvents = {
  newcomer: (tx, userId, now) => grantByRule(tx, 'NEWCOMER', userId, now),
  orderPaid: markPaid,
  paymentFailed: resetPrice,
  orderRefunded: onProviderRefund,
  refundFailed: revertRefunding,
}
