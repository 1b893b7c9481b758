import type { FormConfig } from '@/contract/form/types'
import { ARTICLE_PAGE } from '@/contract/pages'
import type { PreOrder, Req, Res, UnusableCoupon, UserCoupon } from '@/contract/types'
import { orderNotFound } from '../../app-error'
import type { UserCtx } from '../../context'
import { valuate } from '../../engine/valuate'
import { compareByDiscount, discountedPrice, discountOf, ineligibleReason, type Purchase } from '../coupons/eligibility'
import { couponsOf, type OwnedCoupon, toUserCoupon } from '../coupons/user-coupons'
import { accountOf } from '../games/account-identity'
import { submittedPictures } from '../games/answered-pictures'
import { type ActiveModel, isModelPending, JOB_WAITS_FOR_TRAINING } from '../models/repository'
import { pageLink } from '../shared/page-link'
import { assertPayable, chooseCoupon, type OrderRow, paymentDeadline, purchaseOf } from './lock-price'
import { ownOrder } from './own-order'
import { deliveryDueAt } from './periods'

/** page of the agreement that the buyer accepts */
const AGREEMENT = pageLink(ARTICLE_PAGE, { key: 'VALUATION_NOTICE' })

/** Largest discount first; unusable coupons last, each with the reason. */
function sorted(held: readonly OwnedCoupon[], purchase: Purchase, now: number) {
  const usable: UserCoupon[] = []
  const unusable: UnusableCoupon[] = []
  for (const c of [...held].sort(compareByDiscount(purchase.originFen))) {
    const reason = ineligibleReason(c, purchase, now)
    if (reason) unusable.push({ ...toUserCoupon(c, now), reason })
    else usable.push(toUserCoupon(c, now, discountOf(c, purchase.originFen)))
  }
  return { usable, unusable }
}

/** @throws AppError NOT_FOUND */
export async function couponsFor(ctx: UserCtx, orderId: string): Promise<Res<'coupon', 'getCanUse'>> {
  const order = await ownOrder(ctx, orderId)
  return sorted(await couponsOf(ctx.db, ctx.userId), purchaseOf(ctx.settings, order), ctx.clock.now())
}

/** The user's latest AI estimate of the account, in fen. */
async function modelPrice({ db, games, userId }: UserCtx, order: OrderRow): Promise<number | undefined> {
  const { config } = await games.find(order.game_id)
  return (await accountOf(db, userId, config, order.answers)).latest?.predict_fen
}

type Offer = NonNullable<PreOrder['offer']>

/** Offers by order for each model in use: a quote is asked for with every coupon, and an unpaid order's answers stay the same. */
const offers = new WeakMap<ActiveModel, Map<string, Offer>>()
const OFFERS_MAX = 1000

function offerBy(active: ActiveModel, config: FormConfig, { id, answers }: OrderRow, now: number): Offer {
  const known = offers.get(active) ?? new Map<string, Offer>()
  offers.set(active, known)
  const cached = known.get(id)
  if (cached) return cached
  const valued = valuate(active.model, config, answers, { now, source: 'TYPED' })
  const { breakdown, comparables } = valued.ok ? valued : { breakdown: [], comparables: [] }
  const offer = { ai: valued.ok, lines: breakdown.length, comparables: comparables.length }
  if (known.size >= OFFERS_MAX) known.clear()
  known.set(id, offer)
  return offer
}

/** What the model offers for the order; undefined while a first model is being trained. */
async function modelOffer({ games, models }: UserCtx, order: OrderRow, now: number): Promise<PreOrder['offer']> {
  const { config } = await games.find(order.game_id)
  try {
    const active = await models.active(config, JOB_WAITS_FOR_TRAINING)
    return active ? offerBy(active, config, order, now) : { ai: false, lines: 0, comparables: 0 }
  } catch (e) {
    if (isModelPending(e)) return undefined
    throw e
  }
}

/** What the checkout of a manual order says beside the price. */
async function manualQuote(ctx: UserCtx, order: OrderRow, now: number): Promise<Partial<PreOrder>> {
  const { config } = await ctx.games.find(order.game_id)
  const aiFen = await modelPrice(ctx, order)
  const offer = await modelOffer(ctx, order, now)
  return {
    levels: ctx.settings.manualFen,
    ...(aiFen !== undefined && { aiFen }),
    ...(offer && { offer }),
    dueAt: deliveryDueAt(now),
    pictures: (await submittedPictures(ctx.db, config, order)).length,
  }
}

/**
 * Price of the order with the chosen coupon (default: the best). Read-only; `lockPrice` applies it when paying.
 * @throws AppError NOT_FOUND, PAY_CLOSED, ORDER_STATUS_CHANGED, COUPON_NOT_USABLE
 */
export async function quoteOrder(
  ctx: UserCtx,
  mode: 'AI' | 'MANUAL',
  { orderId, couponId }: Req<'pay', 'createPre'>,
): Promise<PreOrder> {
  const now = ctx.clock.now()
  const order = await ownOrder(ctx, orderId)
  if (order.mode !== mode) throw orderNotFound()
  assertPayable(order, now)
  const held = await couponsOf(ctx.db, ctx.userId)
  const purchase = purchaseOf(ctx.settings, order)
  const chosen = chooseCoupon(held, purchase, couponId, now)
  const { usable, unusable } = sorted(held, purchase, now)
  return {
    ...discountedPrice(purchase, chosen),
    coupons: [...usable, ...unusable],
    ...(chosen && { couponId: chosen.coupon_id }),
    payExpireAt: paymentDeadline(order, now),
    now,
    agreeUrl: AGREEMENT,
    ...(order.mode === 'MANUAL' && (await manualQuote(ctx, order, now))),
  }
}
