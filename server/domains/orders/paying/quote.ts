import { ARTICLE_PAGE } from '@/contract/pages'
import type { PreOrder, Req, Res, UnusableCoupon, UserCoupon } from '@/contract/types'
import { orderNotFound } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import { submittedPictures } from '../../games/answered-pictures'
import { claimForPurchase } from '../../payments/coupons/centre'
import {
  compareByDiscount,
  discountedPrice,
  discountOf,
  ineligibleReason,
  type Purchase,
} from '../../payments/coupons/eligibility'
import { couponsOf, type OwnedCoupon, toUserCoupon } from '../../payments/coupons/user-coupons'
import { pageLink } from '../../shared/page-link'
import { ownOrder } from '../own-order'
import { deliveryDueAt } from '../periods'
import { assertPayable, chooseCoupon, type OrderRow, paymentDeadline, purchaseOf } from './lock-price'

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

/** What the checkout of a manual order says beside the price. */
async function manualQuote(ctx: UserCtx, order: OrderRow, now: number): Promise<Partial<PreOrder>> {
  const { config } = await ctx.repositories.games.find(order.game_id)
  return {
    levels: ctx.settings.manualFen,
    dueAt: deliveryDueAt(now),
    pictures: (await submittedPictures(ctx.db, config, order)).length,
  }
}

/**
 * Price of the order with the chosen coupon (default: the best). Changes nothing but that it claims a coupon if asked to;
 * `lockPrice` applies the price when paying.
 * @throws AppError NOT_FOUND, PAY_CLOSED, ORDER_STATUS_CHANGED, COUPON_NOT_USABLE
 */
export async function quoteOrder(
  ctx: UserCtx,
  mode: 'AI' | 'MANUAL',
  { orderId, couponId, claim = false }: Req<'pay', 'createPre'>,
): Promise<PreOrder> {
  const order = await ownOrder(ctx, orderId)
  if (order.mode !== mode) throw orderNotFound()
  assertPayable(order, ctx.clock.now())
  const purchase = purchaseOf(ctx.settings, order)
  if (claim && couponId === undefined) await claimForPurchase(ctx, purchase)
  const now = ctx.clock.now()
  const held = await couponsOf(ctx.db, ctx.userId)
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
