import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS, HOUR_MS } from '@/contract/time'
import { AppError } from '../../core/app-error'
import type { Backtest } from '../../db/columns'
import type { Db } from '../../db/database'
import type { DB } from '../../db/tables'
import { FORMAT, type Model } from '../../engine/types'
import type { Judgement } from './acceptance'
import { readModel } from './model-text'
import type { TrainingSales } from './sales/training-sales'

export interface ActiveModel {
  id: number
  /** trained with generated sales, which the report must state */
  synthetic: boolean
  /** share of generated sales, 0 to 1 */
  syntheticShare: number
  model: Model
}

/** Models, parsed when they are first needed. */
export interface ModelRepository {
  /**
   * undefined: no sales to learn from, users see 样本不足.
   * @throws AppError MODEL_PENDING: the first model is still to be trained
   */
  active(config: FormConfig): Promise<ActiveModel | undefined>
  /** The same, but undefined also while the first model is still to be trained. */
  inUse(config: Pick<FormConfig, 'gameId'>): Promise<ActiveModel | undefined>
  /** The model of that id, in use or not: recomputes reports. */
  find(id: number): Promise<ActiveModel | undefined>
}

/** The model in use of a game. */
export const activeRow = (db: Db, gameId: string) =>
  db.selectFrom('models').where('game_id', '=', gameId).where('active', '=', true).where('format', '=', FORMAT)

/** Whether a game has sales and neither a model that this engine can read nor a training that failed. */
export async function isFirstTrainingDue(db: Db, gameId: string): Promise<boolean> {
  if (await activeRow(db, gameId).select('id').executeTakeFirst()) return false
  const last = await lastTraining(db, gameId)
  return last ? last.refused === null : (await salesSince(db, gameId, 0)) > 0
}

/** s to wait before a retry */
const TRAINED_IN = 30

export const isModelPending = (e: unknown): boolean => e instanceof AppError && e.code === 'MODEL_PENDING'

/** models in memory, of all games; one that was replaced, or serves a single report, goes after an hour without a request */
const MAX_KEPT = 100
const KEPT_MS = HOUR_MS

export function createModelRepository(db: Kysely<DB>): ModelRepository {
  const kept = new LRUCache<number, ActiveModel>({
    ...{ max: MAX_KEPT, ttl: KEPT_MS, ttlAutopurge: true, updateAgeOnGet: true },
    fetchMethod: (id) => readRow(db, id),
  })
  const inUse: ModelRepository['inUse'] = async ({ gameId }) => {
    const row = await activeRow(db, gameId).select('id').executeTakeFirst()
    return row && kept.fetch(row.id)
  }
  return {
    inUse,
    find: (id) => kept.fetch(id),
    async active(config) {
      const found = await inUse(config)
      if (found || !(await isFirstTrainingDue(db, config.gameId))) return found
      throw new AppError('MODEL_PENDING', { retryAfter: TRAINED_IN })
    },
  }
}

/** undefined for a refused training and for a model of another format, which cannot be used. */
async function readRow(db: Db, id: number): Promise<ActiveModel | undefined> {
  const row = await db
    .selectFrom('models')
    .select(['synthetic', 'synthetic_share as syntheticShare', 'body'])
    .where('id', '=', id)
    .where('format', '=', FORMAT)
    .where('body', '<>', '')
    .executeTakeFirst()
  return row && { id, synthetic: row.synthetic, syntheticShare: row.syntheticShare, model: await readModel(row.body) }
}

/** ms a replaced model is kept although no report references it */
const KEPT_FOR = 7 * DAY_MS

/** The model in use of a game; undefined without one that this engine can read. */
export const championOf = (db: Db, gameId: string) =>
  activeRow(db, gameId).select(['id', 'newest_sale', 'body']).where('body', '<>', '').executeTakeFirst()

interface NewModel {
  config: FormConfig
  /** see model-text; empty: it could not be trained */
  body: string
  /** what it was trained on */
  found: TrainingSales
  /** ms */
  now: number
  judgement?: Judgement | undefined
  /** its back-test; undefined when nothing could be tested */
  accuracy?: Backtest | undefined
  /** why it is not used, a sentence for staff */
  refused?: string | undefined
}

/**
 * Stores a training, so that it is not repeated, and puts its model into use unless it is refused. Kept are the models that
 * reports reference, those of a week and the newest refused one: staff may put them into use.
 * @param championId the model in use that it was compared with; 0: there was none
 * @returns false, without storing it, when another model is in use by now
 */
export async function storeTraining(db: Kysely<DB>, made: NewModel, championId = 0): Promise<boolean> {
  const { config, found, judgement, accuracy, refused = null } = made
  const { gameId } = config
  return db.transaction().execute(async (tx) => {
    await lockModels(tx, gameId)
    if (refused === null) {
      const inUse = tx.updateTable('models').set({ active: false }).where('game_id', '=', gameId)
      const replaced = await inUse
        .where('active', '=', true)
        .$if(championId > 0, (q) => q.where('id', '=', championId))
        .executeTakeFirst()
      if (championId > 0 && replaced.numUpdatedRows === 0n) return false
    }
    await tx
      .deleteFrom('models')
      .where('game_id', '=', gameId)
      .where('active', '=', false)
      // a concurrent submission may still reference the previous one, and staff may put it back
      .where((e) => e.or([e('trained_at', '<', made.now - KEPT_FOR), e('refused', 'is not', null)]))
      .where('id', '<>', championId)
      // `not in` would read every report
      .where((e) =>
        e.not(e.exists(e.selectFrom('reports').select('id').whereRef('reports.model_id', '=', 'models.id'))),
      )
      .execute()
    await tx
      .insertInto('models')
      .values({
        ...{ game_id: gameId, format: FORMAT, body: made.body, schema_version: config.schemaVersion },
        ...{ sample_n: found.sales.length, synthetic: found.synthetic, synthetic_share: found.syntheticShare },
        ...{ newest_sale: found.newestSale, trained_at: made.now, active: refused === null, refused },
        ...(accuracy && { accuracy: JSON.stringify(accuracy) }),
        ...(judgement && { n: judgement.n, moved: judgement.moved }),
        ...(judgement?.n && { champion_error: judgement.champion, challenger_error: judgement.challenger }),
      })
      .execute()
    return true
  })
}

/** Serialises changes of the active models. */
export const lockModels = (tx: Db, gameId: string) =>
  sql`select pg_advisory_xact_lock(hashtext(${`model:${gameId}`}))`.execute(tx)

/** The latest training of a game, accepted or not. */
export const lastTraining = (db: Db, gameId: string) =>
  db
    .selectFrom('models')
    .select(['schema_version', 'sample_n', 'newest_sale', 'refused', 'trained_at'])
    .where('game_id', '=', gameId)
    .where('format', '=', FORMAT)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Number of sales added after the one with that id. */
export async function salesSince(db: Db, gameId: string, id: number): Promise<number> {
  const { n } = await db
    .selectFrom('sales')
    .select(sql<number>`count(*)`.as('n'))
    .where('game_id', '=', gameId)
    .where('id', '>', id)
    .executeTakeFirstOrThrow()
  return Number(n)
}
