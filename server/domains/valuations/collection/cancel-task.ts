import { sql } from 'kysely'
import type { Answers } from '@/contract/form/types'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { withdrawCollected } from '../../market/follow-ups/withdraw-consent'
import { transitionOrder } from '../../orders/order-transitions'
import { release } from '../../payments/coupons/redemption'
import { queueDeletion } from '../../shared/deletion-outbox'
import { tryLockUser } from '../../shared/locks'
import type { TaskRow } from './task'
import { AWAITING_RESULT, isRunning, transitionTask } from './task-status'

interface Stop {
  ctx: UserCtx
  task: TaskRow
  now: number
}

/** Ends a running collection with its waiting order, in a transaction that has locked the task. */
async function stop(tx: Db, { ctx, task, now }: Stop): Promise<void> {
  await transitionTask(tx, { taskId: task.id, from: task.status, to: 'CANCELED', now })
  if (task.order_id !== null)
    await transitionOrder(tx, {
      orderId: task.order_id,
      from: 'WAIT_AUTH',
      to: 'CANCELED',
      now,
      actor: `user:${ctx.userId}`,
      patch: { cancel_reason: '取消授权' },
    })
}

const lockedTask = (tx: Db, { id }: TaskRow): Promise<TaskRow> =>
  tx.selectFrom('collection_tasks').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Records that the collector must delete its data: sent after the transaction, with retries. */
const queueCollectorDeletion = (tx: Db, { ref }: TaskRow, now: number) =>
  queueDeletion(tx, 'READ', ref === null ? [] : [ref], now)

/** Cancels a collection with its waiting order, here and at the collector. */
export async function cancelTask(ctx: UserCtx, task: TaskRow): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockedTask(tx, task)
    if (!AWAITING_RESULT.includes(locked.status)) return
    await stop(tx, { ctx, task: locked, now })
    await queueCollectorDeletion(tx, locked, now)
  })
}

/** Answers without those that were read. */
const without = (answers: Answers, read: readonly string[]): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([key]) => !read.includes(key)))

/** The body of a report without account data, which cannot be recomputed; number and price remain in the user's record. */
const bodyWithoutAccountData = sql<string>`jsonb_build_object('format', body -> 'format', 'price', body -> 'price', 'risk', jsonb_build_object('level', body #> '{risk,level}',
  'facts', '[]'::jsonb), 'confidence', (body -> 'confidence') || '{"reasons": [], "doubts": []}'::jsonb, 'model', body -> 'model',
  'breakdown', '[]'::jsonb, 'topItems', '[]'::jsonb, 'comparables', '[]'::jsonb, 'raise', '[]'::jsonb)`

/** Removes the data of one collection from orders and reports. @param revoke also removes it from the report bodies */
async function eraseFrom(tx: Db, taskId: string, { read, revoke }: { read: string[]; revoke: boolean }): Promise<void> {
  const orders = await tx
    .selectFrom('orders')
    .select(['id', 'answers'])
    .where('collection_task_id', '=', taskId)
    .execute()
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
 * Those reports are revoked: the price stays in the record, the account's details are removed. The prices asked and
 * paid for the account are withdrawn, because their attributes were collected.
 */
export async function revokeAuthorisation(ctx: UserCtx, task: TaskRow): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transaction().execute(async (tx) => {
    await tryLockUser(tx, ctx.userId)
    // a valuation or submission that has read the data waits here, or is waited for
    const locked = await lockedTask(tx, task)
    if (isRunning(locked.status)) await stop(tx, { ctx, task: locked, now })
    await withdrawCollected(tx, task.id, now)
    // after 180 days nothing read is left but the bodies of the reports
    await eraseFrom(tx, task.id, { read: Object.keys(locked.features ?? {}), revoke: true })
    // a revoked report must not be paid for or unlocked
    const orders = await tx.selectFrom('orders').select('id').where('collection_task_id', '=', task.id).execute()
    for (const { id: orderId } of orders) {
      const actor = `user:${ctx.userId}` as const
      const note = 'FORGET'
      if (await transitionOrder(tx, { orderId, from: 'REPORTED', to: 'EXPIRED', now, actor, note }))
        await release(tx, { orderId, now })
    }
    await tx
      .updateTable('collection_tasks')
      .set({ raw: null, features: null, corrections: null, listing_fen: null, lookup: '{}', forgotten_at: now })
      .where('id', '=', task.id)
      .execute()
    await queueCollectorDeletion(tx, locked, now)
  })
}

/** Removes the data of one collection after 180 days; the bodies of its reports, long expired, stay. */
export async function deleteCollectedData(db: Db, taskId: string, features: Answers): Promise<void> {
  await eraseFrom(db, taskId, { read: Object.keys(features), revoke: false })
  await db
    .updateTable('collection_tasks')
    .set({ features: null, corrections: null, listing_fen: null, lookup: '{}' })
    .where('id', '=', taskId)
    .execute()
}
