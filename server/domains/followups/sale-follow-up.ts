/** Sale follow-up (卖出回访): stores what owners report about the sale of a valued account and turns it into sales data. */
import { type Selectable, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { COUPON_RECORDS_PAGE } from '@/contract/pages'
import { DAY_MS } from '@/contract/time'
import type { Req, Res } from '@/contract/types'
import { AppError } from '../../app-error'
import type { UserCtx } from '../../context'
import type { Db } from '../../db/database'
import { FOLLOW_UP_SOURCE, type SaleRow } from '../../db/sales'
import type { SaleFollowups } from '../../db/tables'
import { requirePictures } from '../../providers/storage/port'
import { grantByRule } from '../coupons/grant'
import { withdrawCoupon } from '../coupons/redemption'
import { notify } from '../notifications/send'
import { ownOrder } from '../orders/own-order'
import { isWithin } from '../shared/due'
import { lockName, lockUser } from '../shared/locks'
import { pageLink } from '../shared/page-link'
import { newId } from '../shared/secrets'
import { assertPlausibleSale } from './plausible'
import { acceptOrHold, removeSale, type ScreenedSale, screenReportedSale, stillReported } from './screened-sale'

/** between two sales for which one person is thanked */
const THANKS_PERIOD_MS = 30 * DAY_MS

type Row = Selectable<SaleFollowups>
type FollowUpAnswer = Omit<Req<'sale', 'report'>, 'consent' | 'orderId'>
type FollowUp = Res<'sale', 'followUp'>

/** An own order with its newest report. */
const reportOf = (db: Db, userId: string, orderId: string) =>
  db
    .selectFrom('orders')
    .innerJoin('reports', 'reports.order_id', 'orders.id')
    .select(['orders.id', 'orders.game_id', 'orders.title', 'orders.created_at', 'orders.reported_at'])
    .select(['reports.predict_fen', 'reports.inputs'])
    .where('orders.id', '=', orderId)
    .where('orders.user_id', '=', userId)
    .orderBy('reports.version', 'desc')
    .limit(1)
    .executeTakeFirst()

type Reported = NonNullable<Awaited<ReturnType<typeof reportOf>>>

const find = (db: Db, orderId: string) =>
  db.selectFrom('sale_followups').selectAll().where('order_id', '=', orderId).executeTakeFirst()

const isFinal = (row: Row | undefined): boolean => row?.outcome === 'SOLD' || row?.outcome === 'KEPT'

function toAnswer(row: Row): FollowUp['answer'] {
  if (row.outcome === null || row.told_at === null) return undefined
  return {
    ...{ outcome: row.outcome, platform: row.platform, toldAt: row.told_at },
    ...(row.list_fen !== null && { listFen: row.list_fen }),
    ...(row.listed_at !== null && { listedAt: row.listed_at }),
    ...(row.sold_fen !== null && { soldFen: row.sold_fen }),
    ...(row.sold_at !== null && { soldAt: row.sold_at }),
    ...(row.image !== null && { images: [row.image] }),
  }
}

function toFollowUp(reported: Reported, config: FormConfig, row: Row | undefined): FollowUp {
  const answer = row && toAnswer(row)
  return {
    ...{ orderId: reported.id, gameId: config.gameId, gameName: config.name, title: reported.title },
    ...{ predictFen: reported.predict_fen, reportedAt: reported.reported_at ?? reported.created_at },
    ...(answer && { answer }),
    open: !isFinal(row) || row?.corrected_at === null,
    correction: isFinal(row),
    thanked: row?.outcome === 'SOLD' && row.coupon_id !== null,
  }
}

/** @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED before there is a report */
async function requireReport(db: Db, userId: string, orderId: string): Promise<Reported> {
  const reported = await reportOf(db, userId, orderId)
  if (reported) return reported
  await ownOrder({ db, userId }, orderId)
  throw new AppError('ORDER_STATUS_CHANGED', { msg: '报告出具后才能填写卖出情况' })
}

/** The state of the follow-up of an order. @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED */
export async function followUp(
  { db, games, userId }: UserCtx,
  { orderId }: Req<'sale', 'followUp'>,
): Promise<FollowUp> {
  const reported = await requireReport(db, userId, orderId)
  const { config } = await games.find(reported.game_id)
  return toFollowUp(reported, config, await find(db, orderId))
}

/** Checks an answer without storing it. @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED, VALIDATION_FAILED */
export async function requirePlausible(
  ctx: UserCtx,
  { orderId, ...answer }: Omit<Req<'sale', 'report'>, 'consent'>,
): Promise<void> {
  const reported = await requireReport(ctx.db, ctx.userId, orderId)
  assertPlausibleSale(answer, { predictFen: reported.predict_fen, createdAt: reported.created_at }, ctx.clock.now())
}

const rowOf = ({ outcome, platform = '', listFen, listedAt, soldFen, soldAt, images }: FollowUpAnswer) => ({
  ...{ outcome, platform: platform.trim(), list_fen: listFen ?? null, listed_at: listedAt ?? null },
  ...{ sold_fen: soldFen ?? null, sold_at: soldAt ?? null, image: images?.[0] ?? null },
})

const isSame = (row: Row, answer: FollowUpAnswer): boolean =>
  Object.entries(rowOf(answer)).every(([key, value]) => row[key as keyof Row] === value)

/** The sale or listing described by an answer; undefined when it contains no price information. */
function saleOf(
  answer: FollowUpAnswer,
  now: number,
): Pick<SaleRow, 'kind' | 'priceFen' | 'at' | 'listedAt'> | undefined {
  const { outcome, listFen, listedAt, soldFen, soldAt } = answer
  const listed = listedAt === undefined ? {} : { listedAt }
  if (outcome === 'SOLD' && soldFen !== undefined && soldAt !== undefined)
    return { kind: 'SOLD', priceFen: soldFen, at: soldAt, ...listed }
  // an unsold listing: a censored observation for the model of the time to sell
  return outcome === 'LISTED' && listFen !== undefined
    ? { kind: 'ASKING', priceFen: listFen, at: now, ...listed }
    : undefined
}

/** The reported sale compared with the market; undefined when no price can be learned from it. */
async function screenAnswer(ctx: UserCtx, config: FormConfig, reported: Reported, answer: FollowUpAnswer) {
  const sold = saleOf(answer, ctx.clock.now())
  if (!sold) return undefined
  const as = { source: FOLLOW_UP_SOURCE, externalId: newId(), channel: 'FOLLOW_UP' } as const
  return screenReportedSale(ctx, {
    config,
    answers: reported.inputs.answers,
    userId: ctx.userId,
    sale: { ...sold, ...as },
  })
}

/** SQL over `sale_followups`: the account was not sold after all, and the coupon given for its sale is used. */
const isThankedFalsely = sql<boolean>`(outcome <> 'SOLD' and exists (select from user_coupons c
  where c.coupon_id = sale_followups.coupon_id and c.status in ('LOCKED', 'USED')))`

/** SQL over `sale_followups`: a sale that was told within the period was thanked for. */
const isThankedWithin = (period: number, now: number) =>
  sql<boolean>`(outcome = 'SOLD' and coupon_id is not null and ${isWithin(sql`told_at`, period, now)})`

/**
 * Gives the thank-you coupon for a sale that staff have accepted, because anybody can invent a plausible price: once for an
 * order, and once a month for a person, and never to one who used it for a sale that was none. Another person who reports the same account gets none.
 */
async function thank(tx: Db, orderId: string, sale: Pick<SaleRow, 'fingerprint' | 'reporter'>, now: number) {
  const row = await find(tx, orderId)
  if (!row || row.coupon_id !== null || row.outcome !== 'SOLD') return
  // staff may decide two sales of one person at once
  await lockName(tx, `thanks:${row.user_id}`)
  const recent = await tx
    .selectFrom('sale_followups')
    .select('order_id')
    .where('user_id', '=', row.user_id)
    .where((e) => e.or([isThankedWithin(THANKS_PERIOD_MS, now), isThankedFalsely]))
    .executeTakeFirst()
  if (recent) return
  const other =
    sale.fingerprint !== undefined &&
    (await tx
      .selectFrom('sales')
      .select('id')
      .where('game_id', '=', row.game_id)
      .where('source', '=', FOLLOW_UP_SOURCE)
      .where('fingerprint', '=', sale.fingerprint)
      .where('reporter', 'is distinct from', sale.reporter ?? null)
      .limit(1)
      .executeTakeFirst())
  if (other) return
  const couponId = await grantByRule(tx, 'THANKS', row.user_id, now)
  if (couponId !== undefined)
    await tx.updateTable('sale_followups').set({ coupon_id: couponId }).where('order_id', '=', orderId).execute()
}

/**
 * Takes the thank-you coupon back, as the account was not sold after all.
 * @returns false when it is used already
 */
async function takeThanksBack(tx: Db, couponId: string, userId: string, now: number): Promise<boolean> {
  if (!(await withdrawCoupon(tx, couponId, now))) {
    const used = tx.selectFrom('user_coupons').select('coupon_id').where('coupon_id', '=', couponId)
    return (await used.where('status', 'in', ['LOCKED', 'USED']).executeTakeFirst()) === undefined
  }
  await notify(tx, {
    ...{ userId, type: 'SYSTEM', title: '体验券已收回', now, bizType: 'COUPON', bizId: couponId },
    summary: '您更正了卖出情况：账号没有卖出，为这次成交赠送的体验券已收回',
    link: pageLink(COUPON_RECORDS_PAGE),
  })
  return true
}

/**
 * Stores an owner's report: the first answer, news about a listing, and one correction of a final answer. A plausible
 * price is added to the sales at once; one in doubt, or with a screenshot of the sale, waits for a decision of staff.
 * @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED, VALIDATION_FAILED
 */
export async function reportSale(ctx: UserCtx, req: Req<'sale', 'report'>): Promise<FollowUp> {
  const { orderId, consent: _, ...answer } = req
  const { db, userId, games } = ctx
  const now = ctx.clock.now()
  const reported = await requireReport(db, userId, orderId)
  const { config } = await games.find(reported.game_id)
  assertPlausibleSale(answer, { predictFen: reported.predict_fen, createdAt: reported.created_at }, now)
  await requirePictures(ctx, answer.images ?? [], 'images')
  const screened = await screenAnswer(ctx, config, reported, answer)
  const isCouponLost = await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    return store(tx, { orderId, userId, gameId: config.gameId, answer, screened, now })
  })
  if (isCouponLost) ctx.log.warn({ orderId }, 'a sale that was thanked for was none, and its coupon is used')
  return toFollowUp(reported, config, await find(db, orderId))
}

interface Stored {
  orderId: string
  userId: string
  gameId: string
  answer: FollowUpAnswer
  screened: ScreenedSale | undefined
  now: number
}

/** @returns whether the coupon for a sale that was none is used already */
async function store(tx: Db, { orderId, userId, gameId, answer, screened, now }: Stored): Promise<boolean> {
  await tx
    .insertInto('sale_followups')
    .values({ order_id: orderId, user_id: userId, game_id: gameId })
    .onConflict((c) => c.column('order_id').doNothing())
    .execute()
  const old = await tx
    .selectFrom('sale_followups')
    .selectAll()
    .where('order_id', '=', orderId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  // a retry after a lost response
  if (old.outcome !== null && isSame(old, answer)) return false
  const corrects = isFinal(old)
  if (corrects && old.corrected_at !== null)
    throw new AppError('ORDER_STATUS_CHANGED', { msg: '您已经更正过一次，如需再改请联系客服' })
  const { sale_id: before } = old
  const replaced = before === null ? undefined : await removeSale(tx, { source: FOLLOW_UP_SOURCE, externalId: before })
  const { sold_fen: recordedFen } = await tx
    .selectFrom('orders')
    .select('sold_fen')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  // a sale counts once: the models already learn from what staff have recorded
  const used = recordedFen === null ? await stillReported(tx, orderId, screened) : undefined
  // where the account was kept after all, models must not go on with a price that nobody paid
  const isProven = answer.outcome === 'SOLD' && answer.images !== undefined && answer.images.length > 0
  const verdict = await acceptOrHold(tx, used, { now, corrects: replaced, isProven })
  await tx
    .updateTable('sale_followups')
    .set({ ...rowOf(answer), told_at: now, sale_id: used?.sale.externalId ?? null, verdict })
    .set({ corrected_at: corrects ? now : null })
    .where('order_id', '=', orderId)
    .execute()
  if (answer.outcome === 'SOLD' || old.coupon_id === null) return false
  if (!(await takeThanksBack(tx, old.coupon_id, userId, now))) return true
  // so that a sale that takes place later is thanked for
  await tx.updateTable('sale_followups').set({ coupon_id: null }).where('order_id', '=', orderId).execute()
  return false
}

/** After staff have decided a held sale: the owner who reported it is thanked when it was accepted. */
export async function reviewFollowUp(
  tx: Db,
  sale: Pick<SaleRow, 'externalId' | 'fingerprint' | 'reporter'>,
  decision: 'ACCEPTED' | 'REFUSED',
  now: number,
): Promise<void> {
  const row = await tx
    .updateTable('sale_followups')
    .set({ verdict: decision === 'ACCEPTED' ? 'USED' : 'REFUSED' })
    .where('sale_id', '=', sale.externalId)
    .returning('order_id')
    .executeTakeFirst()
  if (row && decision === 'ACCEPTED') await thank(tx, row.order_id, sale, now)
}

/** Keys of the screenshots that prove sales, by the external id under which the owner's report is stored among the sales. */
export async function saleScreenshots(db: Db, saleIds: readonly string[]): Promise<Map<string, string>> {
  if (saleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('sale_followups')
    .select(['sale_id', 'image'])
    .where('sale_id', 'in', saleIds)
    .where('image', 'is not', null)
    .execute()
  return new Map(rows.flatMap(({ sale_id, image }) => (sale_id !== null && image !== null ? [[sale_id, image]] : [])))
}
