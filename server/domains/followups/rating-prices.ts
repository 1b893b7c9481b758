/**
 * Prices that an older release took from ratings and stored as answers to the follow-up, although the form of the rating
 * asks for no consent. They are removed from the sales; the rating keeps them, and the owner may answer the follow-up.
 */
import { sql } from 'kysely'
import type { Deps } from '../../context'
import { FOLLOW_UP_SOURCE } from '../../db/sales'
import { recordWithdrawal } from '../models/withdrawn-sales'
import { changeDueRows, forEachDueRow } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { tryLockUser } from '../shared/locks'
import { removeSale } from './screened-sale'

const JOB = 'prices of ratings'
const BATCH = 100
/** ms within which a release that used the price of a rating stored it, in the same request */
const SAME_REQUEST = 60_000

/** SQL over `sale_followups`: stored by a release that did not record the consent */
const isUnchecked = sql<boolean>`consented is null and told_at is not null`

/** SQL over `sale_followups`: the answer was stored with the rating of the same order. */
const isFromRating = sql<boolean>`exists (select from reviews v
  where v.order_id = sale_followups.order_id and outcome = 'SOLD' and v.sold_fen = sale_followups.sold_fen
    and sale_followups.sold_at = coalesce(v.sold_at, v.created_at) and platform = coalesce(v.sold_platform, '')
    and list_fen is null and image is null
    and told_at between v.created_at and v.created_at + ${sql.lit(SAME_REQUEST)})`

async function forget({ db, clock }: Deps, { orderId, userId }: { orderId: string; userId: string }) {
  return db.transaction().execute(async (tx) => {
    // while the account is being deleted, its prices may not be used either
    await tryLockUser(tx, userId)
    const row = await tx
      .selectFrom('sale_followups')
      .select('sale_id')
      .where('order_id', '=', orderId)
      .where(isUnchecked)
      .where(isFromRating)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return false
    const { sale_id: externalId } = row
    const sale = externalId === null ? undefined : await removeSale(tx, { source: FOLLOW_UP_SOURCE, externalId })
    // not the time of the run, which may be long ago
    if (sale) await recordWithdrawal(tx, [sale], clock.now())
    await tx
      .updateTable('sale_followups')
      .set({ outcome: null, platform: '', sold_fen: null, sold_at: null, told_at: null, corrected_at: null })
      .set({ sale_id: null, verdict: null })
      .where('order_id', '=', orderId)
      .execute()
    return true
  })
}

/** Removes prices that were taken from ratings; all other answers of older releases were given with the consent. */
export const removeRatingPrices: Job = {
  name: JOB,
  lowPriority: true,
  async run(deps, now) {
    const consented = await changeDueRows(deps, now, {
      job: JOB,
      table: 'sale_followups',
      id: sql`order_id`,
      due: sql<boolean>`${isUnchecked} and not ${isFromRating}`,
      change: sql`update sale_followups set consented = true`,
    })
    const removed = await forEachDueRow(deps, now, {
      job: JOB,
      due: (notQuarantined) =>
        deps.db
          .selectFrom('sale_followups')
          .select(['order_id as orderId', 'user_id as userId'])
          .where(isUnchecked)
          .where(isFromRating)
          .where(notQuarantined(sql`sale_followups.order_id`))
          .orderBy('order_id')
          .limit(BATCH)
          .execute(),
      idOf: ({ orderId }) => orderId,
      process: (row) => forget(deps, row),
    })
    if (removed > 0) deps.log.info({ removed }, 'prices of ratings were removed from the sales')
    return consented + removed
  },
}
