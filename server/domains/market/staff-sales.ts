/** Sales that staff record for an order: one for each, kept without naming the order, and so its owner. */
import type { Db } from '../../db/database'
import { newId, sha256 } from '../shared/secrets'

const SOURCE = 'appraiser'

/** Identity of the sale that staff recorded for an order. */
export const staffSaleOf = (orderId: string) => ({
  source: SOURCE,
  externalId: sha256(`sale:${orderId}`).slice(0, 32),
})

/**
 * Removes the link between these sales and the orders of a person whose account is deleted: anybody can compute the hash
 * of an order's id, and price and day are stored with both. The sales are kept anonymously.
 */
export async function unlinkStaffSales(tx: Db, userId: string): Promise<void> {
  const orders = await tx
    .updateTable('orders')
    .set({ sold_fen: null, sold_at: null })
    .where('user_id', '=', userId)
    .where('sold_fen', 'is not', null)
    .returning('id')
    .execute()
  for (const { id } of orders) {
    const { source, externalId } = staffSaleOf(id)
    for (const table of ['sales', 'held_sales'] as const)
      await tx
        .updateTable(table)
        .set({ external_id: newId() })
        .where('source', '=', source)
        .where('external_id', '=', externalId)
        .execute()
  }
}
