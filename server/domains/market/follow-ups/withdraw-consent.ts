/** Withdrawal of prices that users let us use for the market (PIPL art. 15). */
import { sql } from 'kysely'
import type { sharedPriceText } from '@/contract/labels'
import type { UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import { allReporterHashesOf } from '../../accounts/reporter-hashes'
import { isSale, withdrawSales } from '../../models/sales/withdrawn-sales'
import { lockUser } from '../../shared/locks'
import { orderSaleOf } from './order-sale'

type SharedPrice = keyof typeof sharedPriceText

/**
 * Removes the prices of one kind that the user gave from those that models learn from. Models trained before stay as they
 * are; the one in use is replaced by a later training. What the user reported of a sale stays among their own records. A
 * price given later has a consent of its own.
 */
export async function withdrawConsent({ db, clock, encryption, userId }: UserCtx, kind: SharedPrice): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // no price of the user is being stored meanwhile
    await lockUser(tx, userId)
    const hashes = await allReporterHashesOf(tx, encryption, userId)
    await withdrawSales(tx, sql`(channel = ${kind} and reporter in (${sql.join(hashes)}))`, clock.now())
    // the price of a collection that is not valued yet
    if (kind === 'LISTING')
      await tx
        .updateTable('collection_tasks')
        .set({ listing_fen: null })
        .where('user_id', '=', userId)
        .where('listing_fen', 'is not', null)
        .execute()
  })
}

/** Withdraws the prices of a collected account: of its sale, reported or recorded, and of its listing. */
export async function withdrawCollected(tx: Db, taskId: string, now: number): Promise<void> {
  const orders = await tx.selectFrom('orders').select('id').where('collection_task_id', '=', taskId).execute()
  for (const { id } of orders)
    for (const channel of ['FOLLOW_UP', 'APPRAISER', 'LISTING'] as const)
      await withdrawSales(tx, isSale(orderSaleOf(channel, id)), now)
}
