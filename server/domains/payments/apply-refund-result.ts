import type { Selectable } from 'kysely'
import { yuan } from '@/contract/format'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import type { Payments, Refunds } from '../../db/tables'
import type { RefundResult } from '../../providers/pay/port'
import { notify } from '../accounts/notifications/send'
import { addRefund } from './create-refund'

type Refund = Selectable<Refunds>

/**
 * Effect of the end of a refund; NOTHING when it had already ended · DELIVERED: the provider made it without our request, of an
 * order that was delivered and is unchanged
 */
type Ended = 'DONE' | 'FAILED' | 'NOTHING' | 'DELIVERED' | Late

/**
 * The provider completed a refund that counted as failed. LATE: the order is refunded · LATE_DELIVERED: the order was
 * delivered meanwhile and is unchanged · TWICE: another refund of the payment is complete too
 */
type Late = 'LATE' | 'LATE_DELIVERED' | 'TWICE'

const OPEN = ['PENDING', 'PROCESSING'] as const

/** Ends the replacement of a refund that counted as failed: money is returned once. @returns false: already returned */
async function replaceOther(tx: Db, { payment_id }: Refund): Promise<boolean> {
  const other = await tx
    .selectFrom('refunds')
    .select(['id', 'status'])
    .where('payment_id', '=', payment_id)
    .where('status', '<>', 'FAILED')
    .executeTakeFirst()
  if (other?.status === 'DONE') return false
  if (other)
    await tx
      .updateTable('refunds')
      .set({ status: 'FAILED', failure: '此前的退款已成功', next_at: null })
      .where('id', '=', other.id)
      .execute()
  return true
}

interface PayerMessage {
  type: 'REFUNDED' | 'SYSTEM'
  title: string
  summary: string
  now: number
}

/** Tells the payer about the refund of surplus money, which does not affect the order. */
async function notifyPayer(tx: Db, { payment_id, order_id }: Refund, message: PayerMessage): Promise<void> {
  const { user_id: userId } = await tx
    .selectFrom('payments')
    .select('user_id')
    .where('id', '=', payment_id)
    .executeTakeFirstOrThrow()
  await notify(tx, { ...message, userId, bizType: 'REFUND', bizId: order_id })
}

async function finish(tx: Db, { events }: Deps, refund: Refund, refundId: string, now: number): Promise<Ended> {
  const { status } = await tx
    .selectFrom('refunds')
    .select('status')
    .where('id', '=', refund.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (status === 'DONE') return 'NOTHING'
  const late = status === 'FAILED'
  if (late && !(await replaceOther(tx, refund))) return 'TWICE'
  await tx
    .updateTable('refunds')
    .set({ status: 'DONE', provider_refund_id: refundId, done_at: now, next_at: null, failure: null })
    .where('id', '=', refund.id)
    .execute()
  const { provider } = await tx
    .selectFrom('payments')
    .select('provider')
    .where('id', '=', refund.payment_id)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('ledger')
    .values({
      kind: 'REFUND',
      order_id: refund.order_id,
      payment_id: refund.payment_id,
      provider,
      txn: refund.id,
      amount_fen: -refund.amount_fen,
      at: now,
    })
    .execute()
  if (!refund.surplus) {
    const refunded = await events.orderRefunded(tx, refund.order_id, now)
    if (late) return refunded ? 'LATE' : 'LATE_DELIVERED'
    return refunded ? 'DONE' : 'DELIVERED'
  }
  await notifyPayer(tx, refund, {
    type: 'REFUNDED',
    title: '退款到账',
    summary: `多付的 ${yuan(refund.amount_fen)} 已原路退回`,
    now,
  })
  return late ? 'LATE' : 'DONE'
}

async function fail(tx: Db, { events }: Deps, refund: Refund, reason: string, now: number): Promise<Ended> {
  const failed = await tx
    .updateTable('refunds')
    .set({ status: 'FAILED', failure: reason, next_at: null })
    .where('id', '=', refund.id)
    .where('status', 'in', OPEN)
    .returning('id')
    .executeTakeFirst()
  if (!failed) return 'NOTHING'
  if (refund.surplus)
    await notifyPayer(tx, refund, {
      type: 'SYSTEM',
      title: '退款未成功',
      summary: `多付的 ${yuan(refund.amount_fen)} 未能退回：${reason}`,
      now,
    })
  else await events.refundFailed(tx, { orderId: refund.order_id, reason, now })
  return 'FAILED'
}

/** Alarms for the operator, who must check the provider's console in all of these cases. */
const alarms: { readonly [K in Exclude<Ended, 'DONE' | 'NOTHING'>]: string } = {
  FAILED: 'a refund failed',
  DELIVERED: 'a provider refunded an order that was delivered',
  LATE: 'a refund that had failed succeeded',
  LATE_DELIVERED: 'a refund that had failed succeeded after its order was delivered',
  TWICE: 'a provider reports two refunds of one payment',
}

/** Applies the provider's result of a refund, from a query or a notification; idempotent. */
export async function applyRefundResult(deps: Deps, refund: Refund, result: RefundResult, now: number): Promise<void> {
  if (result.state === 'UNKNOWN') return
  const ended = await deps.db.transaction().execute(async (tx): Promise<Ended> => {
    // lock order: orders before refunds
    await tx.selectFrom('orders').select('id').where('id', '=', refund.order_id).forUpdate().execute()
    if (result.state === 'DONE') return finish(tx, deps, refund, result.refundId, now)
    if (result.state === 'FAILED') return fail(tx, deps, refund, result.reason, now)
    await tx
      .updateTable('refunds')
      .set({ status: 'PROCESSING' })
      .where('id', '=', refund.id)
      .where('status', '=', 'PENDING')
      .execute()
    return 'NOTHING'
  })
  logEnd(deps.log, ended, refund)
}

function logEnd(log: Deps['log'], ended: Ended, { id, order_id }: Pick<Refund, 'id' | 'order_id'>) {
  if (ended === 'NOTHING') return
  const fields = { refund: id, order: order_id }
  if (ended === 'DONE') log.info(fields, 'refunded')
  else log.error({ ...fields, alarm: true }, alarms[ended])
}

/**
 * Books that the provider has returned a payment: by a request of ours whose result is not yet known, or without one, at
 * the payer's request to Apple or WeChat. Idempotent; nothing for a payment that was never booked.
 */
export async function applyProviderRefund(
  deps: Deps,
  payment: Pick<Selectable<Payments>, 'id' | 'order_id' | 'amount_fen'>,
  refundId: string,
  now: number,
): Promise<void> {
  const done = await deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom('orders').select('id').where('id', '=', payment.order_id).forUpdate().execute()
    const booked = await tx
      .selectFrom('ledger')
      .select('kind')
      .where('payment_id', '=', payment.id)
      .where('kind', 'in', ['PAY', 'SURPLUS'])
      .executeTakeFirst()
    if (!booked) return undefined
    // keeps the one that is open or done
    await addRefund(tx, payment, { surplus: booked.kind === 'SURPLUS', reason: '支付平台退款', now })
    const refund = await tx
      .selectFrom('refunds')
      .selectAll()
      .where('payment_id', '=', payment.id)
      .where('status', '<>', 'FAILED')
      .executeTakeFirstOrThrow()
    return { ended: await finish(tx, deps, refund, refundId, now), refund }
  })
  if (done) logEnd(deps.log, done.ended, done.refund)
}
