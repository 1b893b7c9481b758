/** Removal of prices that their owners no longer let us use. */
import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import { FOLLOW_UP_SOURCE, LISTING_SOURCE } from '../../db/sales'
import { allReporterHashesOf } from '../market/reporter-hashes'
import { staffSaleOf } from '../market/staff-sales'
import { recordWithdrawal } from '../models/withdrawn-sales'

/**
 * Removes prices from those that models learn from, and the link of decided ones to the person: staff keep what they
 * decided. The person must be locked, so that no price of theirs is being stored meanwhile.
 * @param which condition on columns that `sales` and `held_sales` have in common
 */
export async function withdrawPrices(tx: Db, which: RawBuilder<boolean>, now: number): Promise<void> {
  // held ones first: one that staff accept meanwhile is then found among the sales
  const waiting = tx.deleteFrom('held_sales').where(which).where('decided_at', 'is', null)
  const removed = await waiting.returning(['sale_id as id', 'game_id']).execute()
  const decided = tx.updateTable('held_sales').set({ reporter: null, device: null }).where(which)
  const unlinked = await decided.returning(['sale_id as id', 'game_id']).execute()
  const used = await tx.deleteFrom('sales').where(which).returning(['id', 'game_id']).execute()
  // models may have learned from the sale that a held one corrects
  const learned = [...removed, ...unlinked].flatMap(({ id, game_id }) => (id === null ? [] : [{ id, game_id }]))
  await recordWithdrawal(tx, [...learned, ...used], now)
}

/** Answers to the follow-up whose sale models no longer learn from; what was answered stays among the owner's records. */
export const keepAsNote = (tx: Db) =>
  tx.updateTable('sale_followups').set({ sale_id: null, verdict: 'NOTED' }).where('sale_id', 'is not', null)

/**
 * Withdraws the prices of an account collected: those of its sale, told by the owner or recorded by staff, and the asking
 * prices that the owner gave. Those do not name the collection: they are recognised by their attributes, so that this
 * comes before the answers are removed from its orders, and after 180 days, when these are gone, by the time of the report,
 * with which a listing is stored. Decisions of staff stay without the attributes.
 */
export async function withdrawCollected(
  tx: Db,
  { encryption, userId, taskId, now }: Pick<Deps, 'encryption'> & { userId: string; taskId: string; now: number },
): Promise<void> {
  const hashes = sql.join(await allReporterHashesOf(tx, encryption, userId))
  const orders = await tx.selectFrom('orders').select('id').where('collection_task_id', '=', taskId).execute()
  const ids = orders.map(({ id }) => id)
  if (ids.length === 0) return
  const recorded = ids.map(staffSaleOf)
  const isRead = sql<boolean>`exists (
    select from orders o where o.collection_task_id = ${taskId} and not exists (
      select from jsonb_each(attributes) as a(key, value) where o.answers -> a.key is distinct from a.value))`
  // a decided price that was replaced later names neither the person nor the order
  await tx
    .updateTable('held_sales')
    .set({ attributes: '{}' })
    .where('decided_at', 'is not', null)
    .where('channel', 'in', ['FOLLOW_UP', 'LISTING', 'APPRAISER'])
    .where(sql<boolean>`(reporter is null or reporter in (${hashes}))`)
    .where(isRead)
    .execute()
  const isTold = sql<boolean>`(source = ${FOLLOW_UP_SOURCE} and external_id in (
    select sale_id from sale_followups where order_id in (${sql.join(ids)})))`
  const isRecorded = sql<boolean>`((source, external_id) in (${sql.join(
    recorded.map(({ source, externalId }) => sql`(${source}, ${externalId})`),
  )}))`
  const isOfReport = sql<boolean>`(game_id, at) in (
    select o.game_id, o.reported_at from orders o where o.collection_task_id = ${taskId})`
  const isListed = sql<boolean>`(source = ${LISTING_SOURCE} and reporter in (${hashes}) and (${isRead} or ${isOfReport}))`
  await withdrawPrices(tx, sql`(${isTold} or ${isRecorded} or ${isListed})`, now)
  await keepAsNote(tx).where('order_id', 'in', ids).execute()
}
