import { sql } from 'kysely'
import { cleanAnswers } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { visibleText } from '@/contract/rules'
import type { Req, Res } from '@/contract/types'
import { AppError, invalid, orderNotFound } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { requirePictures } from '../../providers/storage/port'
import { requireAdult } from '../accounts/real-name'
import { keepsAccount } from '../games/account-identity'
import { requireAnsweredPictures } from '../games/answered-pictures'
import { requireValidAnswers } from '../games/answers'
import { configForMode } from '../games/repository'
import { queuePictures } from '../games/screenshots/tasks'
import { release } from '../payments/coupons/redemption'
import { lockUser } from '../shared/locks'
import { sha256 } from '../shared/secrets'
import { insertOrder, SAME_ORDER_FOR } from './insert-order'
import { logInitialStatus, transitionOrder } from './order-transitions'
import { selectOwnOrder } from './own-order'
import type { OrderRow } from './paying/lock-price'
import { PAYMENT_PERIOD_MS, resumedDueAt, SUPPLY_PERIOD_MS } from './periods'
import { beginRevaluation } from './reviewing/begin-revaluation'
import { requireAskingPrice } from './reviewing/sold-price'

type ManualRequest = Req<'evaluation', 'submitManual'>
type Made = Res<'evaluation', 'submitManual'>

/** unpaid orders per user */
const MAX_UNPAID = 10

const unpaid = (tx: Db, userId: string, now: number) =>
  tx
    .selectFrom('orders')
    .where('user_id', '=', userId)
    .where('mode', '=', 'MANUAL')
    .where('status', '=', 'UNPAID')
    .where('pay_expire_at', '>', now)

async function createOrder(ctx: UserCtx, req: ManualRequest): Promise<Made> {
  await requireAdult(ctx)
  const config = configForMode(await ctx.repositories.games.find(req.gameId), 'MANUAL')
  const answers = requireValidAnswers(config, req, 'MANUAL')
  const images = [...new Set(req.images ?? [])]
  await requirePictures(ctx, images, 'images')
  await requireAnsweredPictures(ctx, config, answers)
  const { level, remark = '' } = req
  if (req.listing) requireAskingPrice(req.listing.askFen)
  const now = ctx.clock.now()
  const requestKey = sha256(JSON.stringify([config.gameId, config.schemaVersion, answers, images, level, remark]))
  return ctx.db.transaction().execute(async (tx) => {
    // concurrent duplicates then find the first one's order
    await lockUser(tx, ctx.userId)
    const same = await unpaid(tx, ctx.userId, now)
      .select(['id', 'origin_fen'])
      .where('request_key', '=', requestKey)
      // the user may have changed the service since
      .where('level', '=', level)
      .where('created_at', '>', now - SAME_ORDER_FOR)
      .executeTakeFirst()
    if (same) return { orderId: same.id, originFen: same.origin_fen }
    const { n } = await unpaid(tx, ctx.userId, now).select(sql<number>`count(*)`.as('n')).executeTakeFirstOrThrow()
    if (n >= MAX_UNPAID)
      throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: `您有 ${n} 个待支付订单，请先支付或取消` })
    const originFen = ctx.settings.manualFen[level]
    const orderId = await insertOrder(tx, {
      ...{ userId: ctx.userId, config, answers, source: 'TYPED', mode: 'MANUAL', status: 'UNPAID', originFen, now },
      ask_fen: req.listing?.askFen ?? null,
      request_key: requestKey,
      manual: { level, images: JSON.stringify(images), remark: remark.trim(), pay_expire_at: now + PAYMENT_PERIOD_MS },
    })
    await logInitialStatus(tx, { orderId, to: 'UNPAID', now, actor: `user:${ctx.userId}` })
    return { orderId, originFen }
  })
}

/** Changes to an order by a later submission: answers replace those of the same key, pictures are added. */
function additions(config: FormConfig, order: OrderRow, req: ManualRequest) {
  const merged = { ...order.answers, ...req.answers }
  const answers =
    Object.keys(req.answers).length === 0
      ? order.answers
      : requireValidAnswers(
          config,
          { schemaVersion: req.schemaVersion, answers: cleanAnswers(config, merged) },
          'MANUAL',
        )
  const images = [...new Set([...order.images, ...(req.images ?? [])])]
  const remark = [order.remark, req.remark?.trim()].filter(Boolean).join('\n')
  return { answers: JSON.stringify(answers), images: JSON.stringify(images), remark }
}

/**
 * Adds pictures to an unpaid order, or changes its service as long as no payment with the old price was begun. Pictures
 * leave the service as it is: the page that sends them may have been opened before another one changed it.
 */
async function changeUnpaid(
  tx: Db,
  { settings }: UserCtx,
  order: OrderRow,
  req: ManualRequest,
  now: number,
): Promise<Made> {
  if ((order.pay_expire_at ?? 0) <= now) throw new AppError('PAY_CLOSED')
  if (req.images?.length) {
    const images = [...new Set([...order.images, ...req.images])]
    await tx
      .updateTable('orders')
      .set({ images: JSON.stringify(images) })
      .where('id', '=', order.id)
      .execute()
  }
  if (req.images?.length || req.level === order.level) return { orderId: order.id, originFen: order.origin_fen }
  const begun = await tx
    .selectFrom('payments')
    .select('id')
    .where('order_id', '=', order.id)
    .where('status', 'in', ['CREATED', 'CLOSING'])
    .executeTakeFirst()
  if (begun) throw new AppError('ORDER_STATUS_CHANGED', { msg: '已发起支付，如需更换服务请取消后重新下单' })
  const originFen = settings.manualFen[req.level]
  await release(tx, { orderId: order.id, now })
  const price = { origin_fen: originFen, discount_fen: 0, pay_fen: originFen, coupon_id: null }
  await tx
    .updateTable('orders')
    .set({ level: req.level, ...price })
    .where('id', '=', order.id)
    .execute()
  return { orderId: order.id, originFen }
}

/** Time limits of an order whose requested information was supplied. */
const resumed = ({ due_at, info_due_at }: { due_at: number | null; info_due_at: number | null }, now: number) => ({
  due_at: resumedDueAt({ dueAt: due_at ?? now, requestedAt: (info_due_at ?? now) - SUPPLY_PERIOD_MS }, now),
  reassigned_at: null,
})

/** @throws AppError VALIDATION_FAILED without a reason */
function revaluationText({ remark = '' }: ManualRequest): string {
  if (visibleText(remark) === '') throw invalid([{ path: 'remark', msg: '请写明复估的原因' }])
  return remark.trim()
}

/**
 * Continues an existing order: pictures or another service before payment, requested information, or the one free
 * revaluation. The form has its pictures read before it is sent; those that come later are queued here.
 */
async function continueOrder(ctx: UserCtx, req: ManualRequest, orderId: string): Promise<Made> {
  const now = ctx.clock.now()
  const { userId } = ctx
  const { config } = await ctx.repositories.games.find(req.gameId)
  await requirePictures(ctx, req.images ?? [], 'images')
  await requireAnsweredPictures(ctx, config, req.answers)
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const order = await selectOwnOrder(tx, userId, orderId)
      .selectAll()
      .where('game_id', '=', req.gameId)
      .where('mode', '=', 'MANUAL')
      .forUpdate()
      .executeTakeFirstOrThrow(orderNotFound)
    const keys = (req.images ?? []).filter((key) => !order.images.includes(key))
    if (keys.length > 0 && ctx.settings.ocr !== 'off')
      await queuePictures(tx, { userId, gameId: config.gameId, keys, now })
    if (order.status === 'UNPAID') return changeUnpaid(tx, ctx, order, req, now)
    const actor = `user:${userId}` as const
    const added = additions(config, order, req)
    // answers may be corrected and completed, but a different account is not valued for the same fee, nor in several steps
    const paidAnswers = order.paid_answers ?? order.answers
    const answers = JSON.parse(added.answers) as Answers
    if (![paidAnswers, order.answers].every((before) => keepsAccount(config, before, answers))) {
      const what = order.status === 'REPORTED' ? '复估只针对原来的账号' : '只能补充原来的账号'
      throw invalid([{ path: 'answers', msg: `${what}，估另一个账号请重新下单` }])
    }
    const patch = { ...added, paid_answers: JSON.stringify(paidAnswers) }
    const moved =
      order.status === 'WAIT_INFO'
        ? await transitionOrder(tx, {
            orderId,
            from: 'WAIT_INFO',
            to: 'ASSIGNED',
            now,
            actor,
            patch: { ...patch, ...resumed(order, now), info_wanted: null, info_due_at: null },
            only: sql<boolean>`info_due_at > ${now}::bigint`,
          })
        : order.status === 'REPORTED' &&
          !order.revalued &&
          (await beginRevaluation(tx, {
            ...{ orderId, now, actor, text: revaluationText(req) },
            // the request's text is what was said with it
            patch: { ...patch, remark: order.remark },
          }))
    if (!moved) throw new AppError('ORDER_STATUS_CHANGED')
    return { orderId, originFen: order.origin_fen }
  })
}

/**
 * A manual valuation: a new order, or with `orderId` the next step of one. Idempotent for ten minutes.
 * @throws AppError REALNAME_REQUIRED, MINOR_NOT_ALLOWED, NOT_FOUND, GAME_OFFLINE, FORM_CHANGED, VALIDATION_FAILED,
 * ORDER_STATUS_CHANGED, PAY_CLOSED
 */
export const submitManual = (ctx: UserCtx, req: ManualRequest): Promise<Made> =>
  req.orderId ? continueOrder(ctx, req, req.orderId) : createOrder(ctx, req)
