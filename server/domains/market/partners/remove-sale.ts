import { sql } from 'kysely'
import type { Db } from '../../../db/database'
import { type SaleRow, saleKey } from '../../../db/sales'
import { recordWithdrawal } from '../../models/withdrawn-sales'
import { lockPartnerGame, lockShifts, ofGame } from './shifted-sales'

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
  const found = (table: 'held_sales' | 'sales') =>
    tx.selectFrom(table).select(['game_id', 'residual', 'kind']).where(isIt)
  const [known] = await found('held_sales').unionAll(found('sales')).execute()
  if (!known) return false
  // locked as for a call that stores sales, before the sale itself
  // asking prices are not in the record
  const residual = known.kind === 'SOLD' ? known.residual : null
  await forgetPrice(tx, { partnerId, gameId: known.game_id, key: saleKey(sale), residual })
  // held ones first: one that staff accept meanwhile is then found among the sales
  const held = await tx.deleteFrom('held_sales').where(isIt).returning(['sale_id as id', 'game_id']).execute()
  const used = await tx.deleteFrom('sales').where(isIt).returning(['id', 'game_id']).execute()
  const learned = held.flatMap(({ id, game_id }) => (id === null ? [] : [{ id, game_id }]))
  await recordWithdrawal(tx, [...learned, ...used], now)
  return held.length + used.length > 0
}

interface Price {
  partnerId: string
  gameId: string
  key: string
  residual: number | null
}

/**
 * Takes a sale out of the partner's record: its price is compared no more, and the corrected sale of the same key is not
 * held for it.
 */
async function forgetPrice(tx: Db, { partnerId, gameId, key, residual }: Price): Promise<void> {
  await lockPartnerGame(tx, partnerId, gameId)
  const row = await lockShifts(tx, partnerId, gameId)
  if (!row) return
  const accepted = row.compared.findLastIndex((one) => one.key === key)
  // one that was held has no key there and is found by its price
  const at = accepted < 0 ? row.compared.findLastIndex((one) => one.key === '' && one.residual === residual) : accepted
  await tx
    .updateTable('partner_shifts')
    .set({ compared: JSON.stringify(row.compared.filter((_, i) => i !== at)) })
    .set({ to_hold: JSON.stringify(row.to_hold.filter((one) => one !== key)) })
    .where(ofGame(partnerId, gameId))
    .execute()
}
