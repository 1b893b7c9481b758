import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import {
  ForgedNotification,
  MalformedNotification,
  type ProviderName,
  type ProviderNotification,
  ProviderUnavailable,
  type RawNotification,
  type RefundNotification,
} from '../../providers/pay/port'
import { sha256 } from '../shared/secrets'
import { applyRefundResult } from './apply-refund-result'
import { applyTradeState } from './apply-trade-state'
import { queryPayment } from './query-payments'

/**
 * DONE: processed and stored · FORGED: invalid signature · REFUSED: contradicts our data; nothing was changed ·
 * UNCONFIRMED: a refund that the provider's query does not show yet; it sends the message again ·
 * DELIVERED, UNDELIVERED: the response to an inquiry about a refund
 */
export type WebhookOutcome = 'DONE' | 'FORGED' | 'REFUSED' | 'UNCONFIRMED' | 'DELIVERED' | 'UNDELIVERED'

/** An unconfirmed refund older than this raises an alarm: WeChat stops resending, and its query never shows partial refunds. */
const UNCONFIRMED_ALARM_MS = HOUR_MS

/** Both kinds of virtual payment share one webhook address, which is configured in the mini-program's console. */
const providersAt = (name: ProviderName): ProviderName[] => (name === 'virtual' ? [name, 'virtual-wechat'] : [name])

const paymentOf = ({ db }: Deps, id: string, name: ProviderName) =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', id)
    .where('provider', 'in', providersAt(name))
    .executeTakeFirst()

/** Applies a refund that a provider reports, in a message or a bill: one of ours, or one made at its console. */
export async function onRefund(deps: Deps, notification: RefundNotification, name: ProviderName, now: number) {
  const refund = await deps.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .selectAll('refunds')
    .where('refunds.id', '=', notification.refundNo)
    .where('payments.provider', '=', name)
    .executeTakeFirst()
  if (!refund && notification.refund.state === 'DONE')
    return onTrade(deps, { kind: 'TRADE', ...notification.trade }, name, now)
  if (!refund) return undefined
  await applyRefundResult(deps, refund, notification.refund, now)
  return { subject: refund.id, outcome: notification.refund.state }
}

const isRefunded = async ({ db }: Deps, paymentId: string) =>
  (await db
    .selectFrom('payments')
    .leftJoin('refunds', (j) => j.onRef('refunds.payment_id', '=', 'payments.id').on('refunds.status', '=', 'DONE'))
    .select('payments.id')
    .where('payments.id', '=', paymentId)
    .where((e) => e.or([e('refunds.id', 'is not', null), e('payments.status', '<>', 'PAID')]))
    .executeTakeFirst()) !== undefined

/** Statuses in which the payer has what was paid for. */
const DELIVERED: readonly string[] = ['UNLOCKED', 'REPORTED', 'REVALUING', 'DONE']

/** Answered from our records alone: the provider waits three seconds. */
async function onInquiry({ db }: Deps, asked: string, name: ProviderName) {
  const payment = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .leftJoin('ledger', (j) => j.onRef('ledger.payment_id', '=', 'payments.id').on('ledger.kind', '=', 'PAY'))
    .select(['orders.status', 'orders.refund_from', 'ledger.kind'])
    // transaction numbers are indexed by provider
    .where('payments.provider', 'in', providersAt(name))
    .where((e) => e.or([e('payments.id', '=', asked), e('payments.txn', '=', asked)]))
    .executeTakeFirst()
  if (!payment) return undefined
  const { status, refund_from, kind } = payment
  const reached = status === 'REFUNDING' ? refund_from : status
  return kind === 'PAY' && DELIVERED.includes(reached ?? '') ? 'DELIVERED' : 'UNDELIVERED'
}

type Of<K extends ProviderNotification['kind']> = Extract<ProviderNotification, { kind: K }>

async function onQuery(deps: Deps, { outTradeNo, refundedAt }: Of<'QUERY'>, name: ProviderName, now: number) {
  const payment = await paymentOf(deps, outTradeNo, name)
  if (!payment || !(await queryPayment(deps, payment, now))) return undefined
  if (refundedAt !== undefined && !(await isRefunded(deps, payment.id))) {
    const alarm = deps.clock.realNow() - refundedAt > UNCONFIRMED_ALARM_MS
    const fields = { provider: name, payment: payment.id, alarm }
    deps.log[alarm ? 'error' : 'warn'](fields, 'a refund that the query does not show yet')
    return 'UNCONFIRMED'
  }
  return { subject: payment.id, outcome: 'LOOKED' }
}

async function onTrade(deps: Deps, { outTradeNo, trade }: Of<'TRADE'>, name: ProviderName, now: number) {
  const payment = await paymentOf(deps, outTradeNo, name)
  const outcome = payment && (await applyTradeState(deps, payment, trade, now))
  if (!payment || outcome === 'REFUSED') return undefined
  return { subject: payment.id, outcome: outcome ?? trade.state }
}

/** What was done about a message; undefined for one that does not fit our records. */
function act(deps: Deps, notification: ProviderNotification, name: ProviderName, now: number) {
  switch (notification.kind) {
    case 'REFUND':
      return onRefund(deps, notification, name, now)
    case 'QUERY':
      return onQuery(deps, notification, name, now)
    case 'TRADE':
      return onTrade(deps, notification, name, now)
    case 'INQUIRY':
      return onInquiry(deps, notification.outTradeNo, name)
  }
}

/** Our numbers and those of providers that are safe in a query: letters, digits and a few symbols. */
const isNumber = (text: string) => /^[\w.*@|-]{1,64}$/.test(text)

/** Whether numbers and amount are well-formed; all other values are compared with ours. */
function isPlausible(notification: ProviderNotification): boolean {
  if (notification.kind === 'REFUND') return isNumber(notification.refundNo)
  if (!isNumber(notification.outTradeNo)) return false
  const trade = notification.kind === 'TRADE' ? notification.trade : undefined
  const paid = trade?.state === 'REFUNDED' ? trade.paid : trade?.state === 'PAID' ? trade : undefined
  return !paid || (isNumber(paid.txn) && Number.isSafeInteger(paid.amountFen) && paid.amountFen >= 0)
}

/** Parses a verified message; undefined when it is of no known kind. @throws ForgedNotification, SyntaxError */
async function read(deps: Deps, name: ProviderName, raw: RawNotification): Promise<ProviderNotification | undefined> {
  const provider = await deps.providers.pay.get(name)
  try {
    const notification = await provider.parseNotification(raw)
    return isPlausible(notification) ? notification : undefined
  } catch (err) {
    // no request was made here, so these errors mean that a field of the message is missing
    if (err instanceof MalformedNotification || err instanceof ProviderUnavailable) return undefined
    throw err
  }
}

/**
 * Handles a provider's message: verifies it, acts on it in a transaction, then records it. Repeated messages, also
 * after a crash in between, change nothing more. Only DONE may be acknowledged.
 * @param onForged is told what is wrong with a forged one
 */
export async function handlePaymentWebhook(
  deps: Deps,
  name: ProviderName,
  raw: RawNotification,
  onForged: (why: string) => Promise<void> = async () => undefined,
): Promise<WebhookOutcome> {
  const now = deps.clock.now()
  let notification: ProviderNotification | undefined
  try {
    notification = await read(deps, name, raw)
  } catch (err) {
    if (!(err instanceof ForgedNotification || err instanceof SyntaxError)) throw err
    await onForged(err instanceof ForgedNotification ? err.message : 'not readable')
    return 'FORGED'
  }
  const acted = notification && (await act(deps, notification, name, now))
  if (typeof acted === 'string') return acted
  if (!acted) {
    deps.log.error(
      { alarm: true, provider: name, kind: notification?.kind ?? 'MALFORMED' },
      'a message that does not fit',
    )
    return 'REFUSED'
  }
  await deps.db
    .insertInto('payment_notifications')
    .values({ provider: name, digest: sha256(raw.body), ...acted, at: now })
    .onConflict((c) => c.columns(['provider', 'digest']).doNothing())
    .execute()
  return 'DONE'
}
