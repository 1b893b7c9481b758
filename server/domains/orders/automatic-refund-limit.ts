/** Limit of what is paid back by time alone, so that a wrong clock or a fault cannot return every payment unseen. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import type { DB, Orders } from '../../db/tables'

type Limits = Deps['settings']['refundLimit']
type LimitRow = Selectable<DB['refund_limit']>

/** What of an order is counted. */
type LimitedOrder = Pick<Selectable<Orders>, 'id' | 'pay_fen'>

/** Automatic refunds of the last hour and their limits. */
interface RefundLimitState {
  count: number
  fen: number
  limits: Limits
  /** the limits include an admin's permission */
  raised: boolean
}

/** An admin's permission is valid for an hour. */
const isRaised = ({ allowed_at: at }: LimitRow, now: number) => at !== null && at > now - HOUR_MS && at <= now + HOUR_MS

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
  }
}

/** Current state of the limit, for the desk and to skip rules that could not refund anything. */
export async function refundLimitState({ db, settings }: Deps, now: number): Promise<RefundLimitState> {
  const row = await db.selectFrom('refund_limit').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  return stateOf(db, row, settings.refundLimit, now)
}

/** Largest automatic refund allowed now, in fen; -1: none, not even of an order that cost nothing. */
const remainingAllowance = ({ count, fen, limits }: RefundLimitState): number =>
  count >= limits.count ? -1 : Math.max(-1, limits.fen - fen)

/** SQL over `orders`: whether its automatic refund is allowed now. */
export const isAllowed = (state: RefundLimitState): RawBuilder<boolean> =>
  sql`(orders.pay_fen <= ${remainingAllowance(state)})`

const lockLimit = (tx: Db) =>
  tx.selectFrom('refund_limit').selectAll().where('id', '=', 1).forUpdate().executeTakeFirstOrThrow()

/**
 * Runs and counts an automatic refund if the limits allow it. All processes lock one row, so the limits hold globally.
 * Lock it before the order.
 * @param refund the refund; returns false when the order has changed meanwhile, which is not counted
 * @returns HELD: over the limit, nothing was done
 */
export async function withinRefundLimit(
  tx: Db,
  settings: Pick<Deps['settings'], 'refundLimit'>,
  { order, now }: { order: LimitedOrder; now: number },
  refund: () => Promise<boolean>,
): Promise<boolean | 'HELD'> {
  const { id, pay_fen } = order
  if (pay_fen > remainingAllowance(await stateOf(tx, await lockLimit(tx), settings.refundLimit, now))) return 'HELD'
  if (!(await refund())) return false
  await tx.insertInto('automatic_refunds').values({ order_id: id, amount_fen: pay_fen, at: now }).execute()
  return true
}

/** Raises an alarm about held-back refunds, once an hour across all processes. */
export async function alarmHeldRefunds({ db, log }: Deps, held: number, now: number): Promise<void> {
  const first = await db
    .updateTable('refund_limit')
    .set({ alarmed_at: now })
    .where((e) => e.or([e('alarmed_at', 'is', null), e('alarmed_at', '<=', now - HOUR_MS), e('alarmed_at', '>', now)]))
    .returning('id')
    .executeTakeFirst()
  if (first) log.error({ alarm: true, held }, 'automatic refunds are held back: the limit of an hour is reached')
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
