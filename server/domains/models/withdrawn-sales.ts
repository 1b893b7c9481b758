/** Prices that left the sales because they were withdrawn, removed or replaced: the next training leaves them out. */
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Db } from '../../db/database'

/** ms from the time of a withdrawal to its commit, at most: a training that began in between still read the price */
const COMMIT_TIME = MINUTE_MS

/** Call in the transaction that removes the sales. @param now ms, at most a minute before the commit */
export async function recordWithdrawal(
  tx: Db,
  sales: readonly { id: number; game_id: string }[],
  now: number,
): Promise<void> {
  if (sales.length === 0) return
  // an accepted sale and its decision name the same one
  const gameOf = new Map(sales.map(({ id, game_id }) => [id, game_id]))
  const rows = [...gameOf].map(([sale_id, game_id]) => ({ game_id, sale_id, withdrawn_at: now }))
  await tx.insertInto('withdrawn_sales').values(rows).execute()
}

interface Training {
  trained_at: number
  newest_sale: number
}

/**
 * Whether a training is due because a price that the last one learned was withdrawn: a day after it at the earliest, so that
 * telling and withdrawing prices in turns costs no more.
 */
export async function isForgettingDue(db: Db, gameId: string, last: Training, now: number): Promise<boolean> {
  if (now - last.trained_at < DAY_MS) return false
  const learned = db
    .selectFrom('withdrawn_sales')
    .select('sale_id')
    .where('game_id', '=', gameId)
    .where('sale_id', '<=', last.newest_sale)
    .where('withdrawn_at', '>=', last.trained_at - COMMIT_TIME)
  return (await learned.limit(1).executeTakeFirst()) !== undefined
}

/** Removes what was withdrawn before a training. @param trainedAt ms */
export async function forgetWithdrawals(tx: Db, gameId: string, trainedAt: number): Promise<void> {
  const known = tx.deleteFrom('withdrawn_sales').where('game_id', '=', gameId)
  await known.where('withdrawn_at', '<', trainedAt - COMMIT_TIME).execute()
}
