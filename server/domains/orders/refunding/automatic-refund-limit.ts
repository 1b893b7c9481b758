/**
 * Rate limit of automatic refunds, so that a wrong clock or a faulty rule cannot refund everything before staff notice.
 * Only refunds by time limits are counted and held back, not those decided by owners or staff, nor surplus payments. While
 * the clock has advanced evenly, an undelivered order whose payment is old enough for its time limit to be over is exempt:
 * the refund was promised. A limit of 0 stops all.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { DB, Orders } from '../../../db/tables'
import { DELIVERY_PERIOD_MS, LATE_REFUND_DELAY_MS } from '../periods'

type Limits = Deps['settings']['refundLimit']
type LimitRow = Selectable<DB['refund_limit']>

/** The clock has jumped when it differs by more from the last pass of the job; so does a longer outage. */
const PASS_GAP_MS = 10 * MINUTE_MS
/** A clock that is back within this of the time before its jump is right again. */
const BACK_WITHIN_MS = HOUR_MS
/** A first delivery is late this long after its payment, or later. */
const EXEMPT_AFTER_MS = DELIVERY_PERIOD_MS + LATE_REFUND_DELAY_MS
/** The others may be due although nothing is late: what they wait for began long after the payment. */
const EXEMPT_STATUSES = ['PAID', 'ASSIGNED']

/** What decides whether an order's automatic refund is limited. */
export type LimitedOrder = Pick<Selectable<Orders>, 'id' | 'status' | 'pay_fen' | 'paid_at'>

/** Automatic refunds of the last hour and their limits. */
interface RefundLimitState {
  count: number
  fen: number
  limits: Limits
  /** the limits include an admin's permission */
  raised: boolean
  /** a limit is 0: none is refunded without an admin's permission */
  stopped: boolean
  /** the clock has jumped, and no admin has confirmed it: no refund is exempt */
  jumped: boolean
}

/** An admin's permission is valid for an hour. */
const isRaised = ({ allowed_at: at }: LimitRow, now: number) => at !== null && at > now - HOUR_MS && at <= now + HOUR_MS

const isJumped = ({ seen_at, jumped_at }: LimitRow, now: number) =>
  jumped_at !== null || seen_at === null || Math.abs(now - seen_at) > PASS_GAP_MS

/**
 * Records that the job runs at `now`, and whether the clock has jumped since its last pass: until it jumps back or an admin
 * confirms it. At the first pass of all, nobody knows; it does not matter when no paid order waits.
 */
export async function trackClock({ db, log }: Deps, now: number): Promise<void> {
  const at = sql<number>`${now}::bigint`
  const row = await db
    .updateTable('refund_limit')
    .from((e) => e.selectFrom('refund_limit').select('jumped_at as before').where('id', '=', 1).as('old'))
    .set({
      seen_at: now,
      jumped_at: sql`case
        when seen_at is null then case when exists (select from orders
          where status in ('PAID', 'ASSIGNED', 'WAIT_INFO', 'REFUNDING')) then 0 end
        when abs(${at} - seen_at) <= ${sql.lit(PASS_GAP_MS)} then jumped_at
        when jumped_at is null then seen_at
        when ${at} >= seen_at or ${at} - jumped_at not between 0 and ${sql.lit(BACK_WITHIN_MS)} then jumped_at end`,
    })
    .where('id', '=', 1)
    .returning(['jumped_at', 'before'])
    .executeTakeFirst()
  if (row?.before === null && row.jumped_at !== null)
    log.error({ alarm: true }, 'the clock has jumped, or no job ran for ten minutes: all automatic refunds are limited')
}

/** An admin confirms that the clock is right. Call in the transaction that writes the desk's log. */
export const confirmClock = (tx: Db, now: number) =>
  tx.updateTable('refund_limit').set({ seen_at: now, jumped_at: null }).where('id', '=', 1).execute()

/** Payments until this time are exempt; 0: none. */
const exemptUntil = ({ jumped, stopped }: RefundLimitState, now: number) =>
  jumped || stopped ? 0 : now - EXEMPT_AFTER_MS

async function stateOf(tx: Db, row: LimitRow, settings: Limits, now: number): Promise<RefundLimitState> {
  const { count, fen } = await tx
    .selectFrom('automatic_refunds')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.sum<string | null>('amount_fen').as('fen')])
    .where('at', '>', now - HOUR_MS)
    // ignore refunds recorded by a clock that was ahead, otherwise they would count until that time
    .where('at', '<=', now + HOUR_MS)
    .executeTakeFirstOrThrow()
  const raised = isRaised(row, now)
  return {
    count,
    fen: Number(fen ?? 0),
    limits: {
      count: settings.count + (raised ? row.allowed_count : 0),
      fen: settings.fen + (raised ? row.allowed_fen : 0),
    },
    raised,
    stopped: settings.count === 0 || settings.fen === 0,
    jumped: isJumped(row, now),
  }
}

/** Current state of the limit, for the desk and to skip rules that could not refund anything. */
export async function refundLimitState({ db, settings }: Deps, now: number): Promise<RefundLimitState> {
  const row = await db.selectFrom('refund_limit').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  return stateOf(db, row, settings.refundLimit, now)
}

/** Largest automatic refund allowed now, in fen; -1: none, not even of an order that cost nothing. */
const remainingAllowance = ({ count, fen, limits, stopped, raised }: RefundLimitState): number =>
  (stopped && !raised) || count >= limits.count ? -1 : Math.max(-1, limits.fen - fen)

/** SQL over `orders`: whether its automatic refund is allowed now. */
export const isAllowed = (state: RefundLimitState, now: number): RawBuilder<boolean> =>
  sql`(orders.pay_fen <= ${remainingAllowance(state)} or (orders.status in (${sql.join(EXEMPT_STATUSES)})
    and coalesce(orders.paid_at <= ${exemptUntil(state, now)}::bigint, false)))`

const lockLimit = (tx: Db) =>
  tx.selectFrom('refund_limit').selectAll().where('id', '=', 1).forUpdate().executeTakeFirstOrThrow()

/**
 * Runs and counts an automatic refund if the limits allow it. All processes lock one row, so the limits hold globally.
 * Lock it before the order.
 * @param order as it was read before
 * @param refund the refund; returns false when the order has changed meanwhile, which is not counted
 * @returns HELD: over the limit, nothing was done
 */
export async function withinRefundLimit(
  tx: Db,
  settings: Pick<Deps['settings'], 'refundLimit'>,
  { order, now }: { order: LimitedOrder; now: number },
  refund: () => Promise<boolean>,
): Promise<boolean | 'HELD'> {
  const state = await stateOf(tx, await lockLimit(tx), settings.refundLimit, now)
  const { id, status, pay_fen, paid_at } = order
  const exempt = EXEMPT_STATUSES.includes(status) && paid_at !== null && paid_at <= exemptUntil(state, now)
  if (!exempt && pay_fen > remainingAllowance(state)) return 'HELD'
  if (!(await refund())) return false
  await tx.insertInto('automatic_refunds').values({ order_id: id, amount_fen: pay_fen, at: now }).execute()
  return true
}

/** Raises an alarm about held-back refunds, or about more than the limits, each once an hour across all processes. */
export async function alarmRefunds(deps: Deps, held: number, now: number): Promise<void> {
  const { count, fen, limits } = await refundLimitState(deps, now)
  if (held === 0 && count <= limits.count && fen <= limits.fen) return
  // each alarm has its own hour: one must not silence the other
  const last = held > 0 ? 'alarmed_at' : 'late_alarmed_at'
  const first = await deps.db
    .updateTable('refund_limit')
    .set({ [last]: now })
    .where((e) => e.or([e(last, 'is', null), e(last, '<=', now - HOUR_MS), e(last, '>', now)]))
    .returning('id')
    .executeTakeFirst()
  if (!first) return
  if (held > 0)
    deps.log.error({ alarm: true, held }, 'automatic refunds are held back: the limit of an hour is reached')
  else
    deps.log.error(
      { alarm: true, count, fen },
      'more automatic refunds than the limit of an hour: many orders are late',
    )
}

/**
 * Raises the limits for the next hour so that `count` more refunds of together `fen` are within them, whatever has been
 * refunded in the last hour; allowing the same ones twice changes nothing. Call in the transaction that writes the desk's log.
 */
export async function allowRefunds(
  tx: Db,
  { refundLimit }: Pick<Deps['settings'], 'refundLimit'>,
  { count, fen, now }: { count: number; fen: number; now: number },
): Promise<void> {
  const row = await lockLimit(tx)
  const done = await stateOf(tx, row, refundLimit, now)
  const before = isRaised(row, now) ? row : { allowed_count: 0, allowed_fen: 0 }
  await tx
    .updateTable('refund_limit')
    .set({
      allowed_at: now,
      allowed_count: Math.max(before.allowed_count, done.count - refundLimit.count + count),
      allowed_fen: Math.max(before.allowed_fen, done.fen - refundLimit.fen + fen),
    })
    .where('id', '=', 1)
    .execute()
}
