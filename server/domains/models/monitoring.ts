/** Watches models daily on sales they have not seen: drift triggers a training, a worse model is rolled back. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { Deps } from '../../context'
import type { Db } from '../../db/database'
import { SYNTHETIC } from '../../db/sales'
import { type Fit, fitOn, stability, unknownShare } from '../../engine/drift'
import { FORMAT, type Sale } from '../../engine/types'
import { forEachDueRow, type NotQuarantined } from '../shared/due-rows'
import type { Job } from '../shared/job'
import { MIN_TESTED, newestBacktest } from './backtests'
import type { Figures } from './decision-log'
import type { ActiveModel } from './repository'
import { formerOf, rollBack } from './roll-back'

/** newest sales that a model is judged by */
const MAX_JUDGED = 300
const STEP = 10
/** limits beyond which a model has drifted: error against its back-test, coverage of 80 %, new items, population */
const DRIFT = { error: 1.25, points: 0.02, coverage: 0.7, unknown: 0.1, stability: 0.25 } as const
/** how much worse the model in use must be than the one before it, on the same sales, to be rolled back */
const ROLLBACK = { error: 1.15, points: 0.005 } as const

/** stored in `model_watch` for a model that was rolled back */
const ROLLED_BACK = 'TAKEN_BACK'

export type DriftStatus = 'FEW' | 'FITS' | 'DRIFTS' | typeof ROLLED_BACK

interface Judged extends Fit {
  unknown: number
  stable: number
}

/** Real sales recorded after the model in use was trained: neither it nor the one before has seen them. */
async function laterSales(db: Db, gameId: string, newestSale: number): Promise<Sale[]> {
  const rows = await db
    .selectFrom('sales')
    .select(['id', 'kind', 'price_fen as priceFen', 'at', 'attributes'])
    .where('game_id', '=', gameId)
    .where('kind', '=', 'SOLD')
    .where('source', '<>', SYNTHETIC)
    .where('channel', 'not in', ['FOLLOW_UP', 'LISTING'])
    .where('id', '>', newestSale)
    .orderBy('id', 'desc')
    .limit(MAX_JUDGED)
    .execute()
  return rows.map((row) => ({ ...row, id: String(row.id), gameId }))
}

/** In steps, so that other requests are served meanwhile. */
async function judge({ model }: ActiveModel, config: FormConfig, sales: readonly Sale[]): Promise<Judged> {
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
    coverage: parts.reduce((total, { coverage }) => total + coverage, 0) / Math.max(1, parts.length),
    unknown: unknownShare(model, sales),
    stable: stability(model, sales),
  }
}

/** Whether any figure is beyond its limit. @param tested median error of the back-test; undefined: none to compare with */
export function hasDrifted(judged: Judged, tested: number | undefined): boolean {
  const limit = tested === undefined ? Number.POSITIVE_INFINITY : tested * DRIFT.error + DRIFT.points
  return (
    judged.medianError > limit ||
    judged.coverage < DRIFT.coverage ||
    judged.unknown > DRIFT.unknown ||
    judged.stable > DRIFT.stability
  )
}

const isWorse = (champion: Judged, former: Judged | undefined): boolean =>
  former !== undefined &&
  Math.min(champion.n, former.n) >= MIN_TESTED &&
  champion.medianError > former.medianError * ROLLBACK.error + ROLLBACK.points

const dayOf = (now: number) => now - (now % DAY_MS)

const REASON = '在新成交上明显不如上一个模型，已自动换回'

/** The errors of both models, of which the one in use was worse. */
const figuresOf = (sales: readonly Sale[], worse: Judged, former: Judged): Figures => {
  const times = sales.map(({ at }) => at)
  return {
    ...{ rule: 'SAME_SALES', n: worse.n, days: new Set(times.map(dayOf)).size },
    ...{ from_at: Math.min(...times), until_at: Math.max(...times) },
    ...{ champion_error: worse.medianError, challenger_error: former.medianError },
  }
}

interface Due {
  game_id: string
  config: FormConfig
  id: number
  newest_sale: number
}

const dueGames = (db: Db, day: number, notQuarantined: NotQuarantined): Promise<Due[]> =>
  db
    .selectFrom('games')
    .innerJoin('models', (join) => join.onRef('models.game_id', '=', 'games.game_id').on('models.active', '=', true))
    .select(['games.game_id', 'games.config', 'models.id', 'models.newest_sale'])
    .where('models.format', '=', FORMAT)
    .where('models.body', '<>', '')
    .where(notQuarantined(sql`games.game_id`))
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('model_watch as w')
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
  j: Judged,
  verdict: DriftStatus,
) {
  await db
    .insertInto('model_watch')
    .values({
      ...{ game_id: of.gameId, day: of.day, model_id: of.id, role, n: j.n, verdict },
      ...{ median_error: j.medianError, coverage: j.coverage, unknown_share: j.unknown, stability: j.stable },
    })
    .onConflict((c) => c.columns(['game_id', 'day', 'model_id']).doNothing())
    .execute()
}

async function monitor(deps: Deps, { game_id: gameId, config, id, newest_sale }: Due, now: number): Promise<boolean> {
  const { db, models } = deps
  const day = dayOf(now)
  const sales = await laterSales(db, gameId, newest_sale)
  const champion = sales.length > 0 ? await models.find(id) : undefined
  const nothing = { n: 0, medianError: 0, coverage: 0, unknown: 0, stable: 0 }
  const judged = champion ? await judge(champion, config, sales) : nothing
  const old = judged.n >= MIN_TESTED ? await formerOf(db, gameId, id) : undefined
  const formerModel = old && (await models.find(old.id))
  const former = formerModel && (await judge(formerModel, config, sales))
  const back = async (to: number, better: Judged) => {
    const figures = figuresOf(sales, judged, better)
    return db.transaction().execute((tx) => rollBack(tx, { gameId, from: id, to, reason: REASON, figures, now }))
  }
  if (old && former && isWorse(judged, former) && (await back(old.id, former))) {
    deps.log.warn({ game: gameId, from: id, to: old.id }, 'a worse model was rolled back')
    await note(db, { gameId, day, id: old.id }, 'CHAMPION', former, 'FITS')
    await note(db, { gameId, day, id }, ROLLED_BACK, judged, ROLLED_BACK)
    return true
  }
  const tested = (await newestBacktest(db, gameId))?.result.medianError
  const verdict = judged.n < MIN_TESTED ? 'FEW' : hasDrifted(judged, tested) ? 'DRIFTS' : 'FITS'
  await note(db, { gameId, day, id }, 'CHAMPION', judged, verdict)
  if (old && former) await note(db, { gameId, day, id: old.id }, 'FORMER', former, 'FITS')
  return true
}

/** Judges the model of every game once a day. */
export const monitorModels: Job = {
  name: 'model watch',
  lowPriority: true,
  run: (deps, now) =>
    forEachDueRow(deps, now, {
      job: 'model watch',
      due: (notQuarantined) => dueGames(deps.db, dayOf(now), notQuarantined),
      idOf: ({ game_id }) => game_id,
      process: (row) => monitor(deps, row, now),
    }),
}

/** Whether the model in use has been found to have drifted. */
export async function isDrifting(db: Db, gameId: string): Promise<boolean> {
  const row = await db
    .selectFrom('model_watch as w')
    .innerJoin('models as m', 'm.id', 'w.model_id')
    .select('w.verdict')
    .where('w.game_id', '=', gameId)
    .where('m.active', '=', true)
    .orderBy('w.day', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.verdict === 'DRIFTS'
}
