import type { Expression, Updateable } from 'kysely'
import { type SqlBool, sql } from 'kysely'
import { keysOf } from '@/contract/labels'
import type { AiOrderStatus, ManualOrderStatus, OrderStatus } from '@/contract/orderStatus'
import type { Db } from '../../db/database'
import type { Orders } from '../../db/tables'

type Table<S extends string> = { readonly [From in S]: readonly S[] }

/** Transitions of orders valued by the model. A refused refund returns to the earlier status. */
export const aiTransitions: Table<AiOrderStatus> = {
  WAIT_AUTH: ['PROCESSING', 'CANCELED', 'CLOSED'],
  PROCESSING: ['REPORTED', 'INSUFFICIENT', 'FAILED'],
  FAILED: ['WAIT_AUTH', 'CLOSED'],
  INSUFFICIENT: ['CLOSED'],
  REPORTED: ['UNLOCKED', 'EXPIRED'],
  UNLOCKED: ['DONE', 'REFUNDING'],
  REFUNDING: ['REFUNDED', 'UNLOCKED'],
  DONE: [],
  EXPIRED: [],
  REFUNDED: [],
  CANCELED: [],
  CLOSED: [],
}

/**
 * Transitions of orders valued by an appraiser. Late ones are refunded from any status in which we owe the next step.
 */
export const manualTransitions: Table<ManualOrderStatus> = {
  UNPAID: ['PAID', 'CANCELED', 'CLOSED'],
  PAID: ['ASSIGNED', 'REFUNDING'],
  ASSIGNED: ['REPORTED', 'WAIT_INFO', 'REFUNDING'],
  WAIT_INFO: ['ASSIGNED', 'REFUNDING'],
  REPORTED: ['DONE', 'REVALUING'],
  REVALUING: ['REPORTED', 'REFUNDING'],
  REFUNDING: ['REFUNDED', 'PAID', 'ASSIGNED', 'WAIT_INFO', 'REVALUING'],
  DONE: [],
  REFUNDED: [],
  CANCELED: [],
  CLOSED: [],
}

const tables: { AI: Table<string>; MANUAL: Table<string> } = { AI: aiTransitions, MANUAL: manualTransitions }

/** Modes whose table has this transition. */
export const modesOf = (from: OrderStatus, to: OrderStatus) =>
  keysOf(tables).filter((mode) => tables[mode][from]?.includes(to))

/** `user:<id>`, `staff:<id>`, `provider` (payment) or `system` (a time limit). */
export type Actor = 'system' | 'provider' | `user:${string}` | `staff:${string}`

export interface OrderTransition {
  orderId: string
  from: OrderStatus
  to: OrderStatus
  /** ms */
  now: number
  actor: Actor
  /** columns updated with the status */
  patch?: Updateable<Orders>
  /** text of the event log, without personal data */
  note?: string
  /** additional condition, e.g. that a time limit read earlier is unchanged */
  only?: Expression<SqlBool>
}

/**
 * The only way to change an order's status: one statement updates it where the status is still `from` and writes the
 * event, so of concurrent transitions only one succeeds and each is logged.
 * @returns false when the order is no longer in `from`; nothing was changed
 * @throws Error when no table has this transition: a programming error
 */
export async function transitionOrder(db: Db, m: OrderTransition): Promise<boolean> {
  const modes = modesOf(m.from, m.to)
  if (modes.length === 0) throw new Error(`orders do not go from ${m.from} to ${m.to}`)
  const moved = await db
    .with('moved', (q) =>
      q
        .updateTable('orders')
        .set({ ...m.patch, status: m.to })
        .where('id', '=', m.orderId)
        .where('status', '=', m.from)
        .where('mode', 'in', modes)
        .$if(m.only !== undefined, (u) => u.where(m.only ?? sql<boolean>`true`))
        .returning('id'),
    )
    .insertInto('order_events')
    .columns(['order_id', 'at', 'from_status', 'to_status', 'actor', 'note'])
    .expression((e) =>
      e
        .selectFrom('moved')
        .select([
          'moved.id',
          sql<number>`${m.now}::bigint`.as('at'),
          sql<string>`${m.from}::text`.as('from_status'),
          sql<string>`${m.to}::text`.as('to_status'),
          sql<string>`${m.actor}::text`.as('actor'),
          sql<string>`${m.note ?? ''}::text`.as('note'),
        ]),
    )
    .returning('id')
    .executeTakeFirst()
  return moved !== undefined
}

/** The first event of an order, which is created at `now` in the status `to`. */
export const logInitialStatus = (
  db: Db,
  { orderId, to, now, actor }: { orderId: string; to: OrderStatus; now: number; actor: Actor },
) =>
  db
    .insertInto('order_events')
    .values({ order_id: orderId, at: now, from_status: null, to_status: to, actor, note: '' })
    .execute()
