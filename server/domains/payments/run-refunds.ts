import { type Selectable, sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import type { Payments, Refunds } from '../../db/tables'
import { ProviderRejected, ProviderUnavailable, type RefundResult } from '../../providers/pay/port'
import { isTimeReached } from '../shared/due'
import { type RowOutcome, rowsJob } from '../shared/due-rows'
import { applyRefundResult } from './apply-refund-result'
import { handledProviders, logMissingProvider } from './missing-provider'
import { retryDelay } from './retry-delay'
import {
  createUnresponsiveProviders,
  POSTPONE_MS,
  type QueriedProvider,
  type UnresponsiveProviders,
} from './unresponsive-providers'

type Payment = Selectable<Payments>
type Refund = Selectable<Refunds>

/** ms until a refund is first retried or queried */
const FIRST_WAIT = 10_000
const MAX_WAIT = HOUR_MS
/** Attempts until an alarm is raised; refusals until a refund counts as failed. */
const ALARM_AFTER = 5
const GIVE_UP_AFTER = 20
/** Refunds processed per pass. */
const BATCH = 50

/** Claims the next attempt in a conditional update; exactly one process succeeds. */
const claim = (db: Db, { id, next_at, tries }: Refund, now: number) =>
  db
    .updateTable('refunds')
    .set({ tries: tries + 1, next_at: now + retryDelay(tries, FIRST_WAIT, MAX_WAIT) })
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .returning('id')
    .executeTakeFirst()

async function perform({ providers: { pay } }: Deps, refund: Refund, payment: Payment): Promise<RefundResult> {
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
  if (silence.has(provider)) return false
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
export const runRefunds = rowsJob({ name: 'refunds' }, (deps, now) => {
  const silence = createUnresponsiveProviders()
  return {
    async due(notQuarantined) {
      await logMissingProvider(deps, now)
      return deps.db
        .selectFrom('refunds')
        .innerJoin('payments', 'payments.id', 'refunds.payment_id')
        .selectAll('refunds')
        .select('payments.provider')
        .where(isDue(now))
        .where('payments.provider', 'in', handledProviders(deps.providers.pay))
        .where(notQuarantined(sql`refunds.id`))
        .orderBy('refunds.next_at')
        .limit(BATCH)
        .execute()
    },
    idOf: (refund) => refund.id,
    process: (refund) => performDue(deps, refund, silence, now),
  }
})
