import { type Kysely, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import { AppError } from '../../core/app-error'
import type { Backtest } from '../../db/columns'
import type { Db } from '../../db/database'
import type { DB } from '../../db/tables'
import { FORMAT, type Model } from '../../engine/types'
import type { Judgement } from './acceptance'
import { readModel } from './model-text'

export interface ActiveModel {
  id: number
  /** trained with generated sales, which the report must state */
  synthetic: boolean
  /** share of generated sales, 0 to 1 */
  syntheticShare: number
  model: Model
}

/** Cache of each game's active model, parsed on first use and again after another one became active. */
export interface ModelRepository {
  /**
   * Waits for the first training if needed, for a limited time. undefined: no sales to learn from, users see 样本不足. Must
   * not be called inside a transaction.
   * @param waits ms
   * @throws AppError MODEL_PENDING; the training continues
   */
  active(config: FormConfig, waits?: number): Promise<ActiveModel | undefined>
  /** The same, but never starts or awaits a training: undefined without a model. */
  inUse(config: Pick<FormConfig, 'gameId'>): Promise<ActiveModel | undefined>
  /** The model of that id, active or not: recomputes reports. */
  find(id: number): Promise<ActiveModel | undefined>
}

/** The model in use of a game. */
export const activeRow = (db: Db, gameId: string) =>
  db.selectFrom('models').where('game_id', '=', gameId).where('active', '=', true).where('format', '=', FORMAT)

export const hasModel = async (db: Db, gameId: string): Promise<boolean> =>
  (await activeRow(db, gameId).select('id').executeTakeFirst()) !== undefined

/** ms a request waits for the first model of a game: most are trained by then, and the app times out after 60 s */
const WAITS_FOR_TRAINING = 10_000
/** ms a job waits for it: enough to find out that there are no sales, without delaying the rows after it */
export const JOB_WAITS_FOR_TRAINING = 1000
/** s to wait before a retry */
const TRAINED_IN = 30

export const isModelPending = (e: unknown): boolean => e instanceof AppError && e.code === 'MODEL_PENDING'

/** @throws AppError MODEL_PENDING when it takes longer; the training continues */
async function within(ms: number, training: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('MODEL_PENDING', { retryAfter: TRAINED_IN })), ms)
  })
  return Promise.race([training, late]).finally(() => clearTimeout(timer))
}

/**
 * @param ensure trains a game without a model; false when there are no sales to learn from
 * @param patience default of `waits` in ms
 */
export function createModelRepository(
  db: Kysely<DB>,
  ensure: (config: FormConfig) => Promise<boolean>,
  patience = WAITS_FOR_TRAINING,
): ModelRepository {
  const kept = new Map<string, ActiveModel>()
  // caches one inactive model: a reader usually rejects several comparables of one report in a row
  let previous: ActiveModel | undefined
  const reading = new Map<number, Promise<ActiveModel | undefined>>()
  /** Concurrent requests share one read of a model. */
  const read = (id: number) => {
    const pending = reading.get(id) ?? readRow(db, id).finally(() => reading.delete(id))
    reading.set(id, pending)
    return pending
  }
  const inUse: ModelRepository['inUse'] = async ({ gameId }) => {
    const newest = await activeRow(db, gameId).select('id').executeTakeFirst()
    const cached = kept.get(gameId)
    if (!newest || cached?.id === newest.id) return newest && cached
    const fresh = await read(newest.id)
    if (fresh) kept.set(gameId, fresh)
    return fresh
  }
  return {
    inUse,
    async find(id) {
      const cached = [...kept.values(), previous].find((model) => model?.id === id)
      if (cached) return cached
      previous = await read(id)
      return previous
    },
    async active(config, waits = patience) {
      return (await inUse(config)) ?? ((await within(waits, ensure(config))) ? inUse(config) : undefined)
    },
  }
}

/** undefined for a refused training and for a model of another format, which cannot be used. */
async function readRow(db: Db, id: number): Promise<ActiveModel | undefined> {
  const row = await db
    .selectFrom('models')
    .select(['synthetic', 'synthetic_share', 'body'])
    .where('id', '=', id)
    .where('format', '=', FORMAT)
    .where('body', '<>', '')
    .executeTakeFirst()
  return row && { id, synthetic: row.synthetic, syntheticShare: row.synthetic_share, model: await readModel(row.body) }
}

/** ms a replaced model is kept although no report references it */
const KEPT_FOR = 7 * DAY_MS

/** The model in use of a game; undefined without one that this engine can read. */
export const championOf = (db: Db, gameId: string) =>
  activeRow(db, gameId).select(['id', 'newest_sale', 'body']).where('body', '<>', '').executeTakeFirst()

export interface NewModel {
  config: FormConfig
  /** see model-text; empty: it could not be trained */
  body: string
  sampleN: number
  synthetic: boolean
  syntheticShare: number
  newestSale: number
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
 * @param championId the model in use that it was compared with; undefined: there was none
 * @returns false, without storing it, when another model is in use by now
 */
export async function storeTraining(db: Kysely<DB>, made: NewModel, championId: number | undefined): Promise<boolean> {
  const { config, judgement, accuracy, refused = null } = made
  const { gameId } = config
  return db.transaction().execute(async (tx) => {
    await lockModels(tx, gameId)
    if (refused === null) {
      const inUse = tx.updateTable('models').set({ active: false }).where('game_id', '=', gameId)
      const replaced = await inUse
        .where('active', '=', true)
        .$if(championId !== undefined, (q) => q.where('id', '=', championId ?? 0))
        .executeTakeFirst()
      if (championId !== undefined && replaced.numUpdatedRows === 0n) return false
    }
    await tx
      .deleteFrom('models')
      .where('game_id', '=', gameId)
      .where('active', '=', false)
      // a concurrent submission may still reference the previous one, and staff may put it back
      .where((e) => e.or([e('trained_at', '<', made.now - KEPT_FOR), e('refused', 'is not', null)]))
      .$if(championId !== undefined, (q) => q.where('id', '<>', championId ?? 0))
      // `not in` would read every report
      .where((e) =>
        e.not(e.exists(e.selectFrom('reports').select('id').whereRef('reports.model_id', '=', 'models.id'))),
      )
      .execute()
    await tx
      .insertInto('models')
      .values({
        ...{ game_id: gameId, format: FORMAT, body: made.body, schema_version: config.schemaVersion },
        ...{ sample_n: made.sampleN, synthetic: made.synthetic, synthetic_share: made.syntheticShare },
        ...{ newest_sale: made.newestSale, trained_at: made.now, active: refused === null, refused },
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
