import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { OrderStatus } from '@/contract/orderStatus'
import { AppError } from '../core/app-error'
import type { Db } from '../db/database'
import { questionsOf } from '../domains/chat/desk'
import { submittedPictures } from '../domains/games/answered-pictures'
import { isShown, readingsOf } from '../domains/games/shown-answers'
import { isModelPending } from '../domains/models/repository'
import { refundable } from '../domains/orders/appraising/admin-actions'
import { appraisalsOf } from '../domains/orders/appraising/appraisals'
import { type ModelValuation, modelValuation } from '../domains/orders/appraising/appraiser-actions'
import {
  AWAITING_PRICE,
  type BlindEstimate,
  blindEstimateOf,
  isUnaccepted,
} from '../domains/orders/appraising/blind-estimates'
import type { OrderRow } from '../domains/orders/paying/lock-price'
import type { Appraisal } from '../domains/reports/appraised-price'
import { reportBody } from '../domains/reports/store'
import type { DeskContext } from './auth'
import { answeredBy, visibleOrders } from './visibility'

/** @throws AppError NOT_FOUND, also for an order assigned to another appraiser */
async function findOrder({ deps, staff }: DeskContext, orderId: string) {
  const row = await deps.db
    .selectFrom('orders')
    .innerJoin('users', 'users.id', 'orders.user_id')
    .selectAll('orders')
    .select(['users.nickname', isUnaccepted.as('unaccepted')])
    // whether there are questions on it and this member is to answer them
    .select(
      sql<boolean>`(${answeredBy(staff)} and exists (select from chat_messages m where m.order_id = orders.id))`.as(
        'answer',
      ),
    )
    .where('orders.id', '=', orderId)
    .where(visibleOrders(staff))
    .executeTakeFirst()
  if (!row) throw await hiddenOrder(deps.db, orderId, staff.staffId)
  return row
}

/** Why an order is not shown. Somebody who has begun to value it is told that it was handed on. */
async function hiddenOrder(db: Db, orderId: string, staffId: string): Promise<AppError> {
  const { firstAt, draftAt } = await blindEstimateOf(db, orderId, staffId)
  const begun = firstAt !== null || draftAt !== null
  return new AppError('NOT_FOUND', { msg: begun ? '订单已转给其他估价师' : '没有这个订单，或者它由其他估价师处理' })
}

/** The model's valuation; PENDING while the first model is being trained. */
const modelValuationOf = ({ deps, now }: DeskContext, order: OrderRow) =>
  modelValuation(deps, order, now).catch((e: unknown) => {
    if (isModelPending(e)) return 'PENDING' as const
    throw e
  })

/** Loads everything the order page shows. @throws AppError NOT_FOUND */
export async function loadOrder(ctx: DeskContext, orderId: string) {
  const { deps, now } = ctx
  const order = await findOrder(ctx, orderId)
  const { config } = await deps.repositories.games.find(order.game_id)
  const [reports, valuation, keys] = await Promise.all([
    deps.db
      .selectFrom('reports')
      .select(['report_no', 'version', 'predict_fen', 'created_at', 'body'])
      .where('order_id', '=', orderId)
      .orderBy('version', 'desc')
      .execute(),
    modelValuationOf(ctx, order),
    submittedPictures(deps.db, config, order),
  ])
  const pictures = await Promise.all(keys.map((key) => deps.providers.storage.readUrl(key, now)))
  const computed = valuation === 'PENDING' ? undefined : valuation
  const versions = reports.map(({ body, ...report }) => {
    const made = reportBody({ body })
    return 'appraiser' in made
      ? { ...report, appraiser: made.appraiser, others: made.others }
      : { ...report, appraiser: undefined, others: [] }
  })
  const appraisals = await appraisalsGiven(ctx, order)
  const estimate = await blindEstimateOf(deps.db, orderId, ctx.staff.staffId)
  const questions = await questionsOf(deps.db, orderId)
  const hidden = isModelHidden(order, estimate)
  const model = {
    // the page must not contain the model's price before the appraiser's own blind estimate
    valued: hidden ? undefined : computed,
    evidence: hidden && computed ? evidenceOf(computed) : undefined,
    modelPending: valuation === 'PENDING',
  }
  return {
    order,
    config,
    versions,
    ...model,
    pictures,
    read: await readOnPictures(ctx, order, config, keys),
    appraisals,
    questions,
    estimate,
    may: permissions(order, ctx, appraisals, estimate),
    now,
  }
}

/**
 * Whether a manual order's model price is still hidden from this appraiser: until the own estimate or the delivered
 * report, also while the order is unpaid or its refund is decided, after which it may be valued.
 */
const isModelHidden = ({ mode, status, reported_at }: OrderRow, { firstFen }: BlindEstimate): boolean =>
  mode === 'MANUAL' && firstFen === null && (reported_at === null || AWAITING_PRICE.includes(status))

/** What was recognised on the order's pictures, by field: on which picture, and whether it is the answer. */
async function readOnPictures({ deps }: DeskContext, order: OrderRow, config: FormConfig, keys: readonly string[]) {
  const readings = await readingsOf(deps.db, { userId: order.user_id, gameId: order.game_id })
  return config.fields.flatMap((field) => {
    for (const { answers, sources } of readings) {
      const source = sources.find(({ field: of, key }) => of === field.key && keys.includes(key))
      const answer = answers[field.key]
      if (!source || answer === undefined) continue
      const agrees = isShown(config, field.key, order.answers[field.key], answer)
      return [{ field, answer, picture: keys.indexOf(source.key) + 1, agrees }]
    }
    return []
  })
}

/** The view of an order before the own blind estimate: the lines without amounts, sales at their own prices, risks. */
const evidenceOf = ({ breakdown, comparables, risk }: ModelValuation) => ({
  lines: breakdown.map(({ label }) => label),
  comparables: comparables
    .map(({ kind, priceFen, at, diff }) => ({ kind, priceFen, at, diff }))
    .sort((a, b) => b.at - a.at),
  facts: risk.facts,
})

/** Appraisals given so far of an expert order. */
const appraisalsGiven = ({ deps: { db } }: DeskContext, { id, level, status }: OrderRow): Promise<Appraisal[]> =>
  level === 'PRO' && status === 'ASSIGNED' ? appraisalsOf(db, id, 1) : Promise.resolve([])

/** Actions this member may take on the order now. @param appraisals given so far on an expert order */
function permissions(
  order: OrderRow & { unaccepted: boolean; answer: boolean },
  { staff }: DeskContext,
  appraisals: readonly Appraisal[],
  { firstFen }: BlindEstimate,
) {
  const { mode, appraiser_id, refund_due_at, unaccepted } = order
  const status = order.status as OrderStatus
  const [admin, manual] = [staff.role === 'ADMIN', mode === 'MANUAL']
  const hasAppraised = appraisals.some(({ staffId }) => staffId === staff.staffId)
  const isOwn = appraiser_id === staff.staffId
  // an expert order needs two, who may work at the same time, and another if they differ
  const mayValue = order.level === 'PRO' ? appraisals.length < 2 || !hasAppraised : isOwn || admin
  // whoever begins an order that was given to somebody else takes it first
  const givenAway = unaccepted && !isOwn
  // a revaluation may be delivered by another appraiser
  const values = (status === 'ASSIGNED' && !givenAway && mayValue) || (status === 'REVALUING' && manual)
  const money = order.pay_status === 'PAID' && (manual || order.pay_fen > 0)
  return {
    givenAway,
    take: manual && (status === 'PAID' || unaccepted),
    ask: status === 'ASSIGNED' && values,
    ...{ first: values && firstFen === null, deliver: values && firstFen !== null },
    refund: admin && status === 'REFUNDING' && refund_due_at !== null,
    giveBack: admin && money && refundable[mode].includes(status),
    sold: admin && order.reported_at !== null,
    answer: order.answer,
  }
}

/** Actions this member may take on an order now. @throws AppError NOT_FOUND */
export async function allowedActions(ctx: DeskContext, orderId: string) {
  const order = await findOrder(ctx, orderId)
  const estimate = await blindEstimateOf(ctx.deps.db, orderId, ctx.staff.staffId)
  const appraisals = await appraisalsGiven(ctx, order)
  return permissions(order, ctx, appraisals, estimate)
}

export type LoadedOrder = Awaited<ReturnType<typeof loadOrder>>
