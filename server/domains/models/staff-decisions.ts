/** What staff decide about models at the desk: which one is in use, and that another is trained. */
import { percent } from '@/contract/format'
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'
import { FORMAT } from '../../engine/types'
import { isFarWorse } from './acceptance'
import { activeRow, lockModels } from './repository'

interface Choice {
  gameId: string
  /** the model to use */
  id: number
  /** the model in use that the person saw */
  seen: number
}

/**
 * Puts a model into use, an earlier one or one that was refused. Call in a transaction. @throws AppError NOT_FOUND: it cannot
 * be used, or another one is in use than the person saw; VALIDATION_FAILED: it errs far more than the one in use
 */
export async function putIntoUse(tx: Db, { gameId, id, seen }: Choice): Promise<void> {
  await lockModels(tx, gameId)
  const inUse = await activeRow(tx, gameId).select('id').executeTakeFirst()
  if (inUse?.id !== seen) throw new AppError('NOT_FOUND', { msg: '在用模型已更换，请刷新后重试' })
  const chosen = await tx
    .selectFrom('models')
    .select(['n', 'champion_error', 'challenger_error'])
    .where('id', '=', id)
    .where('game_id', '=', gameId)
    .where('format', '=', FORMAT)
    .where('body', '<>', '')
    .executeTakeFirst()
  if (!chosen) throw new AppError('NOT_FOUND', { msg: '这个模型已不能使用' })
  const { n, champion_error: champion, challenger_error: challenger } = chosen
  if (n !== null && champion !== null && challenger !== null && isFarWorse({ n, champion, challenger }))
    throw new AppError('VALIDATION_FAILED', {
      msg: `这个模型的误差 ${percent(challenger)} 超过当时在用模型 ${percent(champion)} 的两倍，不能换上`,
    })
  await tx.updateTable('models').set({ active: false }).where('id', '=', seen).execute()
  await tx.updateTable('models').set({ active: true, refused: null }).where('id', '=', id).execute()
  // the published one is that of the model in use, which is tested again by the next run of the jobs
  await tx.deleteFrom('backtests').where('game_id', '=', gameId).execute()
}

/** Has the game trained again by the next run of the jobs, although its sales do not require it. @param now ms */
export async function orderTraining(db: Db, gameId: string, now: number): Promise<void> {
  await db
    .insertInto('training_orders')
    .values({ game_id: gameId, at: now })
    .onConflict((c) => c.column('game_id').doUpdateSet({ at: now }))
    .execute()
}

/** Whether staff have ordered a training that has not begun. @param trainedAt start of the last one, ms */
export async function isOrdered(db: Db, gameId: string, trainedAt: number): Promise<boolean> {
  const order = db.selectFrom('training_orders').select('at').where('game_id', '=', gameId).where('at', '>', trainedAt)
  return (await order.executeTakeFirst()) !== undefined
}
