import { ARTICLE_PAGE } from '@/contract/pages'
import type { PreOrder, Req, Res, UnusableCoupon, UserCoupon } from '@/contract/types'
import { orderNotFound } from '../../app-error'
import type { UserCtx } from '../../context'
import { compareByDiscount, discountedPrice, discountOf, ineligibleReason, type Purchase } from '../coupons/eligibility'
import { couponsOf, type OwnedCoupon, toUserCoupon } from '../coupons/user-coupons'
import { accountOf } from '../games/account-identity'
import { isModelPending, JOB_WAITS_FOR_TRAINING } from '../models/repository'
import { pageLink } from '../shared/page-link'
import { modelValuation } from './appraiser-actions'
import { assertPayable, chooseCoupon, type OrderRow, paymentDeadline, purchaseOf } from './lock-price'
import { ownOrder } from './own-order'

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

/** What the model offers for the order; undefined while a first model is being trained. */
async function modelOffer(ctx: UserCtx, order: OrderRow, now: number): Promise<PreOrder['offer']> {
  try {
    const valued = await modelValuation(ctx, order, { now, waits: JOB_WAITS_FOR_TRAINING })
    const { breakdown = [], comparables = [] } = valued ?? {}
    return { ai: valued !== undefined, lines: breakdown.length, comparables: comparables.length }
  } catch (e) {
    if (isModelPending(e)) return undefined
    throw e
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
  const aiFen = order.mode === 'MANUAL' ? await modelPrice(ctx, order) : undefined
  const offer = order.mode === 'MANUAL' ? await modelOffer(ctx, order, now) : undefined
  return {
    ...discountedPrice(purchase, chosen),
    coupons: [...usable, ...unusable],
    ...(chosen && { couponId: chosen.coupon_id }),
    payExpireAt: paymentDeadline(order, now),
    now,
    agreeUrl: AGREEMENT,
    ...(order.mode === 'MANUAL' && { levels: ctx.settings.manualFen }),
    ...(aiFen !== undefined && { aiFen }),
    ...(offer && { offer }),
  }
}
