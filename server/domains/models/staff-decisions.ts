/** What staff decide about models at the desk: which one is in use, and that another is trained. */
import { sql } from 'kysely'
import { AppError } from '../../core/app-error'
import type { Db } from '../../db/database'
import { FORMAT } from '../../engine/types'
import { isFarWorse } from './acceptance'
import { activeRow, lockModels } from './repository'

/**
 * Puts a model into use, an earlier one or one that was refused. Call in a transaction. @param seen the one in use that the
 * person saw @throws AppError NOT_FOUND: it cannot be used, or another one is in use; VALIDATION_FAILED: it errs far more
 */
export async function putIntoUse(tx: Db, { gameId, id, seen }: { gameId: string; id: number; seen: number }) {
  await lockModels(tx, gameId)
  const inUse = await activeRow(tx, gameId).select('id').executeTakeFirst()
  if (inUse?.id !== seen) throw new AppError('NOT_FOUND', { msg: '在用模型已更换，请刷新后重试' })
  const chosen = await tx
    .selectFrom('models')
    .select(['n', 'champion_error as champion', 'challenger_error as challenger'])
    .where('id', '=', id)
    .where('game_id', '=', gameId)
    .where('format', '=', FORMAT)
    .where('body', '<>', '')
    .executeTakeFirst()
  if (!chosen) throw new AppError('NOT_FOUND', { msg: '这个模型已不能使用' })
  if (isFarWorse(chosen))
    throw new AppError('VALIDATION_FAILED', { msg: '这个模型的误差超过当时在用模型的两倍，不能换上' })
  await tx.updateTable('models').set({ active: false }).where('id', '=', seen).execute()
  await tx.updateTable('models').set({ active: true, refused: null }).where('id', '=', id).execute()
}

/** Has the game trained again, although its sales do not require it. @param at ms: from when on */
export async function orderTraining(db: Db, gameId: string, at: number): Promise<void> {
  // a training that is still to be done is not put off
  await sql`insert into training_orders (game_id, at) values (${gameId}, ${at}::bigint)
    on conflict (game_id) do update set at = case
      when training_orders.at > (select coalesce(max(m.trained_at), 0) from models m where m.game_id = excluded.game_id)
        then least(training_orders.at, excluded.at) else excluded.at end`.execute(db)
}

/** Whether a training was ordered that is due and has not begun. @param trainedAt start of the last one, ms */
export async function isOrdered(db: Db, gameId: string, trainedAt: number, now: number): Promise<boolean> {
  const order = db.selectFrom('training_orders').select('at').where('game_id', '=', gameId)
  return (await order.where('at', '>', trainedAt).where('at', '<=', now).executeTakeFirst()) !== undefined
}
