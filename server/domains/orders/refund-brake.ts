/**
 * The brake of automatic refunds: a wrong clock or a wrong rule must not give everything back before a person has looked.
 * Only what the clock decides is counted and held back; refunds that owners or staff decide, and surplus payments, are not.
 */
import type { Selectable } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import type { Tables } from '../../db/tables'

type Limits = Deps['settings']['refundBrake']
type BrakeRow = Selectable<Tables['refund_brake']>

/** Automatic refunds of the last hour, and how many there may be. */
interface BrakeState {
  count: number
  fen: number
  limits: Limits
  /** an admin's permission is part of the limits */
  raised: boolean
  /** when something was last held back, ms */
  alarmedAt: number | null
}

/** An admin's permission holds for an hour. */
const isRaised = ({ allowed_at: at }: BrakeRow, now: number) => at !== null && at > now - HOUR_MS && at <= now + HOUR_MS

async function stateOf(tx: Db, row: BrakeRow, settings: Limits, now: number): Promise<BrakeState> {
  const { count, fen } = await tx
    .selectFrom('automatic_refunds')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.sum<string | null>('amount_fen').as('fen')])
    .where('at', '>', now - HOUR_MS)
    // those of a clock that was ahead and has been set right do not count for ever
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
    alarmedAt: row.alarmed_at,
  }
}

/** How the brake stands now, for the desk and to skip rules that could not refund anything. */
export async function brakeState({ db, settings }: Deps, now: number): Promise<BrakeState> {
  const row = await db.selectFrom('refund_brake').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
  return stateOf(db, row, settings.refundBrake, now)
}

/** Fen that one more automatic refund may have now; -1: none may be made. */
export const roomOf = ({ count, fen, limits }: BrakeState): number =>
  count < limits.count ? Math.max(-1, limits.fen - fen) : -1

const lockBrake = (tx: Db) =>
  tx.selectFrom('refund_brake').selectAll().where('id', '=', 1).forUpdate().executeTakeFirstOrThrow()

/**
 * Does an automatic refund if there is room for it, and counts it. All processes queue at one row, so together they never
 * exceed the limits. Take it before the order's lock.
 * @param refund the decision itself; false when somebody was faster, then nothing is counted
 * @returns HELD: no room, nothing was done
 */
export async function withinBrake(
  tx: Db,
  settings: Pick<Deps['settings'], 'refundBrake'>,
  { orderId, amountFen, now }: { orderId: string; amountFen: number; now: number },
  refund: () => Promise<boolean>,
): Promise<boolean | 'HELD'> {
  const state = await stateOf(tx, await lockBrake(tx), settings.refundBrake, now)
  if (amountFen > roomOf(state)) return 'HELD'
  if (!(await refund())) return false
  await tx.insertInto('automatic_refunds').values({ order_id: orderId, amount_fen: amountFen, at: now }).execute()
  return true
}

/** Says once an hour, by one of all processes, that refunds are held back. */
export async function alarmHeld({ db, log }: Deps, held: number, now: number): Promise<void> {
  const first = await db
    .updateTable('refund_brake')
    .set({ alarmed_at: now })
    .where((e) => e.or([e('alarmed_at', 'is', null), e('alarmed_at', '<=', now - HOUR_MS), e('alarmed_at', '>', now)]))
    .returning('id')
    .executeTakeFirst()
  if (first) log.error({ alarm: true, held }, 'automatic refunds are held back: the limit of an hour is reached')
}

/** Lets so many more go within the next hour. Hand in the transaction that writes the desk's log. */
export async function allowRefunds(
  tx: Db,
  { count, fen, now }: { count: number; fen: number; now: number },
): Promise<void> {
  const row = await lockBrake(tx)
  const before = isRaised(row, now) ? row : { allowed_count: 0, allowed_fen: 0 }
  await tx
    .updateTable('refund_brake')
    .set({ allowed_at: now, allowed_count: before.allowed_count + count, allowed_fen: before.allowed_fen + fen })
    .where('id', '=', 1)
    .execute()
}
