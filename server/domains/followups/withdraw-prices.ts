/** Removal of prices that their owners no longer let us use. */
import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import { LISTING_SOURCE } from '../../db/sales'
import { allReporterHashesOf } from '../market/reporter-hashes'
import { recordWithdrawal } from '../models/withdrawn-sales'

/**
 * Removes prices from those that models learn from, and the link of decided ones to the person: staff keep what they
 * decided. The person must be locked, so that no price of theirs is being stored meanwhile.
 * @param which condition on columns that `sales` and `held_sales` have in common
 */
export async function withdrawPrices(tx: Db, which: RawBuilder<boolean>, now: number): Promise<void> {
  // held ones first: one that staff accept meanwhile is then found among the sales
  await tx.deleteFrom('held_sales').where(which).where('decided_at', 'is', null).execute()
  await tx.updateTable('held_sales').set({ reporter: null, device: null }).where(which).execute()
  await recordWithdrawal(tx, await tx.deleteFrom('sales').where(which).returning(['id', 'game_id']).execute(), now)
}

/**
 * Withdraws the asking prices that a person gave of an account collected. They do not name the collection and are
 * recognised by their attributes, so that this comes before the answers are removed from its orders.
 */
export async function withdrawCollected(
  tx: Db,
  { encryption, userId, taskId, now }: Pick<Deps, 'encryption'> & { userId: string; taskId: string; now: number },
): Promise<void> {
  const hashes = await allReporterHashesOf(tx, encryption, userId)
  const which = sql<boolean>`(source = ${LISTING_SOURCE} and reporter in (${sql.join(hashes)}) and exists (
    select from orders o where o.auth_task_id = ${taskId} and not exists (
      select from jsonb_each(attributes) as a(key, value) where o.answers -> a.key is distinct from a.value)))`
  await withdrawPrices(tx, which, now)
}
