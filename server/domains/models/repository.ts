import { setImmediate as turn } from 'node:timers/promises'
import { type Insertable, type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import { AppError } from '../../app-error'
import type { Db } from '../../db/database'
import { SYNTHETIC } from '../../db/sales'
import type { DB, Sales } from '../../db/tables'
import type { Backtest } from '../../engine/backtest'
import { FORMAT, type Model, type Sale } from '../../engine/types'
import { BATCH_SIZE } from '../shared/batches'
import { storeBacktest } from './backtests'
import { type DecisionMetrics, storeDecision } from './decision-log'
import { readModel } from './model-text'
import { isVerified, SELF_REPORTED, saleWeights, type TraceableSale } from './sale-weights'
import { forgetWithdrawals } from './withdrawn-sales'

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
  return {
    async find(id) {
      const cached = [...kept.values(), previous].find((one) => one?.id === id)
      if (cached) return cached
      previous = await read(id)
      return previous
    },
    async active(config, waits = patience) {
      const { gameId } = config
      let newest = await activeRow(db, gameId).select('id').executeTakeFirst()
      if (!newest && (await within(waits, ensure(config))))
        newest = await activeRow(db, gameId).select('id').executeTakeFirst()
      const cached = kept.get(gameId)
      if (!newest || cached?.id === newest.id) return newest && cached
      const fresh = await read(newest.id)
      if (fresh) kept.set(gameId, fresh)
      return fresh
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

/** Newest sales that a model is trained on; older ones say little about current prices. */
const MAX_SALES = 20_000

/** From this number of verified sales (`isVerified`) on, generated ones are excluded from training. */
export const MIN_REAL = 500

export interface TrainingSales {
  /** with the weights of sale-weights.ts */
  sales: Sale[]
  /** some of them are generated */
  synthetic: boolean
  /** share of generated ones, 0 to 1 */
  syntheticShare: number
  /** id of the newest */
  newestSale: number
  /** ids of real sold ones whose sellers had nothing to gain from a false price: models are compared on them */
  verified: ReadonlySet<string>
  /** ids of those that people report of themselves */
  selfReported: ReadonlySet<string>
  /** those of partners */
  partners: PartnerSales[]
  /** ids of those with which partners' unchecked ones are compared; none where too few know the market */
  judges: string[]
}

export interface PartnerSales {
  partnerId: string
  name: string
  /** of its sales in training */
  ids: string[]
  /** those of them that no person has accepted at the desk */
  unchecked: string[]
}

/** The sales a model of the game is trained on now. */
export async function newestSales(db: Db, config: FormConfig): Promise<TrainingSales> {
  const { gameId } = config
  const ofGame = db.selectFrom('sales').where('game_id', '=', gameId)
  const real = ofGame.where('source', '<>', SYNTHETIC)
  const sold = real.where('kind', '=', 'SOLD').where('channel', 'not in', SELF_REPORTED)
  const enough = (await sold.select('id').limit(MIN_REAL).execute()).length === MIN_REAL
  const rows = await newestFirst(enough ? real : ofGame)
  const traced = rows.map(
    (r): TraceableSale => ({
      ...{ id: String(r.id), gameId, kind: r.kind, priceFen: r.price_fen, at: r.at, attributes: r.attributes },
      ...{ channel: r.channel, source: r.source, synthetic: r.source === SYNTHETIC },
      ...{ residual: r.residual ?? undefined, reporter: r.reporter ?? undefined },
      device: r.device ?? undefined,
      fingerprint: r.fingerprint ?? undefined,
    }),
  )
  const weights = saleWeights(config, traced)
  const sales = traced.map(({ id, kind, priceFen, at, attributes }, i): Sale => {
    const weight = weights[i] ?? 1
    return { id, gameId, kind, priceFen, at, attributes, ...(weight !== 1 && { weight }) }
  })
  const made = traced.filter(({ synthetic }) => synthetic).length
  const newestSale = rows.reduce((newest, { id }) => Math.max(newest, id), 0)
  const verified = new Set(traced.flatMap((one, i) => (isVerified(one) && weights[i] !== 0 ? [one.id] : [])))
  const selfReported = new Set(traced.flatMap(({ id, channel }) => (SELF_REPORTED.includes(channel) ? [id] : [])))
  const syntheticShare = made / Math.max(1, rows.length)
  const partners = await partnerSales(db, gameId, traced)
  return {
    sales,
    synthetic: made > 0,
    syntheticShare,
    newestSale,
    verified,
    selfReported,
    partners,
    judges: judgesOf(traced, partners),
  }
}

/** verified sales below which nobody knows the market better than a partner: in all, and in the last 90 days */
const MIN_JUDGES = { all: 200, recent: 50, since: 90 * DAY_MS } as const

/**
 * Ids of the real sales that do not come unchecked from partners, who may agree on what they send: partners are compared with
 * them. None where they are too few to know the market.
 */
function judgesOf(sales: readonly TraceableSale[], partners: readonly PartnerSales[]): string[] {
  const unchecked = new Set(partners.flatMap((one) => one.unchecked))
  const known = sales.filter(({ id, synthetic }) => !synthetic && !unchecked.has(id))
  const verified = known.filter(isVerified)
  const since = sales.reduce((newest, { at }) => Math.max(newest, at), 0) - MIN_JUDGES.since
  const recent = verified.filter(({ at }) => at > since)
  const isEnough = verified.length >= MIN_JUDGES.all && recent.length >= MIN_JUDGES.recent
  return isEnough ? known.map(({ id }) => id) : []
}

async function partnerSales(db: Db, gameId: string, sales: readonly TraceableSale[]): Promise<PartnerSales[]> {
  const sent = sales.filter(({ channel }) => channel === 'PARTNER')
  if (sent.length === 0) return []
  const owners = await db
    .selectFrom('partner_sources as s')
    .innerJoin('partners as p', 'p.partner_id', 's.partner_id')
    .select(['s.source', 'p.partner_id', 'p.name'])
    .execute()
  const accepted = await db
    .selectFrom('sales as s')
    .innerJoin('held_sales as h', (join) =>
      join.onRef('h.source', '=', 's.source').onRef('h.external_id', '=', 's.external_id'),
    )
    .select('s.id')
    .where('h.game_id', '=', gameId)
    .where('s.channel', '=', 'PARTNER')
    .where('h.decision', '=', 'ACCEPTED')
    .execute()
  const checked = new Set(accepted.map(({ id }) => String(id)))
  const bySource = new Map(owners.map((owner) => [owner.source, owner]))
  const partners = new Map<string, PartnerSales>()
  for (const { id, source } of sent) {
    const { partner_id: partnerId = source, name = source } = bySource.get(source) ?? {}
    const own = partners.get(partnerId) ?? { partnerId, name, ids: [], unchecked: [] }
    partners.set(partnerId, own)
    own.ids.push(id)
    if (!checked.has(id)) own.unchecked.push(id)
  }
  return [...partners.values()]
}

/** Reads in batches, so that other requests are served while twenty thousand sales are read. */
async function newestFirst(ofGame: SelectQueryBuilder<DB, 'sales', object>) {
  const rows: Selectable<Sales>[] = []
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
  syntheticShare: number
  newestSale: number
  /** ms */
  now: number
}

const rowOf = ({ config, body, sampleN, synthetic, syntheticShare, newestSale, now }: NewModel) => ({
  game_id: config.gameId,
  format: FORMAT,
  body,
  schema_version: config.schemaVersion,
  sample_n: sampleN,
  synthetic,
  synthetic_share: syntheticShare,
  newest_sale: newestSale,
  trained_at: now,
})

/** ms a replaced model is kept although no report references it */
const KEPT_FOR = 7 * DAY_MS

/** The model in use of a game; undefined without one that this engine can read. */
export const championOf = (db: Db, gameId: string) =>
  activeRow(db, gameId)
    .select(['id', 'newest_sale', 'body', 'synthetic', 'sample_n', 'schema_version'])
    .where('body', '<>', '')
    .executeTakeFirst()

interface Replacement {
  /** id of the model that it was compared with; undefined: there was none */
  championId: number | undefined
  figures: DecisionMetrics
}

/**
 * Stores a model with its back-test and makes it active in one transaction: the figures that are published, and compared
 * with the next model, are never those of another one. Older models are kept while a report references them.
 * @param accuracy its back-test; undefined when nothing could be tested, or when it is tested later
 * @returns false when another model than the one of `championId` is in use by now
 */
export async function storeModel(
  db: Kysely<DB>,
  made: NewModel,
  { championId, figures, accuracy }: Replacement & { accuracy?: Backtest | undefined },
): Promise<boolean> {
  const { gameId } = made.config
  return db.transaction().execute(async (tx) => {
    await lockModels(tx, gameId)
    const replaced = await tx
      .updateTable('models')
      .set({ active: false })
      .where('game_id', '=', gameId)
      .where('active', '=', true)
      .$if(championId !== undefined, (q) => q.where('id', '=', championId ?? 0))
      .executeTakeFirst()
    if (championId !== undefined && replaced.numUpdatedRows === 0n) return false
    await tx
      .deleteFrom('models')
      .where('game_id', '=', gameId)
      // a concurrent submission may still reference the previous one, and it may have to be used again
      .where('trained_at', '<', made.now - KEPT_FOR)
      .$if(championId !== undefined, (q) => q.where('id', '<>', championId ?? 0))
      // `not in` would read every report
      .where((e) =>
        e.not(e.exists(e.selectFrom('reports').select('id').whereRef('reports.model_id', '=', 'models.id'))),
      )
      .execute()
    const { id } = await tx
      .insertInto('models')
      .values({ ...rowOf(made), active: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    await storeDecision(tx, {
      ...{ game_id: gameId, at: made.now, newest_sale: made.newestSale, decision: 'PROMOTED' },
      ...{ champion_id: championId ?? null, challenger_id: id, ...figures },
    })
    await forgetWithdrawals(tx, gameId)
    if (accuracy) await storeAccuracy(tx, made, accuracy)
    return true
  })
}

/** Stores the back-test of a model under its training. */
export const storeAccuracy = (
  db: Db,
  { config: { gameId }, synthetic, syntheticShare, now }: Omit<NewModel, 'body'>,
  result: Backtest,
): Promise<void> => storeBacktest(db, { gameId, synthetic, syntheticShare, result, ranAt: now })

/** Serialises changes of the active models. */
export const lockModels = (tx: Db, gameId: string) =>
  sql`select pg_advisory_xact_lock(hashtext(${`model:${gameId}`}))`.execute(tx)

interface Refusal extends Replacement {
  /** a sentence for staff */
  reason: string
}

/** The decision that a training gave no model to use, without the refused model. */
export const refusalOf = (
  tried: Omit<NewModel, 'body'>,
  { championId, figures, reason }: Refusal,
): Insertable<DB['model_decisions']> => ({
  ...{ game_id: tried.config.gameId, at: tried.now, newest_sale: tried.newestSale, decision: 'REFUSED', reason },
  ...{ champion_id: championId ?? null, ...figures },
})

/** Records that these sales and this form gave no better model, so that the training is not repeated. */
export async function storeRefusal(db: Kysely<DB>, tried: Omit<NewModel, 'body'>, refusal: Refusal): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { id } = await tx
      .insertInto('models')
      .values({ ...rowOf({ ...tried, body: '' }), active: false, refused: refusal.reason })
      .returning('id')
      .executeTakeFirstOrThrow()
    await storeDecision(tx, { ...refusalOf(tried, refusal), challenger_id: id })
  })
}

/** The latest training of a game, accepted or not. */
export const lastTraining = (db: Db, gameId: string) =>
  db
    .selectFrom('models')
    .select(['schema_version', 'sample_n', 'newest_sale', 'refused', 'active', 'trained_at'])
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
