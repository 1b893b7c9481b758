import { sql } from 'kysely'
import type { Deps } from '../../core/context'
import { type PayProvider, ProviderRejected, ProviderUnavailable } from '../../providers/pay/port'
import { isTimeReached } from '../shared/due'
import { changeDueRows, type RowOutcome, rowsJob } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { applyTradeState, endPayment } from './apply-trade-state'
import { handledProviders } from './missing-provider'
import { retryDelay } from './retry-delay'
import type { Payment } from './settle-payment'
import { createUnresponsiveProviders, POSTPONE_MS, type UnresponsiveProviders } from './unresponsive-providers'

/** ms: minimum interval between queries on behalf of a waiting user */
const MIN_QUERY_INTERVAL = 2000
/** ms until a payment without notification is first queried; the interval then grows */
export const FIRST_QUERY_DELAY_MS = 5000
const MAX_WAIT = 600_000
/** ms past its time limit until a payment is closed, so that the provider's clock has passed it too */
const CLOSE_AFTER = 30_000
/** Unanswered queries until an alarm is raised. */
const ALARM_AFTER = 12
const BATCH = 50

/** When to query again: also at the time limit, so that a payment made before it is found before the order is closed. */
function nextQueryAt({ asks, expire_at }: Payment, now: number): number {
  const next = now + retryDelay(asks, FIRST_QUERY_DELAY_MS, MAX_WAIT)
  return expire_at > now ? Math.min(next, expire_at) : next
}

/** Claims the next query in a conditional update; exactly one process succeeds. */
async function claim({ db }: Deps, payment: Payment, now: number): Promise<boolean> {
  const row = await db
    .updateTable('payments')
    .set({ asked_at: now, asks: payment.asks + 1, next_ask_at: nextQueryAt(payment, now) })
    .where('id', '=', payment.id)
    .where('asks', '=', payment.asks)
    .where('status', 'in', ['CREATED', 'CLOSING'])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

async function closeThere(deps: Deps, provider: PayProvider, payment: Payment, now: number) {
  await provider.close(payment.id)
  await endPayment(deps, payment, 'CLOSED', now)
}

/** REFUSED: rejected · DOWN: no answer */
type QueryOutcome = 'ANSWERED' | 'REFUSED' | 'DOWN'

async function queryProvider(deps: Deps, payment: Payment, now: number): Promise<QueryOutcome> {
  if (payment.provider === 'none') return 'ANSWERED'
  try {
    const provider = await deps.providers.pay.get(payment.provider)
    const trade = await provider.query({ outTradeNo: payment.id, openid: payment.openid })
    await applyTradeState(deps, payment, trade, now)
    const pending = trade.state === 'WAITING' || trade.state === 'UNKNOWN'
    if (pending && (payment.status === 'CLOSING' || payment.expire_at + CLOSE_AFTER <= now))
      await closeThere(deps, provider, payment, now)
    return 'ANSWERED'
  } catch (err) {
    if (!(err instanceof ProviderUnavailable || err instanceof ProviderRejected)) throw err
    const alarm = payment.asks >= ALARM_AFTER
    deps.log[alarm ? 'error' : 'warn']({ err, payment: payment.id, alarm }, 'a payment must be asked about again')
    return err instanceof ProviderUnavailable ? 'DOWN' : 'REFUSED'
  }
}

/**
 * Queries the provider for a payment and acts on the response. A payment that is no longer wanted or past its time limit
 * is closed there. Providers that cannot be reached are queried again later.
 * @returns false when the provider could not be reached
 */
export const queryPayment = async (deps: Deps, payment: Payment, now: number): Promise<boolean> =>
  (await queryProvider(deps, payment, now)) === 'ANSWERED'

/** Queries a payment for a waiting user, rate-limited. */
export async function queryPaymentNow(deps: Deps, payment: Payment, now: number): Promise<void> {
  const since = now - (payment.asked_at ?? payment.created_at - MIN_QUERY_INTERVAL)
  // negative: queried while the clock was wrong
  if (since >= 0 && since < MIN_QUERY_INTERVAL) return
  if (!handledProviders(deps.providers.pay).includes(payment.provider)) return
  if (await claim(deps, payment, now)) await queryPayment(deps, payment, now)
}

/** Schedules open payments for closing when their order no longer awaits payment. */
const dropUnwanted: Job = {
  name: 'unwanted payments',
  run: (deps, now) =>
    changeDueRows(
      deps,
      'payments',
      sql`payments.status = 'CREATED' and payments.next_ask_at is not null and exists (select from orders
        where orders.id = payments.order_id and orders.status not in ('UNPAID', 'REPORTED'))`,
      sql`update payments set status = 'CLOSING', next_ask_at = ${now}::bigint`,
    ),
}

const isDue = (now: number) => isTimeReached(sql`payments.next_ask_at`, now, MAX_WAIT)

async function queryDue(
  deps: Deps,
  payment: Payment,
  silence: UnresponsiveProviders,
  now: number,
): Promise<RowOutcome> {
  const { provider } = payment
  if (silence.has(provider)) return false
  if (!(await claim(deps, payment, now))) return false
  const result = await queryProvider(deps, payment, now)
  if (silence.note(provider, result !== 'DOWN'))
    await deps.db
      .updateTable('payments')
      .set({ next_ask_at: now + POSTPONE_MS })
      .where('provider', '=', provider)
      .where(isDue(now))
      .execute()
  return true
}

/** Job for open payments: finds outcomes for which no notification arrived. */
const queryOpenPayments = rowsJob({ name: 'payments that wait' }, (deps, now) => {
  const silence = createUnresponsiveProviders()
  return {
    due: (notQuarantined) =>
      deps.db
        .selectFrom('payments')
        .selectAll()
        .where(isDue(now))
        .where('provider', 'in', handledProviders(deps.providers.pay))
        .where(notQuarantined(sql`payments.id`))
        .orderBy('next_ask_at')
        .limit(BATCH)
        .execute(),
    idOf: (payment) => payment.id,
    process: (payment) => queryDue(deps, payment, silence, now),
  }
})

export const paymentJobs: readonly Job[] = [dropUnwanted, queryOpenPayments]
