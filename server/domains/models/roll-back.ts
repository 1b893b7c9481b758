/** Makes the model that was in use before active again: by the daily watch, or by a person at the desk. */
import { sql } from 'kysely'
import type { Db } from '../../db/database'
import { FORMAT } from '../../engine/types'
import { type Figures, storeDecision } from './decisions'

/** The model that was in use before this one and can still be read. */
export const formerOf = (db: Db, gameId: string, id: number) =>
  db
    .selectFrom('models')
    .select('id')
    .where('game_id', '=', gameId)
    .where('id', '<', id)
    .where('refused', 'is', null)
    .where('format', '=', FORMAT)
    .where('body', '<>', '')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

interface RollBack {
  gameId: string
  /** id of the model in use */
  from: number
  /** id of the one to use again */
  to: number
  /** a sentence for staff */
  reason: string
  figures: Figures
  /** ms */
  now: number
}

/** Call in a transaction. @returns false when another model became active meanwhile */
export async function rollBack(tx: Db, { gameId, from, to, reason, figures, now }: RollBack): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext(${`model:${gameId}`}))`.execute(tx)
  const off = await tx
    .updateTable('models')
    .set({ active: false, refused: reason })
    .where('id', '=', from)
    .where('active', '=', true)
    .executeTakeFirst()
  if (off.numUpdatedRows === 0n) return false
  await tx.updateTable('models').set({ active: true }).where('id', '=', to).execute()
  await storeDecision(tx, {
    ...{ game_id: gameId, at: now, decision: 'ROLLED_BACK', reason, newest_sale: await newestSaleOf(tx, gameId) },
    ...{ champion_id: from, challenger_id: to, ...figures },
  })
  return true
}

async function newestSaleOf(tx: Db, gameId: string): Promise<number> {
  const newest = await tx
    .selectFrom('sales')
    .select('id')
    .where('game_id', '=', gameId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.id ?? 0
}

/** Makes the former model active again, because a person says so. Call in a transaction. @returns false without one */
export async function rollBackByHand(
  tx: Db,
  { gameId, reason, now }: Pick<RollBack, 'gameId' | 'reason' | 'now'>,
): Promise<boolean> {
  const inUse = await tx
    .selectFrom('models')
    .select('id')
    .where('game_id', '=', gameId)
    .where('active', '=', true)
    .where('format', '=', FORMAT)
    .executeTakeFirst()
  const former = inUse && (await formerOf(tx, gameId, inUse.id))
  if (!inUse || !former) return false
  return rollBack(tx, { gameId, from: inUse.id, to: former.id, reason, figures: { rule: 'NONE' }, now })
}

/** Has the game trained again in the next round, although its sales do not require it. Call in a transaction. */
export async function orderTraining(
  tx: Db,
  { gameId, reason, now }: Pick<RollBack, 'gameId' | 'reason' | 'now'>,
): Promise<void> {
  const newest_sale = await newestSaleOf(tx, gameId)
  await storeDecision(tx, { game_id: gameId, at: now, decision: 'ORDERED', rule: 'NONE', reason, newest_sale })
}

/**
 * What the decisions say about the next training: whether a person ordered it, and the newest sale at the last
 * roll-back. Sales up to that one have led to the model that was rolled back, so they do not start a training again.
 */
export async function trainingOrders(db: Db, gameId: string): Promise<{ ordered: boolean; rolledBackAt: number }> {
  const ofGame = db.selectFrom('model_decisions').where('game_id', '=', gameId).orderBy('id', 'desc').limit(1)
  const last = await ofGame.select('decision').executeTakeFirst()
  const back = await ofGame.select('newest_sale').where('decision', '=', 'ROLLED_BACK').executeTakeFirst()
  return { ordered: last?.decision === 'ORDERED', rolledBackAt: back?.newest_sale ?? 0 }
}
