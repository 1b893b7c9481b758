/** Sale follow-up (卖出回访): stores what owners report about the sale of a valued account and turns it into sales data. */
import { type Selectable, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { Req, Res } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import type { Db } from '../../db/database'
import type { SaleRow, ScreenedSale } from '../../db/sales'
import type { SaleFollowups } from '../../db/tables'
import { requirePictures } from '../../providers/storage/port'
import { grantByRule } from '../coupons/grant'
import { ownOrder } from '../orders/own-order'
import { isWithin } from '../shared/due'
import { lockName, lockUser } from '../shared/locks'
import { omitNulls } from '../shared/omit-nulls'
import { replaceOrderSale, screenOrderSale } from './order-sale'
import { assertPlausibleSale } from './plausible'

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

const toAnswer = (row: Row): FollowUp['answer'] => ({
  ...{ outcome: row.outcome, platform: row.platform, toldAt: row.told_at },
  ...omitNulls({ listFen: row.list_fen, listedAt: row.listed_at, soldFen: row.sold_fen, soldAt: row.sold_at }),
  ...(row.image !== null && { images: [row.image] }),
})

function toFollowUp(reported: Reported, config: FormConfig, row: Row | undefined): FollowUp {
  return {
    ...{ orderId: reported.id, gameId: config.gameId, gameName: config.name, title: reported.title },
    ...{ predictFen: reported.predict_fen, reportedAt: reported.reported_at ?? reported.created_at },
    ...(row && { answer: toAnswer(row) }),
    thanked: row !== undefined && row.coupon_id !== null,
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

/** SQL over `sale_followups`: a sale that was told within the period was thanked for. */
const isThankedWithin = (period: number, now: number) =>
  sql<boolean>`(coupon_id is not null and ${isWithin(sql`told_at`, period, now)})`

/**
 * After staff have accepted a held sale: gives its owner the thank-you coupon, once for an order and once a month for a
 * person. Not before, because anybody can invent a plausible price. It stays theirs, whatever they answer later.
 */
export async function thankFor(tx: Db, saleId: string, now: number): Promise<void> {
  const row = await tx.selectFrom('sale_followups').selectAll().where('sale_id', '=', saleId).executeTakeFirst()
  if (!row || row.coupon_id !== null || row.outcome !== 'SOLD') return
  // staff may decide two sales of one person at once
  await lockName(tx, `thanks:${row.user_id}`)
  const recent = await tx
    .selectFrom('sale_followups')
    .select('order_id')
    .where('user_id', '=', row.user_id)
    .where(isThankedWithin(THANKS_PERIOD_MS, now))
    .executeTakeFirst()
  if (recent) return
  const couponId = await grantByRule(tx, 'THANKS', row.user_id, now)
  if (couponId !== undefined)
    await tx.updateTable('sale_followups').set({ coupon_id: couponId }).where('order_id', '=', row.order_id).execute()
}

/**
 * Stores an owner's report, the newest of which counts. A plausible price is added to the sales at once; one in doubt, or
 * with a screenshot of the sale, waits for a decision of staff.
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
  const sale = saleOf(answer, now)
  const told = sale && { ...sale, channel: 'FOLLOW_UP' as const }
  const screened =
    told && (await screenOrderSale(ctx, { config, answers: reported.inputs.answers, userId, sale: told }))
  await db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    await store(tx, { orderId, userId, gameId: config.gameId, answer, screened, now })
  })
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

async function store(tx: Db, { orderId, userId, gameId, answer, screened, now }: Stored): Promise<void> {
  // under the lock of the owner: of answers that arrive together one is the first
  const old = await find(tx, orderId)
  // a retry after a lost response
  if (old && isSame(old, answer)) return
  const { sold_fen: recordedFen } = await tx
    .selectFrom('orders')
    .select('sold_fen')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  // a sale counts once: the models already learn from what staff have recorded
  const used = recordedFen === null ? screened : undefined
  const isProven = answer.outcome === 'SOLD' && (answer.images ?? []).length > 0
  const sale = used && isProven ? { reason: 'PROOF' as const, ...used } : used
  const sale_id = await replaceOrderSale(tx, { orderId, channel: 'FOLLOW_UP', screened: sale, now })
  const row = { ...rowOf(answer), told_at: now, sale_id }
  await tx
    .insertInto('sale_followups')
    .values({ order_id: orderId, user_id: userId, game_id: gameId, ...row })
    .onConflict((c) => c.column('order_id').doUpdateSet(row))
    .execute()
}
