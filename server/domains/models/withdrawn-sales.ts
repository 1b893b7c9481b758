/**
 * Prices that were withdrawn (with the consent, or as untrue) or replaced by a sale, and sales held after their partner's
 * shift was found: a model in use that was trained on them is to be trained again.
 */
import { sql } from 'kysely'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Db } from '../../db/database'
import { FORMAT } from '../../engine/types'

/** ms from the time of a withdrawal to its commit, at most: a training that began in between still read the price */
const COMMIT_TIME = MINUTE_MS

/** SQL over `withdrawn_sales w` and `models m`: the model may have been trained on the price. */
const isLearned = sql<boolean>`w.game_id = m.game_id and w.sale_id <= m.newest_sale
  and w.withdrawn_at >= m.trained_at - ${sql.lit(COMMIT_TIME)}`

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

/**
 * Whether the model in use was trained on a price that has been withdrawn since its training began, or may have been
 * because the withdrawal was being stored then, and the game still has sales to train another on.
 */
export async function isTrainedOnWithdrawn(db: Db, gameId: string): Promise<boolean> {
  const { rows } = await sql`select from models m where game_id = ${gameId} and active and format = ${FORMAT}
    and exists (select from withdrawn_sales w where ${isLearned})
    and exists (select from sales s where s.game_id = m.game_id)`.execute(db)
  return rows.length > 0
}

const MAX_INTERVAL = 30

/**
 * ms from the last training to the next one that withdrawn prices start: a day, doubled for each training without them
 * after the first that was refused, up to 30 days.
 */
export async function withdrawalInterval(db: Db, gameId: string): Promise<number> {
  const { rows } = await sql<{ refused: number }>`select count(*) as refused
    from models r join models m on m.game_id = r.game_id and m.format = r.format and m.active and m.id < r.id
    where r.game_id = ${gameId} and r.format = ${FORMAT} and r.refused is not null and r.body = ''
      and r.trained_at > (select min(w.withdrawn_at) from withdrawn_sales w where ${isLearned})`.execute(db)
  return DAY_MS * Math.min(2 ** Math.max(0, Number(rows[0]?.refused ?? 0) - 1), MAX_INTERVAL)
}

/** Removes what was withdrawn before all models of the game that are kept were trained. */
export async function forgetWithdrawals(tx: Db, gameId: string): Promise<void> {
  await tx
    .deleteFrom('withdrawn_sales')
    .where('game_id', '=', gameId)
    .where('withdrawn_at', '<', (e) =>
      e
        .selectFrom('models')
        .select(sql<number>`min(trained_at) - ${sql.lit(COMMIT_TIME)}`.as('at'))
        .where('game_id', '=', gameId)
        .where('body', '<>', ''),
    )
    .execute()
}
