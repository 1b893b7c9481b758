import { sql } from 'kysely'
import { ACCOUNT_PRICE } from '@/contract/constants'
import { DAY_MS } from '@/contract/time'
import { AppError, invalid } from '../../core/app-error'
import type { Db } from '../../db/database'

/** a price this many times above or below the report's is probably off by a digit */
const TYPO_RATIO = 10

export interface Sale {
  soldFen: number
  /** first ms of the day, China time */
  soldAt: number
}

/** Why a price is implausible. @param name of the price @param predictFen of the latest report */
export function priceIssue(name: string, fen: number, predictFen: number): string | undefined {
  if (fen < ACCOUNT_PRICE.min || fen > ACCOUNT_PRICE.max) return `${name}为 1 元至 1000 万元`
  if (fen > predictFen * TYPO_RATIO || fen * TYPO_RATIO < predictFen)
    return `${name}与报告价格相差超过 ${TYPO_RATIO} 倍，请核对是否多填或少填了 0`
  return undefined
}

/** Plausibility check of a sale. @param predictFen of the latest report */
function assertPlausibleSoldPrice(
  { soldFen, soldAt }: Sale,
  order: { created_at: number; predictFen: number },
  now: number,
): void {
  const issues = [
    priceIssue('成交价', soldFen, order.predictFen),
    soldAt > now && '成交日期不能晚于今天',
    soldAt + DAY_MS <= order.created_at && '成交日期不能早于估价',
  ].filter((issue) => typeof issue === 'string')
  if (issues.length > 0) throw invalid(issues.map((msg) => ({ path: 'soldFen', msg })))
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
  if (sale) assertPlausibleSoldPrice(sale, { ...order, predictFen }, now)
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
