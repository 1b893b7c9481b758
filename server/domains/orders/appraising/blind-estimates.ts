import { sql } from 'kysely'
import { AppError, invalid } from '../../../core/app-error'
import type { Db } from '../../../db/database'
import { lockOrder } from '../lock-order'
import { PRICE_MAX } from './appraisal-details'

/** What an appraiser stores of an order before delivery. */
export interface BlindEstimate {
  /** fen; null: not committed yet, and the model's price is not shown */
  firstFen: number | null
  firstAt: number | null
  draft: Record<string, string>
  draftAt: number | null
}

const none: BlindEstimate = { firstFen: null, firstAt: null, draft: {}, draftAt: null }

/** Statuses in which a price is awaited. */
export const AWAITING_PRICE = ['ASSIGNED', 'REVALUING']
/** characters of a stored draft */
const DRAFT_MAX = 20_000

export async function blindEstimateOf(db: Db, orderId: string, staffId: string): Promise<BlindEstimate> {
  const row = await db
    .selectFrom('appraisal_drafts')
    .select(['blind_fen as firstFen', 'blind_at as firstAt', 'draft', 'draft_at as draftAt'])
    .where('order_id', '=', orderId)
    .where('staff_id', '=', staffId)
    .executeTakeFirst()
  return row ?? none
}

interface By {
  orderId: string
  staffId: string
  /** ms */
  now: number
}

/** SQL over `orders`: given to an appraiser by the job, but nobody has accepted or begun it. */
export const isUnaccepted = sql<boolean>`(orders.status = 'ASSIGNED' and orders.assigned_at is null)`

export const givenToAnother = () =>
  new AppError('ORDER_STATUS_CHANGED', { msg: '这个订单已分配给其他估价师，还没有开始；由您来估请先接单' })

/**
 * Marks an order as accepted when the one it was given to begins to work on it; others take it first. Call in a
 * transaction: a refusal undoes it.
 * @throws AppError ORDER_STATUS_CHANGED: given to somebody else
 */
export async function acceptBegun(tx: Db, { orderId, staffId, now }: By): Promise<void> {
  const accepted = await tx
    .updateTable('orders')
    .set({ assigned_at: now })
    .where('id', '=', orderId)
    .where(isUnaccepted)
    .returning('appraiser_id')
    .executeTakeFirst()
  if (accepted && accepted.appraiser_id !== staffId) throw givenToAnother()
}

async function requireAwaited(tx: Db, by: By): Promise<void> {
  const order = await lockOrder(tx, by.orderId)
  if (!order || !AWAITING_PRICE.includes(order.status)) throw new AppError('ORDER_STATUS_CHANGED')
  await acceptBegun(tx, by)
}

/**
 * Commits an appraiser's own first estimate, once: only afterwards does the desk show them the model's price.
 * @throws AppError VALIDATION_FAILED, ORDER_STATUS_CHANGED: no price is awaited, or already committed
 */
export async function commitBlindEstimate(tx: Db, { orderId, staffId, now, fen }: By & { fen: number }): Promise<void> {
  if (!Number.isInteger(fen) || fen <= 0 || fen > PRICE_MAX)
    throw invalid([{ path: 'first', msg: '请填写您的首次估价（元），例如 2580' }])
  await requireAwaited(tx, { orderId, staffId, now })
  const row = await tx
    .insertInto('appraisal_drafts')
    .values({ order_id: orderId, staff_id: staffId, blind_fen: fen, blind_at: now })
    .onConflict((c) =>
      c
        .columns(['order_id', 'staff_id'])
        .doUpdateSet({ blind_fen: fen, blind_at: now })
        .where('appraisal_drafts.blind_fen', 'is', null),
    )
    .returning('blind_fen')
    .executeTakeFirst()
  if (!row) throw new AppError('ORDER_STATUS_CHANGED', { msg: '首次估价已提交，不能再改' })
}

/** Keeps the delivery form as typed. @throws AppError VALIDATION_FAILED: too long · ORDER_STATUS_CHANGED */
export async function saveDraft(
  tx: Db,
  { orderId, staffId, now, draft }: By & { draft: Record<string, string> },
): Promise<void> {
  const text = JSON.stringify(draft)
  if (text.length > DRAFT_MAX) throw invalid([{ path: 'draft', msg: '草稿太长，请删减后保存' }])
  await requireAwaited(tx, { orderId, staffId, now })
  const kept = { draft: text, draft_at: now }
  await tx
    .insertInto('appraisal_drafts')
    .values({ order_id: orderId, staff_id: staffId, ...kept })
    .onConflict((c) => c.columns(['order_id', 'staff_id']).doUpdateSet(kept))
    .execute()
}

/**
 * Keeps the delivered form: a revaluation by the same appraiser begins with it, but for the comment, which is to say what
 * changed. Call in the delivery's transaction.
 */
export const keepDelivered = (tx: Db, { orderId, staffId }: Omit<By, 'now'>, form: Record<string, string>) =>
  tx
    .updateTable('appraisal_drafts')
    .set({ draft: JSON.stringify({ ...form, comment: '' }), draft_at: null })
    .where('order_id', '=', orderId)
    .where('staff_id', '=', staffId)
    .execute()
