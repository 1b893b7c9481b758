import type { Deps } from '../../core/context'
import type { PaidTrade, Trade } from '../../providers/pay/port'
import { applyProviderRefund } from './apply-refund-result'
import { noteRefunded, type Payment, type SettlementOutcome, settlePayment } from './settle-payment'

/** Ends an unsuccessful payment. A failed one releases the order's coupon, the next attempt locks it. */
export const endPayment = ({ db, events }: Deps, payment: Payment, status: 'CLOSED' | 'FAILED', now: number) =>
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
    if (status === 'FAILED' && ended?.coupon_id && waits) await events.paymentFailed(tx, payment.order_id, now)
  })

/**
 * Books a payment of which the provider has paid back all or some. What was not delivered yet is not delivered any more.
 * Only a full refund is booked; of another one nobody knows what it was for, so that staff must look.
 */
async function applyRefunded(
  deps: Deps,
  payment: Payment,
  { paid, refundId, refundedFen: fen = paid ? 0 : payment.amount_fen }: Extract<Trade, { state: 'REFUNDED' }>,
  now: number,
): Promise<SettlementOutcome | undefined> {
  // recorded first: a payment that is reported afterwards, or at the same time, delivers nothing
  const { refundedFen, isNews } = await noteRefunded(deps, payment, refundId, fen)
  const isAll = refundedFen >= payment.amount_fen
  if (isNews && !isAll)
    deps.log.error(
      { alarm: true, payment: payment.id, order: payment.order_id, refundedFen },
      'a provider has refunded a part of a payment',
    )
  const outcome = paid && (await settlePayment(deps, payment, paid, now))
  if (outcome === 'REFUSED') return outcome
  if (!paid) await endPayment(deps, payment, 'CLOSED', now)
  if (isAll) await applyProviderRefund(deps, payment, refundId, now)
  return outcome
}

/** Settles a payment; one that the provider had already paid back is only booked, with its refund. */
async function applyPaid(deps: Deps, payment: Payment, trade: PaidTrade, now: number): Promise<SettlementOutcome> {
  const outcome = await settlePayment(deps, payment, trade, now)
  if (outcome !== 'SURPLUS') return outcome
  const refunded = await deps.db
    .selectFrom('payments')
    .select('id')
    .where('id', '=', payment.id)
    .whereRef('refunded_fen', '>=', 'amount_fen')
    .executeTakeFirst()
  if (refunded) await applyProviderRefund(deps, payment, trade.txn, now)
  return outcome
}

/** Applies the provider's state of a payment, from a query or a notification. */
export async function applyTradeState(
  deps: Deps,
  payment: Payment,
  trade: Trade,
  now: number,
): Promise<SettlementOutcome | undefined> {
  if (trade.state === 'PAID') return applyPaid(deps, payment, trade, now)
  if (trade.state === 'REFUNDED') return applyRefunded(deps, payment, trade, now)
  if (trade.state === 'CLOSED' || trade.state === 'FAILED') await endPayment(deps, payment, trade.state, now)
  return undefined
}
