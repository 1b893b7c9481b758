/** Prices that may no longer be used: their game is trained again without them. */
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Db } from '../../../db/database'
import { orderTraining } from '../staff-decisions'

/**
 * Removes sales, stored or held. Their games are trained again within a day, so that telling and withdrawing prices in turns
 * costs one training a day.
 * @param which condition on columns that `sales` and `held_sales` have in common
 * @returns how many there were
 */
export async function withdrawSales(tx: Db, which: RawBuilder<boolean>, now: number): Promise<number> {
  // held ones first: one that staff accept meanwhile is then found among the sales
  const held = await tx.deleteFrom('held_sales').where(which).returning('game_id').execute()
  const used = await tx.deleteFrom('sales').where(which).returning('game_id').execute()
  for (const gameId of new Set(used.map(({ game_id }) => game_id))) await orderTraining(tx, gameId, now + DAY_MS)
  return held.length + used.length
}

/** SQL over `sales` and `held_sales`: the sale with this identity. */
export const isSale = ({ source, externalId }: { source: string; externalId: string }) =>
  sql<boolean>`(source = ${source} and external_id = ${externalId})`
