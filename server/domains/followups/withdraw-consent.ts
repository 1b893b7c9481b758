/** Withdrawal of the consent to use prices that a user gave for the market (PIPL art. 15). */
import { sql } from 'kysely'
import type { sharedPriceText } from '@/contract/labels'
import type { UserCtx } from '../../context'
import { FOLLOW_UP_SOURCE, LISTING_SOURCE } from '../../db/sales'
import { allReporterHashesOf } from '../market/reporter-hashes'
import { lockUser } from '../shared/locks'
import { keepAsNote, withdrawPrices } from './withdraw-prices'

type SharedPrice = keyof typeof sharedPriceText

const sourceOf: Record<SharedPrice, string> = { LISTING: LISTING_SOURCE, FOLLOW_UP: FOLLOW_UP_SOURCE }

/**
 * Removes the prices of one kind that the user gave from those that models learn from, and the link of decided ones to
 * the user: staff keep what they decided. Models trained before stay as they are; the one in use is replaced by a later
 * training (`models/withdrawn-sales.ts`). What the user reported of a sale stays among their own records. Doing it again
 * changes nothing; a price given later has a consent of its own.
 */
export async function withdrawConsent({ db, clock, encryption, userId }: UserCtx, kind: SharedPrice): Promise<void> {
  const source = sourceOf[kind]
  await db.transaction().execute(async (tx) => {
    // no price of the user is being stored meanwhile
    await lockUser(tx, userId)
    const hashes = await allReporterHashesOf(tx, encryption, userId)
    await withdrawPrices(tx, sql`(source = ${source} and reporter in (${sql.join(hashes)}))`, clock.now())
    // of a collection that is not valued yet
    if (kind === 'LISTING')
      await tx
        .updateTable('collection_tasks')
        .set({ listing_fen: null })
        .where('user_id', '=', userId)
        .where('listing_fen', 'is not', null)
        .execute()
    if (kind === 'FOLLOW_UP') await keepAsNote(tx).where('user_id', '=', userId).execute()
  })
}
