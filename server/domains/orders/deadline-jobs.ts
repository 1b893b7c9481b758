import { type RawBuilder, sql } from 'kysely'
import { MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import { grantByRule } from '../payments/coupons/grant'
import { release } from '../payments/coupons/redemption'
import { forEachDueRow } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { type Deadline, deadlines, isOver } from './deadlines'
import { lockOrder } from './lock-order'
import { transitionOrder } from './order-transitions'
import {
  alarmRefunds,
  isAllowed,
  type LimitedOrder,
  refundLimitState,
  trackClock,
  withinRefundLimit,
} from './refunding/automatic-refund-limit'
import { beginRefund, decideRefund, type RefundOrder } from './refunding/request-refund'

/** Rows per query; the next pass continues. */
const BATCH = 100

type Due = RefundOrder & LimitedOrder

/** Applies an expired time limit to one order; HELD: the refund limit has no room. */
async function end(tx: Db, { settings }: Deps, order: Due, d: Deadline, now: number): Promise<boolean | 'HELD'> {
  const only = isOver(d, now)
  const { from, to, why } = d
  const { id: orderId } = order
  if (to === 'REFUNDING')
    return withinRefundLimit(tx, settings, { order, now }, () =>
      beginRefund(tx, order, { from, now, actor: 'system', reason: why, review: false, only }),
    )
  const patch = to === 'DONE' ? { done_at: now } : {}
  if (!(await transitionOrder(tx, { orderId, from, to, now, actor: 'system', note: why, patch, only }))) return false
  if (to === 'CLOSED' || to === 'EXPIRED') await release(tx, { orderId, now })
  return true
}

interface DueOrders {
  job: string
  /** SQL over `orders` */
  isDue: RawBuilder<boolean>
  work(tx: Db, order: Due): Promise<boolean | 'HELD'>
}

/** Processes due orders, each in its own transaction. */
const eachOrder = (deps: Deps, now: number, { job, isDue, work }: DueOrders): Promise<number> =>
  forEachDueRow<Due>(deps, now, {
    job,
    due: (notQuarantined) =>
      deps.db
        .selectFrom('orders')
        .select(['id', 'user_id', 'title', 'mode', 'status', 'pay_fen', 'paid_at'])
        .where(isDue)
        .where(notQuarantined(sql`orders.id`))
        .limit(BATCH)
        .execute(),
    idOf: ({ id }) => id,
    process: async (order) => {
      const outcome = await deps.db.transaction().execute((tx) => work(tx, order))
      return outcome === 'HELD' ? 'STOP' : outcome
    },
  })

/** The time limits that some order has passed, by one statement: at most times there is none. */
async function passedDeadlines({ db }: Deps, now: number): Promise<Deadline[]> {
  const passed = deadlines.map((d) => sql`exists (select from orders where ${isOver(d, now)})`)
  const { rows } = await sql<{ passed: boolean[] }>`select array[${sql.join(passed)}] as passed`.execute(db)
  return deadlines.filter((_, i) => rows[0]?.passed[i])
}

/** Statuses that a time limit ends. */
const endings: Job = {
  name: 'order deadlines',
  async run(deps, now) {
    await trackClock(deps, now)
    const passed = await passedDeadlines(deps, now)
    if (passed.length === 0) return 0
    let done = 0
    const state = await refundLimitState(deps, now)
    for (const d of passed)
      done += await eachOrder(deps, now, {
        job: 'order deadlines',
        isDue: d.to === 'REFUNDING' ? sql`${isOver(d, now)} and ${isAllowed(state, now)}` : isOver(d, now),
        work: (tx, order) => end(tx, deps, order, d, now),
      })
    return done
  },
}

/** SQL over `orders`: nobody has decided in time on the refund of one that was not delivered. */
const isUnanswered = (now: number) =>
  sql<boolean>`(orders.status = 'REFUNDING' and orders.mode = 'MANUAL' and orders.refund_due_at <= ${now}::bigint)`

/** Grants refund requests that nobody decided on within 24 hours. */
const unanswered: Job = {
  name: 'unanswered refunds',
  every: MINUTE_MS,
  async run(deps, now) {
    const state = await refundLimitState(deps, now)
    return eachOrder(deps, now, {
      job: 'unanswered refunds',
      isDue: sql`(${isUnanswered(now)} and ${isAllowed(state, now)})`,
      work: (tx, order) =>
        withinRefundLimit(tx, deps.settings, { order, now }, async () => {
          if (!(await lockOrder(tx, order.id))?.refund_due_at) return false
          await decideRefund(tx, { orderId: order.id, grant: true, now, actor: 'system' })
          return true
        }),
    })
  },
}

/** Automatic refunds held back by the limit: count and fen. */
export async function deferredRefunds(deps: Deps, now: number): Promise<{ count: number; fen: number }> {
  const refunding = deadlines.filter(({ to }) => to === 'REFUNDING')
  const due = refunding.map((d) => isOver(d, now))
  const { count, fen } = await deps.db
    .selectFrom('orders')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.sum<string | null>('pay_fen').as('fen')])
    // implied by the next condition; an index finds these, few of the orders that have a time limit
    .where('status', 'in', ['REFUNDING', ...refunding.map(({ from }) => from)])
    .where((e) => e.or([...due.map((d) => sql<boolean>`(${d})`), isUnanswered(now)]))
    .where(sql<boolean>`not ${isAllowed(await refundLimitState(deps, now), now)}`)
    .executeTakeFirstOrThrow()
  return { count, fen: Number(fen ?? 0) }
}

/** Alarms staff when refunds are held back or unusually many. */
const held: Job = {
  name: 'held refunds',
  every: MINUTE_MS,
  async run(deps, now) {
    const { count } = await deferredRefunds(deps, now)
    await alarmRefunds(deps, count, now)
    return 0
  },
}

/** Grants a compensation coupon automatically for every late order, once per order and delivery. */
const compensation = (
  name: string,
  reason: 'LATE' | 'INSUFFICIENT',
  condition: (now: number) => RawBuilder<boolean>,
): Job => ({
  name,
  run(deps, now) {
    const isDue = sql<boolean>`(${condition(now)} and late_coupon_at is null)`
    return eachOrder(deps, now, {
      job: name,
      isDue,
      work: async (tx, { id, user_id }) => {
        const first = await tx
          .updateTable('orders')
          .set({ late_coupon_at: now })
          .where('id', '=', id)
          .where(isDue)
          .returning('id')
          .executeTakeFirst()
        if (first) await grantByRule(tx, reason, user_id, now)
        return first !== undefined
      },
    })
  },
})

const late: Job = {
  ...compensation(
    'late coupons',
    'LATE',
    (now) => sql`status in ('PAID', 'ASSIGNED', 'REVALUING') and due_at <= ${now}::bigint`,
  ),
  every: MINUTE_MS,
}

/** A coupon for a manual valuation when no automatic price was possible, once per user. */
const insufficient = compensation('insufficient samples', 'INSUFFICIENT', () => sql`status = 'INSUFFICIENT'`)

/** Releases the coupon of an AI report whose payment was abandoned; the next attempt starts over. */
const abandoned: Job = {
  name: 'abandoned AI payments',
  every: MINUTE_MS,
  run(deps, now) {
    const isDue = sql<boolean>`(mode = 'AI' and status = 'REPORTED' and pay_expire_at < ${now}::bigint)`
    return eachOrder(deps, now, {
      job: 'abandoned AI payments',
      isDue,
      work: async (tx, { id }) => {
        const freed = await tx
          .updateTable('orders')
          .set({ pay_expire_at: null, pay_type: null, coupon_id: null, origin_fen: 0, discount_fen: 0, pay_fen: 0 })
          .where('id', '=', id)
          .where(isDue)
          .returning('id')
          .executeTakeFirst()
        if (freed) await release(tx, { orderId: id, now })
        return freed !== undefined
      },
    })
  },
}

export const orderJobs: readonly Job[] = [endings, unanswered, held, late, insufficient, abandoned]
