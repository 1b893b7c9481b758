import type { Selectable } from 'kysely'
import type { Db } from '../../db/database'
import type { Payments } from '../../db/tables'
import { newId } from '../shared/secrets'

type Payment = Selectable<Payments>

/** Records a refund of a payment; one in progress is left unchanged. */
export async function addRefund(
  tx: Db,
  payment: Pick<Payment, 'id' | 'order_id' | 'amount_fen'>,
  { surplus, reason, now }: { surplus: boolean; reason: string; now: number },
): Promise<void> {
  await tx
    .insertInto('refunds')
    .values({
      id: newId(),
      payment_id: payment.id,
      order_id: payment.order_id,
      amount_fen: payment.amount_fen,
      reason,
      surplus,
      status: 'PENDING',
      next_at: now,
      provider_refund_id: null,
      failure: null,
      asked_at: now,
      done_at: null,
    })
    .onConflict((c) => c.column('payment_id').where('status', '<>', 'FAILED').doNothing())
    .execute()
}

/**
 * Requests the refund of an order's payment. Call in the transaction that moves the order to REFUNDING; a job then
 * calls the provider, with retries, and tells its end by an event.
 * @throws Error when the order was never paid: a programming error
 */
export async function requestRefund(
  tx: Db,
  { orderId, reason, now }: { orderId: string; reason: string; now: number },
): Promise<void> {
  const payment = await tx
    .selectFrom('ledger')
    .innerJoin('payments', 'payments.id', 'ledger.payment_id')
    .select(['payments.id', 'payments.order_id', 'payments.amount_fen'])
    .where('ledger.order_id', '=', orderId)
    .where('ledger.kind', '=', 'PAY')
    .executeTakeFirst()
  if (!payment) throw new Error(`order ${orderId} was never paid`)
  await addRefund(tx, payment, { surplus: false, reason, now })
}
