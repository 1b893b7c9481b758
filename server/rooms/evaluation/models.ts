import { type Kysely, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../db/database'
import type { Tables } from '../../db/tables'
import type { Model, Sale } from '../../engine/types'

export interface ActiveModel {
  id: number
  /** trained with generated sales: the report must say so */
  synthetic: boolean
  model: Model
}

/** The active model of each game, parsed when it is first needed and again when another one became active. */
export interface ModelShelf {
  /** Waits for the first training when need be. undefined: no sales to learn from, users see too few samples. */
  active(config: FormConfig): Promise<ActiveModel | undefined>
  /** The model of that id, active or not: what an older report is computed again with. */
  find(id: number): Promise<ActiveModel | undefined>
}

const activeRow = (db: Db, gameId: string) =>
  db.selectFrom('models').where('game_id', '=', gameId).where('active', '=', true)

export const hasModel = async (db: Db, gameId: string): Promise<boolean> =>
  (await activeRow(db, gameId).select('id').executeTakeFirst()) !== undefined

/** @param ensure trains a game that has no model yet; false when there is nothing to learn from */
export function createModelShelf(db: Kysely<Tables>, ensure: (config: FormConfig) => Promise<boolean>): ModelShelf {
  const kept = new Map<string, ActiveModel>()
  // one old model is enough: a reader rejects several comparables of one report after another
  let former: ActiveModel | undefined
  return {
    async find(id) {
      const known = [...kept.values(), former].find((one) => one?.id === id)
      if (known) return known
      const row = await db
        .selectFrom('models')
        .select(['id', 'synthetic', 'body'])
        .where('id', '=', id)
        .executeTakeFirst()
      former = row && { id, synthetic: row.synthetic, model: JSON.parse(row.body) as Model }
      return former
    },
    async active(config) {
      const { gameId } = config
      let newest = await activeRow(db, gameId).select('id').executeTakeFirst()
      if (!newest && (await ensure(config))) newest = await activeRow(db, gameId).select('id').executeTakeFirst()
      const known = kept.get(gameId)
      if (!newest || known?.id === newest.id) return newest && known
      const row = await activeRow(db, gameId).select(['id', 'synthetic', 'body']).executeTakeFirst()
      if (!row) return undefined
      const loaded = { id: row.id, synthetic: row.synthetic, model: JSON.parse(row.body) as Model }
      kept.set(gameId, loaded)
      return loaded
    },
  }
}

/** Newest sales a model is trained on; older ones say little about today's prices. */
const MOST_SALES = 20_000

/** From so many real sales on, generated ones are left out: an invented market may not water down the real one. */
const ENOUGH_REAL = 50

/** What a model of the game learns from now. `synthetic`: some of it is generated. */
export async function newestSales(db: Db, gameId: string): Promise<{ sales: Sale[]; synthetic: boolean }> {
  const ofGame = db.selectFrom('sales').where('game_id', '=', gameId)
  const real = ofGame.where('source', '<>', 'synthetic')
  const enough = (await real.select('id').limit(ENOUGH_REAL).execute()).length === ENOUGH_REAL
  const rows = await (enough ? real : ofGame)
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(MOST_SALES)
    .execute()
  const sales = rows.map((r) => ({
    id: String(r.id),
    gameId,
    kind: r.kind,
    priceFen: r.price_fen,
    at: r.at,
    attributes: r.attributes,
  }))
  return { sales, synthetic: rows.some((r) => r.source === 'synthetic') }
}

interface NewModel {
  config: FormConfig
  /** the engine's Model as JSON text */
  body: string
  sampleN: number
  synthetic: boolean
  /** ms */
  now: number
}

/** Makes a model the game's active one in one step. Older ones stay: reports name the one they came from. */
export async function storeModel(
  db: Kysely<Tables>,
  { config, body, sampleN, synthetic, now }: NewModel,
): Promise<void> {
  const { gameId, schemaVersion } = config
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`model:${gameId}`}))`.execute(tx)
    await tx
      .updateTable('models')
      .set({ active: false })
      .where('game_id', '=', gameId)
      .where('active', '=', true)
      .execute()
    await tx
      .insertInto('models')
      .values({
        game_id: gameId,
        body,
        schema_version: schemaVersion,
        sample_n: sampleN,
        synthetic,
        active: true,
        trained_at: now,
      })
      .execute()
  })
}
