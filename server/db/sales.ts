import { sql } from 'kysely'
import type { Answers } from '@/contract/form/types'
import type { Db } from './database'

/** Source of generated sales, reserved for the generator: reports disclose when a model was trained on them. */
export const SYNTHETIC = 'synthetic'

export interface SaleRow {
  gameId: string
  kind: 'SOLD' | 'ASKING'
  priceFen: number
  /** ms */
  at: number
  source: string
  externalId: string
  attributes: Answers
}

/**
 * Stores a batch in one statement. Idempotent: a sale that exists already (`source + externalId`) is not changed.
 * @returns number of new sales
 */
export async function insertSales(db: Db, batch: readonly SaleRow[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into sales (game_id, kind, price_fen, at, source, external_id, attributes)
    select "gameId", kind, "priceFen", at, source, "externalId", attributes
    from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb)
      as s("gameId" text, kind text, "priceFen" bigint, at bigint, source text, "externalId" text, attributes jsonb)
    on conflict (source, external_id) do nothing`.execute(db)
  return Number(numAffectedRows ?? 0)
}
