import { sql } from 'kysely'
import type { Answers } from '@/contract/form/types'
import type { Deps, UserCtx } from '../../context'
import type { Db } from '../../db/database'
import { release } from '../coupons/lock'
import { transitionOrder } from '../orders/order-transitions'
import { queueDeletion } from '../shared/deletion-outbox'
import { ownTask, type TaskRow } from './task'
import { AWAITING_RESULT, transitionTask } from './task-status'

/** Cancels a collection with its waiting order, and notifies the collector, with retries if it cannot be reached. */
export async function cancelTask(ctx: UserCtx, task: TaskRow): Promise<void> {
  const now = ctx.clock.now()
  const stopped = await ctx.db.transaction().execute(async (tx) => {
    const { status } = await tx
      .selectFrom('auth_tasks')
      .select('status')
      .where('id', '=', task.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!AWAITING_RESULT.includes(status)) return false
    await transitionTask(tx, { taskId: task.id, from: status, to: 'CANCELED', now })
    if (task.order_id !== null)
      await transitionOrder(tx, {
        orderId: task.order_id,
        from: 'WAIT_AUTH',
        to: 'CANCELED',
        now,
        actor: `user:${ctx.userId}`,
        patch: { cancel_reason: '取消授权' },
      })
    return true
  })
  if (stopped) await tellCollector(ctx, task)
}

async function tellCollector({ collector, clock, db, log }: Deps, { ref }: TaskRow): Promise<void> {
  if (ref === null) return
  await collector.deleteRead(ref).catch(async (err) => {
    log.warn({ err }, 'collector could not be told to delete a read')
    await queueDeletion(db, 'READ', [ref], clock.now())
  })
}

/** Answers without those that were read. */
const without = (answers: Answers, read: readonly string[]): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([key]) => !read.includes(key)))

/** Report body without account data, which cannot be recomputed; number and price remain in the user's record. */
const bodyWithoutAccountData = sql<string>`jsonb_build_object('price', body -> 'price', 'risk', jsonb_build_object('level', body #> '{risk,level}',
  'facts', '[]'::jsonb), 'confidence', (body -> 'confidence') || '{"reasons": [], "doubts": []}'::jsonb, 'model', body -> 'model',
  'breakdown', '[]'::jsonb, 'topItems', '[]'::jsonb, 'comparables', '[]'::jsonb, 'raise', '[]'::jsonb)`

/** Removes the data of one collection from orders and reports. @param revoke also removes it from the report bodies */
async function eraseFrom(tx: Db, taskId: string, { read, revoke }: { read: string[]; revoke: boolean }): Promise<void> {
  const orders = await tx.selectFrom('orders').select(['id', 'answers']).where('auth_task_id', '=', taskId).execute()
  for (const { id, answers } of orders) {
    await tx
      .updateTable('orders')
      .set({ answers: JSON.stringify(without(answers, read)) })
      .where('id', '=', id)
      .execute()
    const reports = await tx.selectFrom('reports').select(['report_no', 'inputs']).where('order_id', '=', id).execute()
    for (const { report_no, inputs } of reports)
      await tx
        .updateTable('reports')
        .set({
          inputs: JSON.stringify({ ...inputs, answers: without(inputs.answers, read) }),
          ...(revoke && { status: 'REVOKED', body: bodyWithoutAccountData }),
        })
        .where('report_no', '=', report_no)
        .execute()
  }
}

/**
 * Deletes the data of a collection everywhere: here, in the orders and reports made from it, and at the collector.
 * Those reports are revoked: the price stays in the record, the account's details are removed.
 */
export async function revokeAuthorisation(ctx: UserCtx, task: TaskRow): Promise<void> {
  if (AWAITING_RESULT.includes(task.status)) await cancelTask(ctx, task)
  else await tellCollector(ctx, task)
  const now = ctx.clock.now()
  await ctx.db.transaction().execute(async (tx) => {
    const { features } = await ownTask(tx, ctx.userId, task.id)
    if (features) await eraseFrom(tx, task.id, { read: Object.keys(features), revoke: true })
    // a revoked report must not be paid for or unlocked
    const orders = await tx.selectFrom('orders').select('id').where('auth_task_id', '=', task.id).execute()
    for (const { id: orderId } of orders) {
      const actor = `user:${ctx.userId}` as const
      const note = 'FORGET'
      if (await transitionOrder(tx, { orderId, from: 'REPORTED', to: 'EXPIRED', now, actor, note }))
        await release(tx, { orderId, now })
    }
    await tx
      .updateTable('auth_tasks')
      .set({ raw: null, features: null, corrections: null, lookup: '{}', forgotten_at: now })
      .where('id', '=', task.id)
      .execute()
  })
}

/** Removes the data of one collection after 180 days; the bodies of its reports, long expired, stay. */
export async function deleteReadData(db: Db, taskId: string, features: Answers): Promise<void> {
  await eraseFrom(db, taskId, { read: Object.keys(features), revoke: false })
  await db
    .updateTable('auth_tasks')
    .set({ features: null, corrections: null, lookup: '{}' })
    .where('id', '=', taskId)
    .execute()
}
