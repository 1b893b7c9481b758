import type { Selectable } from 'kysely'
import { yuan } from '@/contract/format'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import type { Payments } from '../../db/tables'
import type { PaidTrade } from '../../providers/pay/port'
import { notify } from '../accounts/notifications/send'
import { addRefund } from './create-refund'

export type Payment = Selectable<Payments>

/**
 * SETTLED: the order is paid · SURPLUS: the order needed no payment, it is refunded, or was at the provider · DUPLICATE: processed before ·
 * REFUSED: contradicts our request; nothing was changed, staff must look
 */
export type SettlementOutcome = 'SETTLED' | 'SURPLUS' | 'DUPLICATE' | 'REFUSED'

/** Time of payment on our clock, which the sandbox may have moved ahead of the provider's. */
const paidWhen = ({ paidAt }: PaidTrade, now: number, realNow: number) =>
  now - Math.max(0, realNow - (paidAt ?? realNow))

/**
 * Records what the provider says it has paid back under a number of its own; a message that arrives late says less.
 * @returns the sum over all numbers, and whether it is new
 */
export const noteRefunded = ({ db }: Deps, { id }: Pick<Payment, 'id'>, refundId: string, fen: number) =>
  db.transaction().execute(async (tx) => {
    const payment = tx.selectFrom('payments').select('provider_refunds').where('id', '=', id)
    const { provider_refunds: before } = await payment.forUpdate().executeTakeFirstOrThrow()
    const refunds = { ...before, [refundId]: Math.max(fen, before[refundId] ?? 0) }
    const refundedFen = Object.values(refunds).reduce((sum, fen) => sum + fen, 0)
    const isNews = refunds[refundId] !== before[refundId]
    const change = { provider_refunds: JSON.stringify(refunds), refunded_fen: refundedFen }
    // what staff have settled stays settled when it is reported again
    if (isNews) await tx.updateTable('payments').set(change).where('id', '=', id).execute()
    return { refundedFen, isNews }
  })

/** Locks order and payment, in the common lock order. */
async function locked(tx: Db, payment: Payment) {
  const order = await tx
    .selectFrom('orders')
    .select(['pay_fen', 'title'])
    .where('id', '=', payment.order_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const { status, txn, refunded_fen } = await tx
    .selectFrom('payments')
    .select(['status', 'txn', 'refunded_fen'])
    .where('id', '=', payment.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return { order, status, txn, isRefunded: refunded_fen !== null }
}

/** Writes payment, ledger and entitlement of a payment that was not settled before. */
export async function recordPayment(
  tx: Db,
  { clock, events }: Deps,
  payment: Payment,
  trade: PaidTrade,
  /** undefined: nothing is delivered, because the provider has paid the money back */
  orderFen: number | undefined,
  now: number,
): Promise<SettlementOutcome> {
  const at = paidWhen(trade, now, clock.realNow())
  const settled = trade.amountFen === orderFen && (await events.orderPaid(tx, payment.order_id, at)) === 'SETTLED'
  await tx
    .updateTable('payments')
    .set({ status: 'PAID', txn: trade.txn, paid_at: at, next_ask_at: null })
    .where('id', '=', payment.id)
    .execute()
  await tx
    .insertInto('ledger')
    .values({
      kind: settled ? 'PAY' : 'SURPLUS',
      order_id: payment.order_id,
      payment_id: payment.id,
      provider: payment.provider,
      txn: trade.txn,
      amount_fen: trade.amountFen,
      at: now,
    })
    .execute()
  if (settled)
    await tx.updateTable('orders').set({ pay_type: payment.pay_type }).where('id', '=', payment.order_id).execute()
  return settled ? 'SETTLED' : 'SURPLUS'
}

async function refundSurplus(tx: Db, payment: Payment, title: string, now: number) {
  await addRefund(tx, payment, { surplus: true, reason: '订单已关闭或已支付', now })
  await notify(tx, {
    userId: payment.user_id,
    type: 'SYSTEM',
    title: '付款将自动退回',
    summary: `“${title}”在付款时已关闭或已支付，${yuan(payment.amount_fen)} 将原路退回`,
    bizType: 'REFUND',
    bizId: payment.order_id,
    now,
  })
}

/**
 * Processes a successful payment: verifies the amount, locks order and payment, and writes ledger, entitlement and
 * message in one transaction. Idempotent, whether by notification or query.
 */
export async function settlePayment(
  deps: Deps,
  payment: Payment,
  trade: PaidTrade,
  now: number,
): Promise<SettlementOutcome> {
  const { db, log } = deps
  if (trade.amountFen !== payment.amount_fen) {
    log.error({ alarm: true, payment: payment.id }, 'a provider reports another amount than was asked for')
    return 'REFUSED'
  }
  const outcome = await db.transaction().execute(async (tx) => {
    const { order, status, txn, isRefunded } = await locked(tx, payment)
    if (status === 'PAID') return txn === trade.txn ? 'DUPLICATE' : 'REFUSED'
    // one provider number for two of our payments: a unique violation would abort the transaction, so check first
    const taken = await tx
      .selectFrom('payments')
      .select('id')
      .where('provider', '=', payment.provider)
      .where('txn', '=', trade.txn)
      .executeTakeFirst()
    if (taken) return 'REFUSED'
    const orderFen = isRefunded ? undefined : order.pay_fen
    const entered = await recordPayment(tx, deps, payment, trade, orderFen, now)
    if (entered === 'SURPLUS' && !isRefunded) await refundSurplus(tx, payment, order.title, now)
    return entered
  })
  if (outcome === 'REFUSED')
    log.error({ alarm: true, payment: payment.id }, 'a provider reports a payment under two numbers')
  else log.info({ payment: payment.id, order: payment.order_id, outcome }, 'payment')
  return outcome
}
