/** Sale follow-up (卖出回访): stores what owners report about the sale of a valued account and turns it into sales data. */
import type { Selectable } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Req, Res } from '@/contract/types'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { SaleFollowups } from '../../../db/tables'
import { requirePictures } from '../../../providers/storage/port'
import { type ReportedOrder, requirePlausible, requireReport } from '../../orders/reviewing/sold-price'
import { grantByRule } from '../../payments/coupons/grant'
import { lockUser } from '../../shared/locks'
import { omitNulls } from '../../shared/omit-nulls'
import { replaceOrderSale, screenOrderSale } from './order-sale'

type Row = Selectable<SaleFollowups>
type FollowUpAnswer = Omit<Req<'sale', 'report'>, 'consent' | 'orderId'>
type FollowUp = Res<'sale', 'followUp'>

const find = (db: Db, orderId: string) =>
  db.selectFrom('sale_followups').selectAll().where('order_id', '=', orderId).executeTakeFirst()

function toFollowUp(reported: ReportedOrder, config: FormConfig, row: Row | undefined): FollowUp {
  const answer = row && {
    ...{ outcome: row.outcome, platform: row.platform, toldAt: row.told_at },
    ...omitNulls({ listFen: row.list_fen, listedAt: row.listed_at, soldFen: row.sold_fen, soldAt: row.sold_at }),
    ...(row.image !== null && { images: [row.image] }),
  }
  return {
    ...{ orderId: reported.id, gameId: config.gameId, gameName: config.name, title: reported.title },
    ...{ predictFen: reported.predict_fen, reportedAt: reported.reported_at ?? reported.created_at },
    ...(answer && { answer }),
    thanked: row !== undefined && row.coupon_id !== null,
  }
}

/** The state of the follow-up of an order. @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED */
export async function followUp({ db, repositories: { games }, userId }: UserCtx, { orderId }: Req<'sale', 'followUp'>) {
  const reported = await requireReport(db, userId, orderId)
  const { config } = await games.find(reported.game_id)
  return toFollowUp(reported, config, await find(db, orderId))
}

const rowOf = ({ outcome, platform = '', listFen, listedAt, soldFen, soldAt, images }: FollowUpAnswer) => ({
  ...{ outcome, platform: platform.trim(), list_fen: listFen ?? null, listed_at: listedAt ?? null },
  ...{ sold_fen: soldFen ?? null, sold_at: soldAt ?? null, image: images?.[0] ?? null },
})

const isSame = (row: Row, answer: FollowUpAnswer): boolean =>
  Object.entries(rowOf(answer)).every(([key, value]) => row[key as keyof Row] === value)

/** The sale or listing described by an answer; undefined when it contains no price information. */
function saleOf({ outcome, listFen, listedAt, soldFen, soldAt }: FollowUpAnswer, now: number) {
  const told = { channel: 'FOLLOW_UP' as const, ...(listedAt !== undefined && { listedAt }) }
  if (outcome === 'SOLD' && soldFen !== undefined && soldAt !== undefined)
    return { ...told, kind: 'SOLD' as const, priceFen: soldFen, at: soldAt }
  // an unsold listing: a censored observation for the model of the time to sell
  if (outcome === 'LISTED' && listFen !== undefined)
    return { ...told, kind: 'ASKING' as const, priceFen: listFen, at: now }
  return undefined
}

/**
 * Gives the owner of a held sale that staff have accepted the thank-you coupon, once for an order. A sale that nobody has
 * looked at earns none, because anybody can invent a plausible price. The coupon stays theirs, whatever they answer later.
 */
export async function thankFor(tx: Db, saleId: string, now: number): Promise<void> {
  const row = await tx.selectFrom('sale_followups').selectAll().where('sale_id', '=', saleId).executeTakeFirst()
  if (!row || row.coupon_id !== null || row.outcome !== 'SOLD') return
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
  const { db, userId } = ctx
  const { games } = ctx.repositories
  const now = ctx.clock.now()
  const reported = await requirePlausible(ctx, { orderId, ...answer })
  const { config } = await games.find(reported.game_id)
  await requirePictures(ctx, answer.images ?? [], 'images')
  const sale = saleOf(answer, now)
  const { answers } = reported.inputs
  const screened = sale && (await screenOrderSale(ctx, { config, answers, userId, sale }))
  await db.transaction().execute(async (tx) => {
    // of answers that arrive together one is the first
    await lockUser(tx, userId)
    const old = await find(tx, orderId)
    // a retry after a lost response
    if (old && isSame(old, answer)) return
    const order = tx.selectFrom('orders').select('sold_fen').where('id', '=', orderId)
    // a sale counts once: the models already learn from what staff have recorded
    const used = (await order.executeTakeFirstOrThrow()).sold_fen === null ? screened : undefined
    const isProven = answer.outcome === 'SOLD' && (answer.images ?? []).length > 0
    const held = used && isProven ? { reason: 'PROOF' as const, ...used } : used
    const sale_id = await replaceOrderSale(tx, { orderId, channel: 'FOLLOW_UP', screened: held, now })
    const row = { ...rowOf(answer), told_at: now, sale_id }
    await tx
      .insertInto('sale_followups')
      .values({ order_id: orderId, user_id: userId, game_id: config.gameId, ...row })
      .onConflict((c) => c.column('order_id').doUpdateSet(row))
      .execute()
  })
  return toFollowUp(reported, config, await find(db, orderId))
}
