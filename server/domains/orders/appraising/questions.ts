import { sql } from 'kysely'
import type { OrderStatus } from '@/contract/orderStatus'
import { AppError, orderNotFound } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import { statusAt } from '../deadlines'
import { ownOrder } from '../own-order'
import { QUESTION_PERIOD_MS } from '../periods'

/** Statuses of an order whose report is with its owner. */
const DELIVERED: OrderStatus[] = ['REPORTED', 'REVALUING', 'DONE']

/**
 * Marks an order as having a question to its appraiser. Call in the transaction that stores the question.
 * @throws AppError NOT_FOUND, also for another user's order · ORDER_STATUS_CHANGED: not delivered, or too long ago
 */
export async function openQuestion(
  tx: Db,
  { orderId, userId, now }: { orderId: string; userId: string; now: number },
): Promise<void> {
  const own = tx
    .updateTable('orders')
    .set({ asked_at: sql<number>`coalesce(asked_at, ${now}::bigint)` })
    .where('id', '=', orderId)
    .where('user_id', '=', userId)
    .where('mode', '=', 'MANUAL')
    .where(statusAt(now), 'in', DELIVERED)
    .where('reported_at', '>', now - QUESTION_PERIOD_MS)
  if (await own.returning('id').executeTakeFirst()) return
  const order = await ownOrder({ db: tx, userId }, orderId)
  if (order.mode !== 'MANUAL') throw orderNotFound()
  throw new AppError('ORDER_STATUS_CHANGED', { msg: '报告出具后 7 天内可以向估价师提问，其他时候请问客服' })
}

/** Marks the questions on an order as answered, or as needing no answer. @returns false when none is open */
export async function closeQuestion(tx: Db, orderId: string): Promise<boolean> {
  const row = await tx
    .updateTable('orders')
    .set({ asked_at: null })
    .where('id', '=', orderId)
    .where('asked_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
