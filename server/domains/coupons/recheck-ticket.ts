import { sql } from 'kysely'
import type { Db } from '../../db/database'
import { giveFor } from './grant'

const ticketOf = (orderId: string) => sql<string>`(select ticket_id from orders where id = ${orderId})`

/** A ticket for another full report, because this one made its owner unhappy. */
export async function giveTicket(tx: Db, { orderId, userId, now }: { orderId: string; userId: string; now: number }) {
  const couponId = await giveFor(tx, 'RECHECK', userId, now)
  if (couponId) await tx.updateTable('orders').set({ ticket_id: couponId }).where('id', '=', orderId).execute()
}

/**
 * Takes the ticket of an order back, so that nobody keeps both it and the money.
 * @returns false when it was used, or is being used
 */
export async function takeTicketBack(tx: Db, orderId: string): Promise<boolean> {
  await tx
    .updateTable('user_coupons')
    .set({ status: 'EXPIRED' })
    .where('coupon_id', '=', ticketOf(orderId))
    .where('status', '=', 'UNUSED')
    .execute()
  const used = await tx
    .selectFrom('user_coupons')
    .select('coupon_id')
    .where('coupon_id', '=', ticketOf(orderId))
    .where('status', '<>', 'EXPIRED')
    .executeTakeFirst()
  return used === undefined
}

/** The money stays with us, so the ticket is its owner's again; one whose time is over stays over. */
export const returnTicket = (tx: Db, orderId: string, now: number) =>
  tx
    .updateTable('user_coupons')
    .set({ status: 'UNUSED' })
    .where('coupon_id', '=', ticketOf(orderId))
    .where('status', '=', 'EXPIRED')
    .where('end_at', '>', now)
    .execute()
