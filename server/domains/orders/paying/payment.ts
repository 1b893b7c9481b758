import type { Req, Res } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import {
  type PaymentStart,
  type ProviderName,
  ProviderRejected,
  ProviderUnavailable,
} from '../../../providers/pay/port'
import { rejectMinor, requireAdult } from '../../accounts/real-name'
import { payerOf } from '../../payments/payer'
import { FIRST_QUERY_DELAY_MS, queryPayment } from '../../payments/query-payments'
import { type Payment, recordPayment } from '../../payments/settle-payment'
import { lockUser } from '../../shared/locks'
import { newId } from '../../shared/secrets'
import { ownOrder } from '../own-order'
import { assertPayable, type LockedPrice, lockPrice } from './lock-price'
import { providerFor, returnUrlOf } from './payment-methods'
import { quoteOrder } from './quote'

type PaymentRequest = Req<'pay', 'payment'>

/** Attempts to clear earlier payments: another device of the user may begin one concurrently. */
const MAX_ATTEMPTS = 3

const busy = () => new AppError('SERVICE_UNAVAILABLE', { msg: '支付渠道繁忙，请稍后再试' })

const unfinishedAttempts = (db: Db, { userId }: UserCtx, orderId: string): Promise<Payment[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['CREATED', 'CLOSING'])
    .orderBy('created_at', 'desc')
    .execute()

/**
 * Ends earlier payments that must not succeed beside the new one. One that has succeeded settles the order.
 * @throws AppError SERVICE_UNAVAILABLE while the provider does not answer
 */
async function clear(ctx: UserCtx, attempts: readonly Payment[]): Promise<void> {
  for (const attempt of attempts) {
    const result = await queryPayment(ctx, { ...attempt, status: 'CLOSING' }, ctx.clock.now())
    if (!result) throw busy()
  }
}

interface Terms {
  mode: 'AI' | 'MANUAL'
  coupon: string | undefined
  adult: AppError | undefined
  /** ms: when the buyer agreed that there is no refund */
  agreedAt: number | null
  openid: string | null
}

async function insert(tx: Db, ctx: UserCtx, request: PaymentRequest, price: LockedPrice, terms: Terms, now: number) {
  const free = price.payFen === 0
  const provider: ProviderName | 'none' = free ? 'none' : providerFor(ctx, request, price.payFen)
  return tx
    .insertInto('payments')
    .values({
      id: newId(),
      order_id: request.orderId,
      user_id: ctx.userId,
      pay_type: request.payType,
      provider,
      amount_fen: price.payFen,
      coupon_id: price.couponId ?? null,
      openid: terms.openid,
      return_url: returnUrlOf(ctx, request.returnUrl, request.orderId),
      origin: ctx.origin,
      status: 'CREATED',
      txn: null,
      created_at: now,
      expire_at: price.payExpireAt,
      paid_at: null,
      asked_at: null,
      next_ask_at: free ? null : now + FIRST_QUERY_DELAY_MS,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Price, coupon and payment in one transaction. Returns undefined when a concurrent payment was begun. */
async function begin(ctx: UserCtx, request: PaymentRequest, terms: Terms): Promise<Payment | undefined> {
  const now = ctx.clock.now()
  const { userId } = ctx
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    // checked before the price is locked: the other payment must keep its amount
    if ((await unfinishedAttempts(tx, ctx, request.orderId)).length > 0) return undefined
    const price = await lockPrice(tx, ctx.settings, { userId, orderId: request.orderId, couponId: terms.coupon, now })
    if (terms.adult && (price.payFen > 0 || price.order.mode === 'MANUAL')) throw terms.adult
    const payment = await insert(tx, ctx, request, price, terms, now)
    const change = { pay_type: request.payType, agreed_at: terms.agreedAt }
    await tx.updateTable('orders').set(change).where('id', '=', request.orderId).execute()
    // there is nothing to pay, so no provider is involved
    if (price.payFen === 0) {
      const trade = { state: 'PAID' as const, txn: payment.id, amountFen: 0 }
      if ((await recordPayment(tx, ctx, payment, trade, 0, now)) !== 'SETTLED')
        throw new AppError('ORDER_STATUS_CHANGED')
    }
    return payment
  })
}

/** Makes the checks of `begin` without changing anything. */
async function check(ctx: UserCtx, request: PaymentRequest, { adult, mode, agreedAt }: Terms): Promise<void> {
  const { orderId, couponId } = request
  const { payFen } = await quoteOrder(ctx, mode, { orderId, ...(couponId !== undefined && { couponId }) })
  if (adult && (payFen > 0 || mode === 'MANUAL')) throw adult
  if (agreedAt === null) throw invalid([{ path: 'consent', msg: '请先同意退款规则' }])
  if (payFen > 0) providerFor(ctx, request, payFen)
}

/** The open payment of an identical request, or a new one. */
async function attemptFor(ctx: UserCtx, request: PaymentRequest, terms: Terms): Promise<Payment> {
  for (let n = 0; n < MAX_ATTEMPTS; n += 1) {
    const unfinished = await unfinishedAttempts(ctx.db, ctx, request.orderId)
    const [newest] = unfinished
    const coupon = request.couponId ?? (newest ? (newest.coupon_id ?? '') : undefined)
    const same = unfinished.find(
      (a) =>
        a.status === 'CREATED' &&
        a.pay_type === request.payType &&
        (a.coupon_id ?? '') === coupon &&
        a.openid === terms.openid &&
        a.expire_at > ctx.clock.now(),
    )
    // validate the whole request before an earlier payment is ended
    await check(ctx, { ...request, ...(coupon !== undefined && { couponId: coupon }) }, terms)
    await clear(
      ctx,
      unfinished.filter((a) => a !== same),
    )
    if (same) return same
    const made = await begin(ctx, request, { ...terms, coupon })
    if (made) return made
  }
  throw busy()
}

/** The provider rejects the payment: it may be paid already; otherwise the next attempt gets a new number. */
async function refused(ctx: UserCtx, payment: Payment, err: ProviderRejected): Promise<AppError> {
  ctx.log.warn({ err, payment: payment.id }, 'a provider does not take a payment')
  await queryPayment(ctx, { ...payment, status: 'CLOSING' }, ctx.clock.now())
  return new AppError('SERVICE_UNAVAILABLE', { msg: '这种支付方式暂时无法下单，请换一种或稍后再试' })
}

async function startAtProvider(
  ctx: UserCtx,
  payment: Payment,
  title: string,
  sessionKey: string | undefined,
): Promise<PaymentStart> {
  const { id, provider, openid } = payment
  if (provider === 'none') return {}
  try {
    return await (await ctx.providers.pay.get(provider)).create({
      outTradeNo: id,
      payType: payment.pay_type,
      amountFen: payment.amount_fen,
      title,
      // the sandbox may have moved our clock ahead of the provider's
      expireAt: payment.expire_at - ctx.clock.now() + ctx.clock.realNow(),
      origin: payment.origin,
      returnUrl: payment.return_url,
      ip: ctx.ip,
      ...(openid !== null && { openid }),
      ...(sessionKey !== undefined && { sessionKey }),
    })
  } catch (err) {
    if (err instanceof ProviderRejected) throw await refused(ctx, payment, err)
    if (!(err instanceof ProviderUnavailable)) throw err
    ctx.log.warn({ err, payment: id }, 'a provider could not be reached')
    throw busy()
  }
}

/**
 * Begins a payment: locks price and coupon, and returns what the client needs to open the payment page. An order that
 * costs nothing is settled at once and the response is empty. An identical request continues the same payment; a
 * different one first ends the earlier payment, so that nobody pays twice.
 * @throws AppError NOT_FOUND, REALNAME_REQUIRED, MINOR_NOT_ALLOWED, PAY_CLOSED, ORDER_STATUS_CHANGED,
 * COUPON_NOT_USABLE, VALIDATION_FAILED (pay type, return address, no consent), SERVICE_UNAVAILABLE
 */
export async function pay(ctx: UserCtx, request: PaymentRequest): Promise<Res<'pay', 'payment'>> {
  const order = await ownOrder(ctx, request.orderId)
  // a payment begun before the order was cancelled must not be continued
  assertPayable(order, ctx.clock.now())
  returnUrlOf(ctx, request.returnUrl, request.orderId)
  // a free order needs no identity check; a manual one does, and known minors may not pay for anything
  const adult = await (order.mode === 'MANUAL' ? requireAdult : rejectMinor)(ctx).then(
    () => undefined,
    (e: unknown) => {
      if (e instanceof AppError) return e
      throw e
    },
  )
  const payer = await payerOf(ctx, request)
  const payment = await attemptFor(ctx, request, {
    mode: order.mode,
    coupon: request.couponId,
    adult,
    agreedAt: request.consent ? ctx.clock.now() : order.agreed_at,
    openid: payer.openid ?? null,
  })
  return startAtProvider(ctx, payment, order.title.slice(0, 42), payer.sessionKey)
}
