import { type Insertable, type Selectable, sql } from 'kysely'
import { MAX_COMPENSATED_SCORE } from '@/contract/review'
import { visibleText } from '@/contract/rules'
import type { Req, Res, ValuationEvaluation } from '@/contract/types'
import { AppError, invalid, orderNotFound } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { DB } from '../../../db/tables'
import { requirePictures } from '../../../providers/storage/port'
import { grantRevaluationCoupon, revaluationCouponState } from '../../payments/coupons/revaluation-coupon'
import { lockUser } from '../../shared/locks'
import { omitNulls } from '../../shared/omit-nulls'
import { requireModeratedTexts } from '../../shared/text-moderation'
import { transitionOrder } from '../order-transitions'
import { selectOwnOrder } from '../own-order'
import { RATING_PERIOD_MS } from '../periods'
import { beginRevaluation } from './begin-revaluation'
import { requirePlausible } from './sold-price'

type ReviewRequest = Req<'evaluation', 'saveEvaluation'>
type Row = Selectable<DB['reviews']>
type SoldPrice = Pick<Selectable<DB['orders']>, 'sold_fen' | 'sold_at'>

/** Sale price reported by the owner, else by the staff. */
const saleOf = (r: Row, order: SoldPrice) =>
  r.sold_fen === null
    ? { soldFen: order.sold_fen, soldAt: order.sold_at }
    : { soldFen: r.sold_fen, soldAt: r.sold_at, soldPlatform: r.sold_platform }

const toEvaluation = (r: Row, order: SoldPrice): ValuationEvaluation => ({
  orderId: r.order_id,
  score: r.score,
  accuracy: r.accuracy,
  tags: r.tags,
  content: r.content,
  images: r.images,
  anonymous: r.anonymous,
  createdAt: r.created_at,
  ...omitNulls({
    speed: r.speed,
    service: r.service,
    ...saleOf(r, order),
    addition: r.addition,
    additionImages: r.addition_images,
    addedAt: r.added_at,
  }),
})

/** SQL over `orders`: the payment was returned, by us or by the provider. */
const isPaidBack = sql<boolean>`exists (select from refunds r
  where r.order_id = orders.id and r.status = 'DONE' and not r.surplus)`

/** The rating with what became of the coupon that it earned. */
async function withCoupon(db: Db, review: ValuationEvaluation, now: number): Promise<ValuationEvaluation> {
  const coupon = await revaluationCouponState(db, review.orderId, isPaidBack, now)
  return coupon ? { ...review, coupon } : review
}

const toRow = (review: ReviewRequest, userId: string, now: number): Insertable<DB['reviews']> => ({
  order_id: review.orderId,
  user_id: userId,
  score: review.score,
  accuracy: review.accuracy,
  speed: review.speed ?? null,
  service: review.service ?? null,
  tags: JSON.stringify([...new Set(review.tags ?? [])]),
  content: review.content?.trim() ?? '',
  images: JSON.stringify([...new Set(review.images ?? [])]),
  anonymous: review.anonymous ?? false,
  sold_fen: review.soldFen ?? null,
  sold_at: review.soldAt ?? null,
  sold_platform: review.soldPlatform?.trim() || null,
  created_at: now,
})

/** Plausibility check of a reported sale. */
function checkSale({ soldFen, soldAt }: ReviewRequest, now: number) {
  if (soldAt !== undefined && soldAt > now) throw invalid([{ path: 'soldAt', msg: '成交时间不能晚于今天' }])
  if (soldAt !== undefined && soldFen === undefined)
    throw invalid([{ path: 'soldFen', msg: '请填写成交价，或清除成交时间' }])
}

const lockOwnOrder = (tx: Db, userId: string, orderId: string) =>
  selectOwnOrder(tx, userId, orderId)
    .select(['id', 'mode', 'status', 'pay_status', 'pay_fen', 'reported_at', 'evaluated_at', 'sold_fen', 'sold_at'])
    .select('revalued')
    .forUpdate()
    .executeTakeFirstOrThrow(orderNotFound)

const REVIEWABLE_STATUSES = ['REPORTED', 'UNLOCKED', 'DONE', 'EXPIRED']

/** Rating a manual report completes its order, unless the rating is low enough for a revaluation. @throws AppError VALIDATION_FAILED */
async function applyRating(
  tx: Db,
  order: Awaited<ReturnType<typeof lockOwnOrder>>,
  { userId, score, content = '', now }: { userId: string; now: number } & Pick<ReviewRequest, 'score' | 'content'>,
) {
  const actor = `user:${userId}` as const
  const unhappy = score <= MAX_COMPENSATED_SCORE
  const reported = order.mode === 'MANUAL' && order.status === 'REPORTED'
  if (unhappy && reported && (await beginRevaluation(tx, { orderId: order.id, now, actor, text: content.trim() }))) {
    // only a rating that starts the revaluation needs the text; this undoes it
    if (visibleText(content) === '') throw invalid([{ path: 'content', msg: '请写明哪里不满意，估价师按这条评价复估' }])
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
const isRepeated = (row: Row, { score, accuracy, content = '', images = [] }: ReviewRequest): boolean =>
  score === row.score &&
  accuracy === row.accuracy &&
  content.trim() === row.content &&
  JSON.stringify([...new Set(images)]) === JSON.stringify(row.images)

/** Adds text and pictures to a rating, once. A repeated rating changes nothing. @throws AppError ORDER_STATUS_CHANGED, VALIDATION_FAILED */
async function appendToReview(tx: Db, review: ReviewRequest, now: number): Promise<Row> {
  const { orderId, content = '', images = [] } = review
  const stored = tx.selectFrom('reviews').selectAll().where('order_id', '=', orderId)
  const given = await stored.executeTakeFirstOrThrow()
  if (isRepeated(given, review)) return given
  const text = content.trim()
  if (visibleText(text) === '' && images.length === 0) throw invalid([{ path: 'content', msg: '请填写追评内容' }])
  const row = await tx
    .updateTable('reviews')
    .set({ addition: text, addition_images: JSON.stringify(images), added_at: now })
    .where('order_id', '=', orderId)
    .where('added_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('ORDER_STATUS_CHANGED', { msg: '您已评价并追评过这个订单' })
  await tx.updateTable('orders').set({ added_at: now }).where('id', '=', orderId).execute()
  return row
}

/**
 * Stores the owner's rating of a valuation: once per order within 30 days of its report, and one addition
 * later. Two stars or fewer allow a free revaluation by the appraiser; for an AI report, or when it is too late for that,
 * they earn a coupon for another full AI report.
 * @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED, VALIDATION_FAILED, SERVICE_UNAVAILABLE
 */
export async function saveEvaluation(ctx: UserCtx, review: ReviewRequest): Promise<ValuationEvaluation> {
  const now = ctx.clock.now()
  const { userId } = ctx
  const { orderId } = review
  checkSale(review, now)
  // stored with the rating only: nobody is asked here for the consent to use it as a sale
  const { soldFen, soldAt = now } = review
  if (soldFen !== undefined) await requirePlausible(ctx, { orderId, outcome: 'SOLD', soldFen, soldAt })
  await requireModeratedTexts(ctx, { content: review.content }, 'COMMENT')
  await requirePictures(ctx, review.images ?? [], 'images')
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const order = await lockOwnOrder(tx, userId, orderId)
    const { reported_at } = order
    if (reported_at === null || (order.evaluated_at === null && !REVIEWABLE_STATUSES.includes(order.status)))
      throw new AppError('ORDER_STATUS_CHANGED', { msg: '报告出具后才能评价' })
    if (reported_at + RATING_PERIOD_MS <= now) throw new AppError('ORDER_STATUS_CHANGED', { msg: '已超过 30 天评价期' })
    if (order.evaluated_at !== null)
      return withCoupon(tx, toEvaluation(await appendToReview(tx, review, now), order), now)
    const row = await tx
      .insertInto('reviews')
      .values(toRow(review, userId, now))
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx.updateTable('orders').set({ evaluated_at: now }).where('id', '=', orderId).execute()
    await applyRating(tx, order, { ...review, userId, now })
    return withCoupon(tx, toEvaluation(row, order), now)
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
    .select(['orders.sold_fen as staff_fen', 'orders.sold_at as staff_at'])
    .executeTakeFirstOrThrow(orderNotFound)
  if (order.order_id === null) return null
  const review = toEvaluation(order as Row, { sold_fen: order.staff_fen, sold_at: order.staff_at })
  return withCoupon(db, review, clock.now())
}
