/**
 * What the account of an order was sold or offered for, as its owner reports it, staff record it, or a pasted listing says.
 * One sale for each order and way, which names neither the order nor its owner.
 */
import { sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import {
  APPRAISER_SOURCE,
  FOLLOW_UP_SOURCE,
  LISTING_SOURCE,
  type SaleRow,
  type ScreenedSale,
  storeSales,
} from '../../../db/sales'
import { reporterHashesOf } from '../../accounts/reporter-hashes'
import { isSale, withdrawSales } from '../../models/sales/withdrawn-sales'
import { reportedOrder, type Sale, storeSoldPrice } from '../../orders/reviewing/sold-price'
import { lockUsers } from '../../shared/locks'
import { sha256 } from '../../shared/secrets'
import { screenSale } from '../expected-price'
import { pricedAttributes } from '../import/check-sale'

const sources = { FOLLOW_UP: FOLLOW_UP_SOURCE, APPRAISER: APPRAISER_SOURCE, LISTING: LISTING_SOURCE } as const
export type OrderChannel = keyof typeof sources

/** Identity of the sale of an order. */
export const orderSaleOf = (channel: OrderChannel, orderId: string) => ({
  source: sources[channel],
  externalId: sha256(`${channel}:${orderId}`).slice(0, 32),
})

interface OrderSale {
  config: FormConfig
  /** answers of the report */
  answers: Answers
  /** whose account it was */
  userId: string
  sale: Pick<SaleRow, 'kind' | 'priceFen' | 'at' | 'listedAt'> & { channel: OrderChannel }
}

/**
 * Compares a sale with the market; undefined when no price can be learned from it. To be called before the transaction,
 * because loading a model may take a while.
 */
export async function screenOrderSale(
  { db, repositories: { models }, encryption }: Deps,
  { config, answers, userId, sale }: OrderSale,
): Promise<ScreenedSale | undefined> {
  const attributes = pricedAttributes(config, answers)
  if (typeof attributes === 'string') return undefined
  const active = await models.inUse(config)
  const owner = await reporterHashesOf(db, encryption, userId)
  const whole = { ...sale, ...owner, gameId: config.gameId, attributes, source: sources[sale.channel], externalId: '' }
  return screenSale(active?.model, whole)
}

interface Replacement {
  orderId: string
  channel: OrderChannel
  /** undefined: nothing takes the place of what was stored */
  screened: ScreenedSale | undefined
  /** ms */
  now: number
}

/**
 * Stores the sale of an order, or holds it, instead of the one before. It is dropped if the order's report has lost an answer
 * that it was screened with, because its owner has deleted the collected ones since. To be called under the lock of the owner.
 * @returns its external id
 */
export async function replaceOrderSale(tx: Db, { orderId, channel, screened, now }: Replacement): Promise<string> {
  const id = orderSaleOf(channel, orderId)
  await withdrawSales(tx, isSale(id), now)
  const report = await tx
    .selectFrom('reports')
    .select('report_no')
    .where('order_id', '=', orderId)
    .where(sql<boolean>`inputs -> 'answers' ?& ${Object.keys(screened?.attributes ?? {})}::text[]`)
    .executeTakeFirst()
  if (screened && report) await storeSales(tx, [{ ...screened, ...id }], now)
  return id.externalId
}

/** What staff learn of a sale, as training data. To be called before the transaction of `recordStaffSale`. */
export async function screenStaffSale(deps: Deps, orderId: string, sale: Sale): Promise<ScreenedSale | undefined> {
  const report = await reportedOrder(deps.db, orderId).executeTakeFirst()
  if (!report) return undefined
  const { config } = await deps.repositories.games.find(report.game_id)
  const recorded = { channel: 'APPRAISER', kind: 'SOLD', priceFen: sale.soldFen, at: sale.soldAt } as const
  return screenOrderSale(deps, { config, answers: report.inputs.answers, userId: report.user_id, sale: recorded })
}

/**
 * Stores the price at which the account of an order was sold, and lets the models learn from it instead of what the
 * owner reported; `sale` undefined removes it.
 * @returns false when nothing changed
 * @throws AppError as `storeSoldPrice`
 */
export async function recordStaffSale(
  tx: Db,
  orderId: string,
  { sale, screened, now }: { sale: Sale | undefined; screened: ScreenedSale | undefined; now: number },
): Promise<boolean> {
  // while the owner's account is being deleted, no sale with their hash may be added
  const order = await tx.selectFrom('orders').select('user_id').where('id', '=', orderId).executeTakeFirst()
  if (order) await lockUsers(tx, [order.user_id])
  if (!(await storeSoldPrice(tx, orderId, sale, now))) return false
  await replaceOrderSale(tx, { orderId, channel: 'APPRAISER', screened, now })
  // one sale counts once
  if (sale) await withdrawSales(tx, isSale(orderSaleOf('FOLLOW_UP', orderId)), now)
  return true
}
