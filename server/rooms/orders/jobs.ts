import { sql } from 'kysely'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import type { Job } from '../../jobs/sweep'
import { giveFor } from '../coupon/give'
import { release } from '../coupon/lock'
import { type Deadline, deadlines, isOver } from './deadlines'
import { move } from './machine'
import { beginRefund, decideRefund } from './refund'

/** Rows of one look; the next pass takes the rest. */
const BATCH = 100

const facts = ['id', 'user_id', 'title', 'mode', 'pay_fen'] as const

type Due = { id: string; user_id: string; title: string; mode: 'AI' | 'MANUAL'; pay_fen: number }

/** Does what the clock has decided about one order; false when somebody was faster. */
async function end(tx: Db, order: Due, d: Deadline, now: number): Promise<boolean> {
  const only = isOver(d, now)
  const { from, to, why } = d
  if (to === 'REFUNDING')
    return beginRefund(tx, order, { from, now, actor: 'system', reason: why, review: false, only })
  const patch = to === 'DONE' ? { done_at: now } : {}
  if (!(await move(tx, { orderId: order.id, from, to, now, actor: 'system', note: why, patch, only }))) return false
  if (to === 'CLOSED' || to === 'EXPIRED') await release(tx, { orderId: order.id, now })
  return true
}

async function each<T>({ db }: Deps, rows: readonly T[], work: (tx: Db, row: T) => Promise<boolean>): Promise<number> {
  let done = 0
  for (const row of rows) if (await db.transaction().execute((tx) => work(tx, row))) done += 1
  return done
}

/** Rule 2.6, "leaves by" the clock. */
const endings: Job = {
  name: 'order deadlines',
  async run(deps, now) {
    let done = 0
    for (const d of deadlines) {
      const rows = await deps.db.selectFrom('orders').select(facts).where(isOver(d, now)).limit(BATCH).execute()
      done += await each(deps, rows, (tx, row) => end(tx, row, d, now))
    }
    return done
  },
}

/** A wish for a refund nobody answered within 24 hours is granted. */
const unanswered: Job = {
  name: 'unanswered refunds',
  async run(deps, now) {
    const rows = await deps.db
      .selectFrom('orders')
      .select('id')
      .where('status', '=', 'REFUNDING')
      .where('refund_due_at', '<=', now)
      .limit(BATCH)
      .execute()
    return each(deps, rows, async (tx, { id }) => {
      const still = await tx
        .selectFrom('orders')
        .select('refund_due_at')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (!still?.refund_due_at) return false
      await decideRefund(tx, { orderId: id, grant: true, now, actor: 'system' })
      return true
    })
  },
}

/** Over `dueAt`: a coupon by itself, once per order and delivery. */
const late: Job = {
  name: 'late coupons',
  async run(deps, now) {
    const isLate = sql<boolean>`status in ('PAID', 'ASSIGNED', 'REVALUING') and due_at <= ${now}::bigint and late_coupon_at is null`
    const rows = await deps.db.selectFrom('orders').select(['id', 'user_id']).where(isLate).limit(BATCH).execute()
    return each(deps, rows, async (tx, row) => {
      const first = await tx
        .updateTable('orders')
        .set({ late_coupon_at: now })
        .where('id', '=', row.id)
        .where(isLate)
        .returning('id')
        .executeTakeFirst()
      return first !== undefined && (await giveFor(tx, 'LATE', row.user_id, now)) !== undefined
    })
  },
}

/** No automatic price: a coupon for the human way, once per user. */
const insufficient: Job = {
  name: 'insufficient samples',
  async run(deps, now) {
    const open = sql<boolean>`status = 'INSUFFICIENT' and late_coupon_at is null`
    const rows = await deps.db.selectFrom('orders').select(['id', 'user_id']).where(open).limit(BATCH).execute()
    return each(deps, rows, async (tx, row) => {
      const first = await tx
        .updateTable('orders')
        .set({ late_coupon_at: now })
        .where('id', '=', row.id)
        .where(open)
        .returning('id')
        .executeTakeFirst()
      if (first) await giveFor(tx, 'INSUFFICIENT', row.user_id, now)
      return first !== undefined
    })
  },
}

/** A payment for an AI report that never came: its coupon is free again, the next try starts anew. */
const abandoned: Job = {
  name: 'abandoned AI payments',
  async run(deps, now) {
    const stale = sql<boolean>`mode = 'AI' and status = 'REPORTED' and pay_expire_at < ${now}::bigint`
    const rows = await deps.db.selectFrom('orders').select('id').where(stale).limit(BATCH).execute()
    return each(deps, rows, async (tx, { id }) => {
      const freed = await tx
        .updateTable('orders')
        .set({ pay_expire_at: null, pay_type: null, coupon_id: null, origin_fen: 0, discount_fen: 0, pay_fen: 0 })
        .where('id', '=', id)
        .where(stale)
        .returning('id')
        .executeTakeFirst()
      if (freed) await release(tx, { orderId: id, now })
      return freed !== undefined
    })
  },
}

export const orderJobs: readonly Job[] = [endings, unanswered, late, insufficient, abandoned]
