import { type Selectable, sql } from 'kysely'
import { yuan } from '@/contract/format'
import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import type { PaymentsTable, RefundsTable } from '../../db/tables'
import { ProviderRejected, ProviderUnavailable, type RefundResult } from '../../providers/pay/port'
import { notify } from '../notifications/send'
import { onLateRefundSuccess, onRefunded, onRefundFailed } from '../orders/refund-outcome'
import { isTimeReached } from '../shared/due'
import { forEachDueRow, type RowOutcome } from '../shared/due-rows'
import { newId } from '../shared/secrets'
import { handledProviders, logMissingProvider } from './missing-provider'
import {
  createUnresponsiveProviders,
  POSTPONE_MS,
  type QueriedProvider,
  type UnresponsiveProviders,
} from './unresponsive-providers'

type Payment = Selectable<PaymentsTable>
type Refund = Selectable<RefundsTable>

/** ms until a refund is first retried or queried */
const FIRST_WAIT = 10_000
const MAX_WAIT = HOUR_MS
/** Attempts until an alarm is raised; refusals until a refund counts as failed. */
const ALARM_AFTER = 5
const GIVE_UP_AFTER = 20
/** Refunds processed per round. */
const BATCH = 50

/** Exponential backoff: ms to wait after an attempt. */
export const retryDelay = (tries: number, first = FIRST_WAIT, most = MAX_WAIT): number =>
  Math.min(most, first * 2 ** Math.min(tries, 20))

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
 * calls the provider, with retries, and finishes with `onRefunded` or `onRefundFailed`.
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

/** Effect of the end of a refund; NOTHING when it had already ended. */
type Ended = 'DONE' | 'FAILED' | 'NOTHING' | Late

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

async function finish(tx: Db, refund: Refund, refundId: string, now: number): Promise<Ended> {
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
  const payment = await tx
    .selectFrom('payments')
    .select(['provider', 'user_id'])
    .where('id', '=', refund.payment_id)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('ledger')
    .values({
      kind: 'REFUND',
      order_id: refund.order_id,
      payment_id: refund.payment_id,
      provider: payment.provider,
      txn: refund.id,
      amount_fen: -refund.amount_fen,
      at: now,
    })
    .execute()
  if (!refund.surplus) {
    if (late) return (await onLateRefundSuccess(tx, refund.order_id, now)) ? 'LATE' : 'LATE_DELIVERED'
    await onRefunded(tx, refund.order_id, now)
    return 'DONE'
  }
  await notify(tx, {
    userId: payment.user_id,
    type: 'REFUNDED',
    title: '退款到账',
    summary: `多付的 ${yuan(refund.amount_fen)} 已原路退回`,
    bizType: 'REFUND',
    bizId: refund.order_id,
    now,
  })
  return late ? 'LATE' : 'DONE'
}

async function fail(tx: Db, refund: Refund, reason: string, now: number): Promise<Ended> {
  const failed = await tx
    .updateTable('refunds')
    .set({ status: 'FAILED', failure: reason, next_at: null })
    .where('id', '=', refund.id)
    .where('status', 'in', OPEN)
    .returning('id')
    .executeTakeFirst()
  if (!failed) return 'NOTHING'
  if (!refund.surplus) await onRefundFailed(tx, { orderId: refund.order_id, reason, now })
  return 'FAILED'
}

/** Alarms for the operator, who must check the provider's console in all of these cases. */
const alarms: { readonly [K in Exclude<Ended, 'DONE' | 'NOTHING'>]: string } = {
  FAILED: 'a refund failed',
  LATE: 'a refund that had failed succeeded',
  LATE_DELIVERED: 'a refund that had failed succeeded after its order was delivered',
  TWICE: 'a provider reports two refunds of one payment',
}

/** Applies the provider's result of a refund, from a query or a notification; idempotent. */
export async function applyRefundResult(
  { db, log }: Deps,
  refund: Refund,
  result: RefundResult,
  now: number,
): Promise<void> {
  if (result.state === 'UNKNOWN') return
  const ended = await db.transaction().execute(async (tx): Promise<Ended> => {
    // lock order: orders before refunds
    await tx.selectFrom('orders').select('id').where('id', '=', refund.order_id).forUpdate().execute()
    if (result.state === 'DONE') return finish(tx, refund, result.refundId, now)
    if (result.state === 'FAILED') return fail(tx, refund, result.reason, now)
    await tx
      .updateTable('refunds')
      .set({ status: 'PROCESSING' })
      .where('id', '=', refund.id)
      .where('status', '=', 'PENDING')
      .execute()
    return 'NOTHING'
  })
  if (ended === 'NOTHING') return
  const facts = { refund: refund.id, order: refund.order_id }
  if (ended === 'DONE') log.info(facts, 'refunded')
  else log.error({ ...facts, alarm: true }, alarms[ended])
}

/** Claims the next attempt in a conditional update; exactly one process succeeds. */
const claim = (db: Db, { id, next_at, tries }: Refund, now: number) =>
  db
    .updateTable('refunds')
    .set({ tries: tries + 1, next_at: now + retryDelay(tries) })
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .returning('id')
    .executeTakeFirst()

async function perform({ pay }: Deps, refund: Refund, payment: Payment): Promise<RefundResult> {
  if (payment.provider === 'none') return { state: 'DONE', refundId: refund.id }
  const provider = await pay.get(payment.provider)
  const order = {
    refundNo: refund.id,
    outTradeNo: payment.id,
    amountFen: refund.amount_fen,
    reason: refund.reason,
    origin: payment.origin,
    openid: payment.openid,
  }
  const before = refund.status === 'PROCESSING' ? await provider.queryRefund(order) : undefined
  return before && before.state !== 'UNKNOWN' ? before : provider.refund(order)
}

/** @returns false when the provider did not answer */
async function attempt(deps: Deps, refund: Refund, now: number): Promise<boolean> {
  const payment = await deps.db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', refund.payment_id)
    .executeTakeFirstOrThrow()
  const tries = refund.tries + 1
  try {
    await applyRefundResult(deps, refund, await perform(deps, refund, payment), now)
  } catch (err) {
    if (!(err instanceof ProviderUnavailable || err instanceof ProviderRejected)) throw err
    const level = tries >= ALARM_AFTER ? 'error' : 'warn'
    deps.log[level]({ err, refund: refund.id, tries, alarm: tries >= ALARM_AFTER }, 'a refund must be tried again')
    if (err instanceof ProviderRejected && tries >= GIVE_UP_AFTER)
      await applyRefundResult(deps, refund, { state: 'FAILED', reason: '支付平台未能退款，客服会与您联系' }, now)
    return !(err instanceof ProviderUnavailable)
  }
  return true
}

const isDue = (now: number) => isTimeReached(sql`refunds.next_at`, now, MAX_WAIT)

type Due = Refund & { provider: QueriedProvider }

async function performDue(deps: Deps, refund: Due, silence: UnresponsiveProviders, now: number): Promise<RowOutcome> {
  const { provider } = refund
  if (silence.has(provider)) return 'LATER'
  if (!(await claim(deps.db, refund, now))) return false
  if (silence.note(provider, await attempt(deps, refund, now)))
    await deps.db
      .updateTable('refunds')
      .from('payments')
      .set({ next_at: now + POSTPONE_MS })
      .whereRef('payments.id', '=', 'refunds.payment_id')
      .where('payments.provider', '=', provider)
      .where(isDue(now))
      .execute()
  return true
}

/** Executes due refunds at the providers. */
export async function runRefunds(deps: Deps, now: number): Promise<number> {
  const silence = createUnresponsiveProviders()
  await logMissingProvider(deps, now)
  return forEachDueRow(deps, now, {
    job: 'refunds',
    due: (notQuarantined) =>
      deps.db
        .selectFrom('refunds')
        .innerJoin('payments', 'payments.id', 'refunds.payment_id')
        .selectAll('refunds')
        .select('payments.provider')
        .where(isDue(now))
        .where('payments.provider', 'in', handledProviders(deps.pay))
        .where(notQuarantined(sql`refunds.id`))
        .orderBy('refunds.next_at')
        .limit(BATCH)
        .execute(),
    idOf: (refund) => refund.id,
    process: (refund) => performDue(deps, refund, silence, now),
  })
}
