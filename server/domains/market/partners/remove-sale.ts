import { sql } from 'kysely'
import type { Db } from '../../../db/database'
import type { SaleRow } from '../../../db/sales'
import { recordWithdrawal } from '../../models/withdrawn-sales'

type SaleId = Pick<SaleRow, 'source' | 'externalId'>

/**
 * Removes a sale of a partner, stored, waiting or decided, so that the partner can send it corrected. A model in use that
 * has learned from it is trained again.
 * @returns whether there was one
 */
export async function removePartnerSale(tx: Db, partnerId: string, sale: SaleId, now: number): Promise<boolean> {
  const { source, externalId } = sale
  const isIt = sql<boolean>`(source = ${source} and external_id = ${externalId} and channel = 'PARTNER'
    and source in (select s.source from partner_sources s where s.partner_id = ${partnerId}))`
  // held ones first: one that staff accept meanwhile is then found among the sales
  const held = await tx.deleteFrom('held_sales').where(isIt).returning(['sale_id as id', 'game_id']).execute()
  const used = await tx.deleteFrom('sales').where(isIt).returning(['id', 'game_id']).execute()
  const learned = held.flatMap(({ id, game_id }) => (id === null ? [] : [{ id, game_id }]))
  await recordWithdrawal(tx, [...learned, ...used], now)
  return held.length + used.length > 0
}
