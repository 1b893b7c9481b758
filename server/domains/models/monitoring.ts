/** Measures models daily on sales they have not seen: staff see the figures at the desk. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import { mean, quantile } from '../../engine/numbers'
import { FORMAT, type Sale } from '../../engine/types'
import { type NotQuarantined, rowsJob } from '../shared/due-rows'
import { type Fit, fitOn, stability, unknownShare } from './drift'
import { capShares, thinned } from './owner-shares'
import type { ActiveModel } from './repository'
import { isVerified } from './sale-weights'
import { weightedSales } from './training-sales'

/** newest sales that the fit of a model is measured on */
const MAX_MEASURED = 300
const STEP = 10

interface MeasuredFit extends Fit {
  unknown: number
  stable: number
}

/** Real sales recorded after the model in use was trained. */
async function laterSales(db: Db, config: FormConfig, newestSale: number): Promise<Sale[]> {
  const later = (await weightedSales(db, config))
    .filter((sale) => isVerified(sale) && sale.weight > 0 && Number(sale.id) > newestSale)
    .sort((a, b) => Number(a.id) - Number(b.id))
    .slice(-MAX_MEASURED)
  const weights = capShares(
    later,
    later.map(() => 1),
  )
  return thinned(later, weights)
}

/** In steps, so that other requests are served meanwhile. */
async function measureFit({ model }: ActiveModel, config: FormConfig, sales: readonly Sale[]): Promise<MeasuredFit> {
  const parts: Fit[] = []
  for (const [i, sale] of sales.entries()) {
    const fit = fitOn(model, config, [sale])
    if (fit.n > 0) parts.push(fit)
    if (i % STEP === 0) await turn()
  }
  return {
    n: parts.length,
    medianError: quantile(
      parts.map(({ medianError }) => medianError),
      0.5,
    ),
    coverage: mean(parts.map(({ coverage }) => coverage)),
    unknown: unknownShare(model, sales),
    stable: stability(model, sales),
  }
}

const dayOf = (now: number) => now - (now % DAY_MS)

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
            .selectFrom('model_monitoring as w')
            .select('w.day')
            .whereRef('w.game_id', '=', 'games.game_id')
            .whereRef('w.model_id', '=', 'models.id')
            .where('w.day', '=', day),
        ),
      ),
    )
    .execute()

async function monitor(deps: Deps, { game_id: gameId, config, id, newest_sale }: Due, now: number): Promise<boolean> {
  const { db, models } = deps
  const day = dayOf(now)
  const sales = await laterSales(db, config, newest_sale)
  const model = sales.length > 0 ? await models.find(id) : undefined
  const nothing = { n: 0, medianError: 0, coverage: 0, unknown: 0, stable: 0 }
  const fit = model ? await measureFit(model, config, sales) : nothing
  await db
    .insertInto('model_monitoring')
    .values({
      ...{ game_id: gameId, day, model_id: id, n: fit.n },
      ...{ median_error: fit.medianError, coverage: fit.coverage, unknown_share: fit.unknown, stability: fit.stable },
    })
    .onConflict((c) => c.columns(['game_id', 'day', 'model_id']).doNothing())
    .execute()
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
