/** Makes the model that was in use before active again: by the daily watch, or by a person at the desk. */
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'
import type { ModelDecisions } from '../../db/tables'
import { FORMAT } from '../../engine/types'
import { type DecisionMetrics, storeDecision } from './decision-log'
import { activeRow, lockModels } from './repository'

/** The model that was in use before this one and can still be read. */
export const previousModelOf = (db: Db, gameId: string, id: number) =>
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

/** Ids of the models in use, by game. */
export async function modelsInUse(db: Db): Promise<Map<string, number>> {
  const ofFormat = db.selectFrom('models').select(['game_id', 'id']).where('format', '=', FORMAT)
  return new Map((await ofFormat.where('active', '=', true).execute()).map(({ game_id, id }) => [game_id, id]))
}

const noPrevious = () => new AppError('NOT_FOUND', { msg: '没有可以换回的上一个模型' })
const replaced = () => new AppError('NOT_FOUND', { msg: '在用模型已更换，请刷新后重试' })

interface RollBack {
  gameId: string
  /** id of the model in use */
  from: number
  /** id of the one to use again */
  to: number
  /** a sentence for staff */
  reason: string
  figures: DecisionMetrics
  /** ms */
  now: number
}

/**
 * Call in a transaction. @returns false when another model became active meanwhile @throws AppError NOT_FOUND: the one
 * to use again cannot be used by now
 */
export async function rollBack(tx: Db, { gameId, from, to, reason, figures, now }: RollBack): Promise<boolean> {
  await lockModels(tx, gameId)
  const off = await tx
    .updateTable('models')
    .set({ active: false, refused: reason })
    .where('id', '=', from)
    .where('active', '=', true)
    .returning('trained_at')
    .executeTakeFirst()
  if (!off) return false
  const usable = tx.updateTable('models').set({ active: true }).where('id', '=', to).where('refused', 'is', null)
  const on = await usable.executeTakeFirst()
  // ends the transaction: the game would be left without a model
  if (on.numUpdatedRows === 0n) throw noPrevious()
  // the newest back-test counts as that of the model in use
  const tests = tx.deleteFrom('backtests').where('game_id', '=', gameId)
  await tests.where('ran_at', '>=', off.trained_at).execute()
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

/**
 * Makes the previous model active again, because a person says so. Call in a transaction. @throws AppError NOT_FOUND:
 * there is none, or another model is in use than the one that the person saw
 */
export async function rollBackByHand(
  tx: Db,
  { gameId, seen, reason, now }: Pick<RollBack, 'gameId' | 'reason' | 'now'> & { seen: number },
): Promise<void> {
  const champion = await activeRow(tx, gameId).select('id').executeTakeFirst()
  if (!champion) throw noPrevious()
  const from = champion.id
  if (from !== seen) throw replaced()
  const previous = await previousModelOf(tx, gameId, from)
  if (!previous) throw noPrevious()
  const figures = { rule: 'NONE' } as const
  if (!(await rollBack(tx, { gameId, from, to: previous.id, reason, figures, now }))) throw replaced()
}

/** Has the game trained again by the next run of the jobs, although its sales do not require it. Call in a transaction. */
export async function requestTraining(
  tx: Db,
  { gameId, reason, now }: Pick<RollBack, 'gameId' | 'reason' | 'now'>,
): Promise<void> {
  const newest_sale = await newestSaleOf(tx, gameId)
  await storeDecision(tx, { game_id: gameId, at: now, decision: 'ORDERED', rule: 'NONE', reason, newest_sale })
}

/**
 * What the decisions say about the next training: whether a person requested it after the start of the last one, whether
 * the model in use was rolled back to since then, and the newest sale at the last roll-back. Sales up to that one have led
 * to the model that was rolled back, so they do not start a training again.
 */
export async function trainingRequests(
  db: Db,
  gameId: string,
): Promise<{ requested: boolean; isRolledBack: boolean; rolledBackAt: number }> {
  const newest = (...decisions: ModelDecisions['decision'][]) =>
    db
      .selectFrom('model_decisions')
      .select(['at', 'newest_sale'])
      .where('game_id', '=', gameId)
      .where('decision', 'in', decisions)
      // a refusal is stored after the training that follows it, with its own earlier time
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
  const order = await newest('ORDERED')
  const training = await newest('PROMOTED', 'REFUSED')
  const back = await newest('ROLLED_BACK')
  const requested = order !== undefined && order.at > (training?.at ?? 0)
  const isRolledBack = back !== undefined && back.at >= (training?.at ?? 0)
  return { requested, isRolledBack, rolledBackAt: back?.newest_sale ?? 0 }
}
