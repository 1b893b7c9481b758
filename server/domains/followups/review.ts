import { type Selectable, sql } from 'kysely'
import { MAX_COMPENSATED_SCORE, revaluationReasons } from '@/contract/review'
import { visibleText } from '@/contract/rules'
import type { Req, Res, ValuationEvaluation } from '@/contract/types'
import { AppError, invalid, orderNotFound } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import type { DB } from '../../db/tables'
import { grantRevaluationCoupon, revaluationCouponState } from '../coupons/revaluation-coupon'
import { beginRevaluation, notPaidBack } from '../orders/begin-revaluation'
import { transitionOrder } from '../orders/order-transitions'
import { selectOwnOrder } from '../orders/own-order'
import { RATING_PERIOD_MS } from '../orders/periods'
import { lockUser } from '../shared/locks'
import { requireModeratedTexts } from '../shared/text-moderation'

type ReviewRequest = Req<'evaluation', 'saveEvaluation'>
type Row = Selectable<DB['reviews']>

const toEvaluation = (r: Row): ValuationEvaluation => ({
  ...{ orderId: r.order_id, score: r.score, accuracy: r.accuracy, content: r.content, createdAt: r.created_at },
})

/** The rating with what became of the coupon that it earned. */
async function withCoupon(db: Db, review: ValuationEvaluation, now: number): Promise<ValuationEvaluation> {
  const coupon = await revaluationCouponState(db, review.orderId, sql<boolean>`not ${notPaidBack}`, now)
  return coupon ? { ...review, coupon } : review
}

const lockOwnOrder = (tx: Db, userId: string, orderId: string) =>
  selectOwnOrder(tx, userId, orderId)
    .select(['id', 'mode', 'status', 'pay_status', 'pay_fen', 'reported_at', 'evaluated_at'])
    .select('revalued')
    .forUpdate()
    .executeTakeFirstOrThrow(orderNotFound)

const REVIEWABLE_STATUSES = ['REPORTED', 'UNLOCKED', 'DONE', 'EXPIRED']

/** Rating a manual report completes its order, unless the rating is low enough for a revaluation. @throws AppError VALIDATION_FAILED */
async function applyRating(
  tx: Db,
  order: Awaited<ReturnType<typeof lockOwnOrder>>,
  {
    userId,
    score,
    accuracy,
    content = '',
    now,
  }: { userId: string; now: number } & Pick<ReviewRequest, 'score' | 'accuracy' | 'content'>,
) {
  const actor = `user:${userId}` as const
  const unhappy = score <= MAX_COMPENSATED_SCORE
  const reported = order.mode === 'MANUAL' && order.status === 'REPORTED'
  const reason = revaluationReasons[accuracy]
  const request = { reasons: [reason], text: content.trim() }
  if (unhappy && reported && (await beginRevaluation(tx, { orderId: order.id, now, actor, request }))) {
    // only a rating that starts the revaluation needs the text; this undoes it
    if (reason === 'OTHER' && visibleText(content) === '')
      throw invalid([{ path: 'content', msg: '请写明哪里不满意，估价师按这条评价复估' }])
    return
  }
  // only a paid report earns a coupon: bad ratings of free or locked ones must not earn another full report. A manual one
  // earns it when it can no longer be revalued and has not been
  const bought = order.pay_status === 'PAID' && order.pay_fen > 0
  if (unhappy && bought && !order.revalued) await grantRevaluationCoupon(tx, { orderId: order.id, userId, now })
  if (reported)
    await transitionOrder(tx, { orderId: order.id, from: 'REPORTED', to: 'DONE', now, actor, patch: { done_at: now } })
}

/** Whether a request says what the rating says already: a double tap, or a retry after a lost response. */
const isRepeated = (row: Row, { score, accuracy, content = '' }: ReviewRequest): boolean =>
  score === row.score && accuracy === row.accuracy && content.trim() === row.content

/**
 * Stores the owner's rating of a valuation, once per order within 30 days of its report. Two stars or fewer allow a free revaluation by the appraiser; for an AI report, or when it is too late for that,
 * they earn a coupon for another full AI report.
 * @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function saveEvaluation(ctx: UserCtx, review: ReviewRequest): Promise<ValuationEvaluation> {
  const now = ctx.clock.now()
  const { userId } = ctx
  const { orderId, score, accuracy, content = '' } = review
  await requireModeratedTexts(ctx, { content }, 'COMMENT')
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const order = await lockOwnOrder(tx, userId, orderId)
    const { reported_at } = order
    if (reported_at === null || (order.evaluated_at === null && !REVIEWABLE_STATUSES.includes(order.status)))
      throw new AppError('ORDER_STATUS_CHANGED', { msg: '报告出具后才能评价' })
    if (reported_at + RATING_PERIOD_MS <= now) throw new AppError('ORDER_STATUS_CHANGED', { msg: '已超过 30 天评价期' })
    if (order.evaluated_at !== null) {
      const given = await tx.selectFrom('reviews').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
      if (!isRepeated(given, review)) throw new AppError('ORDER_STATUS_CHANGED', { msg: '您已评价过这个订单' })
      return withCoupon(tx, toEvaluation(given), now)
    }
    const row = await tx
      .insertInto('reviews')
      .values({
        ...{ order_id: orderId, user_id: userId, score, accuracy, content: content.trim(), created_at: now },
        // columns that ratings no longer have
        ...{ tags: '[]', images: '[]', anonymous: false },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx.updateTable('orders').set({ evaluated_at: now }).where('id', '=', orderId).execute()
    await applyRating(tx, order, { ...review, userId, now })
    return withCoupon(tx, toEvaluation(row), now)
  })
}

/** @throws AppError NOT_FOUND */
export async function getEvaluation(
  { db, clock, userId }: UserCtx,
  orderId: string,
): Promise<Res<'evaluation', 'getEvaluation'>> {
  const order = await selectOwnOrder(db, userId, orderId)
    .leftJoin('reviews as v', 'v.order_id', 'orders.id')
    .selectAll('v')
    .executeTakeFirstOrThrow(orderNotFound)
  if (order.order_id === null) return null
  const review = toEvaluation(order as Row)
  return withCoupon(db, review, clock.now())
}
