import type { Deps } from '../../context'
import type { Trade } from '../../providers/pay/port'
import { resetPrice } from '../orders/lock-price'
import { applyProviderRefund } from './apply-refund-result'
import { type Payment, type SettlementOutcome, settlePayment } from './settle-payment'

/** Ends an unsuccessful payment. A failed one releases the order's coupon, the next attempt locks it. */
export const endPayment = ({ db }: Deps, payment: Payment, status: 'CLOSED' | 'FAILED', now: number) =>
  db.transaction().execute(async (tx) => {
    const order = await tx
      .selectFrom('orders')
      .select(['mode', 'status'])
      .where('id', '=', payment.order_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const ended = await tx
      .updateTable('payments')
      .set({ status, next_ask_at: null })
      .where('id', '=', payment.id)
      .where('status', 'in', ['CREATED', 'CLOSING'])
      .returning('coupon_id')
      .executeTakeFirst()
    const waits = order.status === (order.mode === 'AI' ? 'REPORTED' : 'UNPAID')
    if (status === 'FAILED' && ended?.coupon_id && waits) await resetPrice(tx, payment.order_id, now)
  })

/** Applies the provider's state of a payment, from a query or a notification. */
export async function applyTradeState(
  deps: Deps,
  payment: Payment,
  trade: Trade,
  now: number,
): Promise<SettlementOutcome | undefined> {
  if (trade.state === 'PAID') return settlePayment(deps, payment, trade, now)
  if (trade.state === 'REFUNDED') {
    // paid and refunded at the provider before we recorded the payment
    await endPayment(deps, payment, 'CLOSED', now)
    await applyProviderRefund(deps, payment, trade.refundId, now)
  }
  if (trade.state === 'CLOSED' || trade.state === 'FAILED') await endPayment(deps, payment, trade.state, now)
  return undefined
}
