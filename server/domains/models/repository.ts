import { setImmediate as turn } from 'node:timers/promises'
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'
import { SYNTHETIC } from '../../db/sales'
import type { SalesTable, Tables } from '../../db/tables'
import { FORMAT, type Model, type Sale } from '../../engine/types'
import { BATCH_SIZE } from '../shared/batches'
import { readModel } from './model-text'

export interface ActiveModel {
  id: number
  /** trained with generated sales: the report must say so */
  synthetic: boolean
  model: Model
}

/** The active model of each game, parsed when it is first needed and again when another one became active. */
export interface ModelRepository {
  /**
   * Waits for the first training when need be, but not for long. undefined: no sales to learn from, users see too few
   * samples. Not inside a transaction.
   * @param waits ms
   * @throws AppError MODEL_PENDING; the training goes on
   */
  active(config: FormConfig, waits?: number): Promise<ActiveModel | undefined>
  /** The model of that id, active or not: what an older report is computed again with. */
  find(id: number): Promise<ActiveModel | undefined>
}

const activeRow = (db: Db, gameId: string) =>
  db.selectFrom('models').where('game_id', '=', gameId).where('active', '=', true).where('format', '=', FORMAT)

export const hasModel = async (db: Db, gameId: string): Promise<boolean> =>
  (await activeRow(db, gameId).select('id').executeTakeFirst()) !== undefined

/** ms somebody waits for the first model of a game: most are trained by then, and the app gives up after 60 s */
const WAITS_FOR_TRAINING = 10_000
/** ms a job waits for it: long enough to find out that there is nothing to learn from, and the rows after it wait too */
export const JOB_WAITS_FOR_TRAINING = 1000
/** s after which it is worth asking again */
const TRAINED_IN = 30

export const isModelPending = (e: unknown): boolean => e instanceof AppError && e.code === 'MODEL_PENDING'

/** @throws AppError MODEL_PENDING when it takes longer; the training itself goes on */
async function within(ms: number, training: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('MODEL_PENDING', { retryAfter: TRAINED_IN })), ms)
  })
  return Promise.race([training, late]).finally(() => clearTimeout(timer))
}

/**
 * @param ensure trains a game that has no model yet; false when there is nothing to learn from
 * @param patience ms that `active` waits for it unless told otherwise
 */
export function createModelRepository(
  db: Kysely<Tables>,
  ensure: (config: FormConfig) => Promise<boolean>,
  patience = WAITS_FOR_TRAINING,
): ModelRepository {
  const kept = new Map<string, ActiveModel>()
  // one old model is enough: a reader rejects several comparables of one report after another
  let former: ActiveModel | undefined
  const reading = new Map<number, Promise<ActiveModel | undefined>>()
  /** Whoever asks while a model is read waits for that reading. */
  const read = (id: number) => {
    const known = reading.get(id) ?? readRow(db, id).finally(() => reading.delete(id))
    reading.set(id, known)
    return known
  }
  return {
    async find(id) {
      const known = [...kept.values(), former].find((one) => one?.id === id)
      if (known) return known
      former = await read(id)
      return former
    },
    async active(config, waits = patience) {
      const { gameId } = config
      let newest = await activeRow(db, gameId).select('id').executeTakeFirst()
      if (!newest && (await within(waits, ensure(config))))
        newest = await activeRow(db, gameId).select('id').executeTakeFirst()
      const known = kept.get(gameId)
      if (!newest || known?.id === newest.id) return newest && known
      const fresh = await read(newest.id)
      if (fresh) kept.set(gameId, fresh)
      return fresh
    },
  }
}

/** undefined for a training that was not taken, and for a model of another format: nothing can be computed with it. */
async function readRow(db: Db, id: number): Promise<ActiveModel | undefined> {
  const row = await db
    .selectFrom('models')
    .select(['synthetic', 'body'])
    .where('id', '=', id)
    .where('format', '=', FORMAT)
    .where('body', '<>', '')
    .executeTakeFirst()
  return row && { id, synthetic: row.synthetic, model: await readModel(row.body) }
}

/** Newest sales a model is trained on; older ones say little about today's prices. */
const MAX_SALES = 20_000

/** From so many real sales on, generated ones are left out: an invented market may not water down the real one. */
const MIN_REAL = 50

/** What a model of the game learns from now. `synthetic`: some of it is generated. */
export async function newestSales(
  db: Db,
  gameId: string,
): Promise<{ sales: Sale[]; synthetic: boolean; newestSale: number }> {
  const ofGame = db.selectFrom('sales').where('game_id', '=', gameId)
  const real = ofGame.where('source', '<>', SYNTHETIC)
  const enough = (await real.select('id').limit(MIN_REAL).execute()).length === MIN_REAL
  const rows = await newestFirst(enough ? real : ofGame)
  const sales = rows.map((r) => ({
    id: String(r.id),
    gameId,
    kind: r.kind,
    priceFen: r.price_fen,
    at: r.at,
    attributes: r.attributes,
  }))
  const newestSale = rows.reduce((newest, { id }) => Math.max(newest, id), 0)
  return { sales, synthetic: rows.some((r) => r.source === SYNTHETIC), newestSale }
}

/** In parts, so that a server reading twenty thousand sales answers others meanwhile. */
async function newestFirst(ofGame: SelectQueryBuilder<Tables, 'sales', object>) {
  const rows: Selectable<SalesTable>[] = []
  for (let more = true; more && rows.length < MAX_SALES; await turn()) {
    const last = rows.at(-1)
    const part = await ofGame
      .selectAll()
      .$if(last !== undefined, (q) =>
        q.where(({ eb, and, or }) => {
          const { at, id } = last ?? { at: 0, id: 0 }
          return or([eb('at', '<', at), and([eb('at', '=', at), eb('id', '>', id)])])
        }),
      )
      .orderBy('at', 'desc')
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    rows.push(...part)
    more = part.length === BATCH_SIZE
  }
  return rows
}

export interface NewModel {
  config: FormConfig
  /** see model-text */
  body: string
  sampleN: number
  synthetic: boolean
  newestSale: number
  /** ms */
  now: number
}

const rowOf = ({ config, body, sampleN, synthetic, newestSale, now }: NewModel) => ({
  game_id: config.gameId,
  format: FORMAT,
  body,
  schema_version: config.schemaVersion,
  sample_n: sampleN,
  synthetic,
  newest_sale: newestSale,
  trained_at: now,
})

/**
 * Makes a model the game's active one in one step. Older ones stay as long as a report names them.
 */
export async function storeModel(db: Kysely<Tables>, made: NewModel): Promise<void> {
  const { gameId } = made.config
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`model:${gameId}`}))`.execute(tx)
    await tx
      .updateTable('models')
      .set({ active: false })
      .where('game_id', '=', gameId)
      .where('active', '=', true)
      .execute()
    await tx
      .deleteFrom('models')
      .where('game_id', '=', gameId)
      // a submission under way may still name the last one
      .where('trained_at', '<', made.now - DAY_MS)
      .where(
        'id',
        'not in',
        tx.selectFrom('reports').select('model_id').where('model_id', 'is not', null).$castTo<{ model_id: number }>(),
      )
      .execute()
    await tx
      .insertInto('models')
      .values({ ...rowOf(made), active: true })
      .execute()
  })
}

/** Notes that these sales and this form gave no better model, so that nobody tries them again. */
export async function storeRefusal(db: Db, tried: Omit<NewModel, 'body'>, reason: string): Promise<void> {
  await db
    .insertInto('models')
    .values({ ...rowOf({ ...tried, body: '' }), active: false, refused: reason })
    .execute()
}

/** The newest training of a game, taken or not. */
export const lastTraining = (db: Db, gameId: string) =>
  db
    .selectFrom('models')
    .select(['schema_version', 'sample_n', 'newest_sale', 'refused', 'active'])
    .where('game_id', '=', gameId)
    .where('format', '=', FORMAT)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** How many sales came after the one with that id. */
export async function salesSince(db: Db, gameId: string, id: number): Promise<number> {
  const { n } = await db
    .selectFrom('sales')
    .select(sql<number>`count(*)`.as('n'))
    .where('game_id', '=', gameId)
    .where('id', '>', id)
    .executeTakeFirstOrThrow()
  return Number(n)
}
