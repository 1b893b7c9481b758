/** Watches models daily on sales they have not seen: drift triggers a training, a worse model is rolled back. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import { SYNTHETIC } from '../../db/sales'
import { salesPeriod } from '../../engine/compare-models'
import { type Fit, fitOn, stability, unknownShare } from '../../engine/drift'
import { mean } from '../../engine/numbers'
import { FORMAT, type Sale } from '../../engine/types'
import { type NotQuarantined, rowsJob } from '../shared/due-rows'
import { MIN_TESTED, newestBacktest } from './backtests'
import type { DecisionMetrics } from './decision-log'
import { newestWithoutMajority } from './hold-out'
import type { ActiveModel } from './repository'
import { previousModelOf, rollBack } from './roll-back'

/** newest sales that the fit of a model is measured on, and those among which they are chosen */
const MAX_MEASURED = 300
const MAX_READ = 2000
const STEP = 10
/** limits beyond which a model has drifted: error against its back-test, coverage of 80 %, new items, population */
const DRIFT = { error: 1.25, points: 0.02, coverage: 0.7, unknown: 0.1, stability: 0.25 } as const
/** how much worse the model in use must be than the one before it, on the same sales, to be rolled back */
const ROLLBACK = { error: 1.15, points: 0.005 } as const

/** stored in `model_monitoring` for a model that was rolled back */
const ROLLED_BACK = 'TAKEN_BACK'

export type DriftStatus = 'FEW' | 'FITS' | 'DRIFTS' | typeof ROLLED_BACK

interface MeasuredFit extends Fit {
  unknown: number
  stable: number
}

/**
 * Real sales recorded after the model in use was trained: neither it nor the one before has seen them. At most half are of
 * one partner, whose sales alone must not have a model rolled back.
 */
async function laterSales(db: Db, gameId: string, newestSale: number): Promise<Sale[]> {
  const rows = await db
    .selectFrom('sales')
    .leftJoin('partner_sources as p', (join) =>
      join.onRef('p.source', '=', 'sales.source').on('channel', '=', 'PARTNER'),
    )
    .select(['id', 'kind', 'price_fen as priceFen', 'at', 'attributes', 'partner_id'])
    .where('game_id', '=', gameId)
    .where('kind', '=', 'SOLD')
    .where('sales.source', '<>', SYNTHETIC)
    .where('channel', 'not in', ['FOLLOW_UP', 'LISTING'])
    .where('id', '>', newestSale)
    .orderBy('id', 'desc')
    .limit(MAX_READ)
    .execute()
  const sales = [...rows]
    .reverse()
    .map(({ partner_id, ...row }) => ({ ...row, id: String(row.id), gameId, partner_id }))
  const partners = [...new Set(sales.flatMap(({ partner_id }) => partner_id ?? []))]
  const owned = partners.map((one) => ({
    ids: sales.flatMap(({ id, partner_id }) => (partner_id === one ? [id] : [])),
  }))
  const measured = newestWithoutMajority(sales, owned, MAX_MEASURED)
  return measured.map(({ partner_id: _, ...sale }) => sale)
}

/** In steps, so that other requests are served meanwhile. */
async function measureFit({ model }: ActiveModel, config: FormConfig, sales: readonly Sale[]): Promise<MeasuredFit> {
  const parts: Fit[] = []
  const errors: number[] = []
  for (let from = 0; from < sales.length; from += STEP) {
    for (const sale of sales.slice(from, from + STEP)) {
      const fit = fitOn(model, config, [sale])
      if (fit.n > 0) {
        parts.push(fit)
        errors.push(fit.medianError)
      }
    }
    await turn()
  }
  errors.sort((a, b) => a - b)
  return {
    n: parts.length,
    medianError: errors[Math.floor(errors.length / 2)] ?? 0,
    coverage: mean(parts.map(({ coverage }) => coverage)),
    unknown: unknownShare(model, sales),
    stable: stability(model, sales),
  }
}

/** Whether any figure is beyond its limit. @param tested median error of the back-test; undefined: none to compare with */
export function hasDrifted(fit: MeasuredFit, tested: number | undefined): boolean {
  const limit = tested === undefined ? Number.POSITIVE_INFINITY : tested * DRIFT.error + DRIFT.points
  return (
    fit.medianError > limit ||
    fit.coverage < DRIFT.coverage ||
    fit.unknown > DRIFT.unknown ||
    fit.stable > DRIFT.stability
  )
}

const isWorse = (champion: MeasuredFit, previous: MeasuredFit | undefined): boolean =>
  previous !== undefined &&
  Math.min(champion.n, previous.n) >= MIN_TESTED &&
  champion.medianError > previous.medianError * ROLLBACK.error + ROLLBACK.points

const dayOf = (now: number) => now - (now % DAY_MS)

const REASON = '在新成交上明显不如上一个模型，已自动换回'

/** The errors of both models, of which the one in use was worse. */
const figuresOf = (sales: readonly Sale[], worse: MeasuredFit, previous: MeasuredFit): DecisionMetrics => {
  const { days, from, until } = salesPeriod(sales)
  return {
    ...{ rule: 'SAME_SALES', n: worse.n, days, from_at: from, until_at: until },
    ...{ champion_error: worse.medianError, challenger_error: previous.medianError },
  }
}

interface Due {
  game_id: string
  config: FormConfig
  id: number
  newest_sale: number
  trained_at: number
}

const dueGames = (db: Db, day: number, notQuarantined: NotQuarantined): Promise<Due[]> =>
  db
    .selectFrom('games')
    .innerJoin('models', (join) => join.onRef('models.game_id', '=', 'games.game_id').on('models.active', '=', true))
    .select(['games.game_id', 'games.config', 'models.id', 'models.newest_sale', 'models.trained_at'])
    .where('models.format', '=', FORMAT)
    .where('models.body', '<>', '')
    .where(notQuarantined(sql`games.game_id`))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('model_monitoring as w')
            .select('w.day')
            .whereRef('w.game_id', '=', 'games.game_id')
            .whereRef('w.model_id', '=', 'models.id')
            .where('w.day', '=', day),
        ),
      ),
    )
    .execute()

async function note(
  db: Db,
  of: { gameId: string; day: number; id: number },
  role: string,
  fit: MeasuredFit,
  verdict: DriftStatus,
) {
  await db
    .insertInto('model_monitoring')
    .values({
      ...{ game_id: of.gameId, day: of.day, model_id: of.id, role, n: fit.n, verdict },
      ...{ median_error: fit.medianError, coverage: fit.coverage, unknown_share: fit.unknown, stability: fit.stable },
    })
    .onConflict((c) => c.columns(['game_id', 'day', 'model_id']).doNothing())
    .execute()
}

/** Error of the model in use in its own back-test on real sales, as later sales are; a test of generated ones is no measure. */
async function testedError(db: Db, gameId: string, trainedAt: number): Promise<number | undefined> {
  const run = await newestBacktest(db, gameId)
  return run && !run.synthetic && run.ranAt >= trainedAt ? run.result.medianError : undefined
}

async function monitor(
  deps: Deps,
  { game_id: gameId, config, id, newest_sale, trained_at }: Due,
  now: number,
): Promise<boolean> {
  const { db, models } = deps
  const day = dayOf(now)
  const sales = await laterSales(db, gameId, newest_sale)
  const champion = sales.length > 0 ? await models.find(id) : undefined
  const nothing = { n: 0, medianError: 0, coverage: 0, unknown: 0, stable: 0 }
  const current = champion ? await measureFit(champion, config, sales) : nothing
  const old = current.n >= MIN_TESTED ? await previousModelOf(db, gameId, id) : undefined
  const previousModel = old && (await models.find(old.id))
  const previous = previousModel && (await measureFit(previousModel, config, sales))
  const back = async (to: number, better: MeasuredFit) => {
    const figures = figuresOf(sales, current, better)
    return db.transaction().execute((tx) => rollBack(tx, { gameId, from: id, to, reason: REASON, figures, now }))
  }
  if (old && previous && isWorse(current, previous) && (await back(old.id, previous))) {
    deps.log.warn({ game: gameId, from: id, to: old.id }, 'a worse model was rolled back')
    await note(db, { gameId, day, id: old.id }, 'CHAMPION', previous, 'FITS')
    await note(db, { gameId, day, id }, ROLLED_BACK, current, ROLLED_BACK)
    return true
  }
  const tested = await testedError(db, gameId, trained_at)
  const verdict = current.n < MIN_TESTED ? 'FEW' : hasDrifted(current, tested) ? 'DRIFTS' : 'FITS'
  await note(db, { gameId, day, id }, 'CHAMPION', current, verdict)
  if (old && previous) await note(db, { gameId, day, id: old.id }, 'FORMER', previous, 'FITS')
  return true
}

/** Measures the model in use of every game once a day. */
export const monitorModels = rowsJob({
  name: 'model monitoring',
  lowPriority: true,
  due: (deps, now, notQuarantined) => dueGames(deps.db, dayOf(now), notQuarantined),
  idOf: ({ game_id }) => game_id,
  process: monitor,
})

/** Whether the model in use has been found to have drifted. */
export async function isDrifting(db: Db, gameId: string): Promise<boolean> {
  const row = await db
    .selectFrom('model_monitoring as w')
    .innerJoin('models as m', 'm.id', 'w.model_id')
    .select('w.verdict')
    .where('w.game_id', '=', gameId)
    .where('m.active', '=', true)
    .orderBy('w.day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.verdict === 'DRIFTS'
}
