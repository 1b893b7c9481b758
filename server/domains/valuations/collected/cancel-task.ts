import { type RawBuilder, sql } from 'kysely'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { lockedTask, type TaskRow } from '../../games/collection/task'
import { AWAITING_RESULT, isRunning, transitionTask } from '../../games/collection/task-status'
import { withdrawCollected } from '../../market/follow-ups/withdraw-consent'
import { transitionOrder } from '../../orders/order-transitions'
import { release } from '../../payments/coupons/redemption'
import { queueDeletion } from '../../shared/deletion-outbox'
import { tryLockUser } from '../../shared/locks'

/** Ends a running collection with its waiting order, in a transaction that has locked the task. */
async function stop(tx: Db, ctx: UserCtx, task: TaskRow, now: number): Promise<void> {
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

/** Records that the collector must delete its data: sent after the transaction, with retries. */
const queueCollectorDeletion = (tx: Db, { ref }: TaskRow, now: number) =>
  queueDeletion(tx, 'READ', ref === null ? [] : [ref], now)

/** Cancels a collection with its waiting order, here and at the collector. */
export async function cancelTask(ctx: UserCtx, task: TaskRow): Promise<void> {
  const now = ctx.clock.now()
  await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockedTask(tx, task.id).executeTakeFirstOrThrow()
    if (!AWAITING_RESULT.includes(locked.status)) return
    await stop(tx, ctx, locked, now)
    await queueCollectorDeletion(tx, locked, now)
  })
}

/** The body of a report without account data, which cannot be recomputed; number and price remain in the user's record. */
const bodyWithoutAccountData = sql<string>`jsonb_build_object('format', body -> 'format', 'price', body -> 'price', 'risk', jsonb_build_object('level', body #> '{risk,level}',
  'facts', '[]'::jsonb), 'confidence', (body -> 'confidence') || '{"reasons": [], "doubts": []}'::jsonb, 'model', body -> 'model',
  'breakdown', '[]'::jsonb, 'topItems', '[]'::jsonb, 'comparables', '[]'::jsonb, 'raise', '[]'::jsonb)`

/**
 * Removes the answers that a collection read from it, its orders and their reports.
 * @param revokedAt ms; the consent was withdrawn, so also its raw data and the bodies of the reports
 */
export async function eraseCollected(
  tx: Db,
  { id, features }: Pick<TaskRow, 'id' | 'features'>,
  revokedAt?: number,
): Promise<void> {
  const withoutRead = (answers: RawBuilder<unknown>) => sql<string>`${answers} - ${Object.keys(features ?? {})}::text[]`
  const isRevoked = revokedAt !== undefined
  const ordersOf = tx.selectFrom('orders').select('id').where('collection_task_id', '=', id)
  await tx
    .updateTable('orders')
    .set({ answers: withoutRead(sql`answers`) })
    .where('collection_task_id', '=', id)
    .execute()
  await tx
    .updateTable('reports')
    .set({
      inputs: sql<string>`jsonb_set(inputs, '{answers}', ${withoutRead(sql`(inputs -> 'answers')`)})`,
      ...(isRevoked && { status: 'REVOKED', body: bodyWithoutAccountData }),
    })
    .where('order_id', 'in', ordersOf)
    .execute()
  // later reports of the same account say how it differed from these
  const accounts = tx
    .selectFrom('reports')
    .select(['user_id', 'game_id', 'account_id'])
    .where('order_id', 'in', ordersOf)
  await tx
    .updateTable('reports')
    .set({ inputs: sql<string>`inputs - 'earlier'`, body: sql<string>`body - 'changed'` })
    .where(sql<boolean>`(user_id, game_id, account_id) in ${accounts}`)
    .execute()
  await tx
    .updateTable('collection_tasks')
    .set({ features: null, corrections: null, listing_fen: null, lookup: '{}' })
    .$if(isRevoked, (q) => q.set({ raw: null, forgotten_at: revokedAt }))
    .where('id', '=', id)
    .execute()
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
    const locked = await lockedTask(tx, task.id).executeTakeFirstOrThrow()
    if (isRunning(locked.status)) await stop(tx, ctx, locked, now)
    await withdrawCollected(tx, task.id, now)
    // after 180 days nothing read is left but the bodies of the reports
    await eraseCollected(tx, locked, now)
    // a revoked report must not be paid for or unlocked
    const orders = await tx.selectFrom('orders').select('id').where('collection_task_id', '=', task.id).execute()
    for (const { id: orderId } of orders) {
      const actor = `user:${ctx.userId}` as const
      const note = 'FORGET'
      if (await transitionOrder(tx, { orderId, from: 'REPORTED', to: 'EXPIRED', now, actor, note }))
        await release(tx, { orderId, now })
    }
    await queueCollectorDeletion(tx, locked, now)
  })
}
