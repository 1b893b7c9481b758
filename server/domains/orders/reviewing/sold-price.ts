import { sql } from 'kysely'
import { ACCOUNT_PRICE } from '@/contract/constants'
import { DAY_MS } from '@/contract/time'
import type { Req } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { ownOrder } from '../own-order'

/** a price this many times above or below the report's is probably off by a digit */
const TYPO_RATIO = 10

export interface Sale {
  soldFen: number
  /** first ms of the day, China time */
  soldAt: number
}

/** Why a price is implausible. @param name of the price @param predictFen of the latest report */
function priceIssue(name: string, fen: number, predictFen: number): string | undefined {
  if (fen < ACCOUNT_PRICE.min || fen > ACCOUNT_PRICE.max) return `${name}为 1 元至 1000 万元`
  if (fen > predictFen * TYPO_RATIO || fen * TYPO_RATIO < predictFen)
    return `${name}与报告价格相差超过 ${TYPO_RATIO} 倍，请核对是否多填或少填了 0`
  return undefined
}

/** An order with its newest report. */
export const reportedOrder = (db: Db, orderId: string) =>
  db
    .selectFrom('orders')
    .innerJoin('reports', 'reports.order_id', 'orders.id')
    .select(['orders.id', 'orders.user_id', 'orders.game_id', 'orders.title', 'orders.created_at'])
    .select(['orders.reported_at', 'reports.predict_fen', 'reports.inputs'])
    .where('orders.id', '=', orderId)
    .orderBy('reports.version', 'desc')
    .limit(1)

export type ReportedOrder = Awaited<ReturnType<typeof requireReport>>

/** @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED before there is a report */
export async function requireReport(db: Db, userId: string, orderId: string) {
  const reported = await reportedOrder(db, orderId).where('orders.user_id', '=', userId).executeTakeFirst()
  if (reported) return reported
  await ownOrder({ db, userId }, orderId)
  throw new AppError('ORDER_STATUS_CHANGED', { msg: '报告出具后才能填写卖出情况' })
}

/** a listing older than this before the report says nothing about today's market */
const OLDEST_LISTING = 365 * DAY_MS

/** @throws AppError VALIDATION_FAILED with every issue of the answer */
function assertPlausibleSale(
  { outcome, listFen, listedAt, soldFen, soldAt }: Omit<Req<'sale', 'report'>, 'consent' | 'orderId'>,
  { predict_fen: predictFen, created_at: createdAt }: Pick<ReportedOrder, 'predict_fen' | 'created_at'>,
  now: number,
): void {
  const isSold = outcome === 'SOLD'
  const isListed = outcome === 'LISTED'
  const issues: [path: string, msg: string | undefined | false][] = [
    ['soldFen', isSold && soldFen === undefined && '请填写成交价'],
    ['soldFen', soldFen !== undefined && priceIssue('成交价', soldFen, predictFen)],
    ['soldFen', !isSold && soldFen !== undefined && '只有已卖出时才填成交价'],
    ['soldAt', isSold && soldAt === undefined && '请选择成交日期'],
    ['soldAt', soldAt !== undefined && soldAt > now && '成交日期不能晚于今天'],
    ['soldAt', soldAt !== undefined && soldAt + DAY_MS <= createdAt && '成交日期不能早于估价'],
    ['listFen', isListed && listFen === undefined && '请填写挂牌价'],
    ['listFen', listFen !== undefined && priceIssue('挂牌价', listFen, predictFen)],
    ['listedAt', isListed && listedAt === undefined && '请选择挂牌日期'],
    ['listedAt', listedAt !== undefined && listedAt > (soldAt ?? now) && '挂牌日期不能晚于成交或今天'],
    ['listedAt', listedAt !== undefined && listedAt < createdAt - OLDEST_LISTING && '挂牌日期太早，请核对'],
  ]
  const found = issues.flatMap(([path, msg]) => (msg ? [{ path, msg }] : []))
  if (found.length > 0) throw invalid(found)
}

/** Checks an answer about the account of an order. @throws AppError NOT_FOUND, ORDER_STATUS_CHANGED, VALIDATION_FAILED */
export async function requirePlausible(
  { db, userId, clock }: UserCtx,
  { orderId, ...answer }: Omit<Req<'sale', 'report'>, 'consent'>,
): Promise<ReportedOrder> {
  const reported = await requireReport(db, userId, orderId)
  assertPlausibleSale(answer, reported, clock.now())
  return reported
}

/**
 * Stores the price at which the account of an order was really sold, or removes it. The caller stores it for training.
 * @param sale undefined: removes it
 * @returns false when nothing changed
 * @throws AppError ORDER_STATUS_CHANGED: no report; VALIDATION_FAILED
 */
export async function storeSoldPrice(tx: Db, orderId: string, sale: Sale | undefined, now: number): Promise<boolean> {
  const order = await tx
    .selectFrom('orders')
    .select(['created_at', 'sold_fen', 'sold_at'])
    .select((e) =>
      e
        .selectFrom('reports')
        .select('predict_fen')
        .whereRef('reports.order_id', '=', 'orders.id')
        .orderBy('version', 'desc')
        .limit(1)
        .as('predictFen'),
    )
    .where('id', '=', orderId)
    .where('reported_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  const { predictFen } = order ?? {}
  if (!order || typeof predictFen !== 'number')
    throw new AppError('ORDER_STATUS_CHANGED', { msg: '报告出具后才能登记成交价' })
  if (sale) assertPlausibleSale({ outcome: 'SOLD', ...sale }, { ...order, predict_fen: predictFen }, now)
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({ sold_fen: sale?.soldFen ?? null, sold_at: sale?.soldAt ?? null })
    .where('id', '=', orderId)
    .where(
      sql<boolean>`(sold_fen, sold_at) is distinct from (${sale?.soldFen ?? null}::bigint, ${sale?.soldAt ?? null}::bigint)`,
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** @throws AppError VALIDATION_FAILED */
export function requireAskingPrice(askFen: number): void {
  if (askFen < ACCOUNT_PRICE.min || askFen > ACCOUNT_PRICE.max)
    throw invalid([{ path: 'listing.askFen', msg: '挂牌价为 1 元至 1000 万元' }])
}
