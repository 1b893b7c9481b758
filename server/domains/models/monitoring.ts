/** Measures models daily on sales they have not seen: staff see the figures at the desk. */
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import { FORMAT, type Sale } from '../../engine/types'
import { type NotQuarantined, rowsJob } from '../shared/due-rows'
import { fitOn, stability, unknownShare } from './drift'
import { capShares, thinned } from './sales/owner-shares'
import { isVerified } from './sales/sale-weights'
import { weightedSales } from './sales/training-sales'

/** newest sales that the fit of a model is measured on */
const MAX_MEASURED = 300

/** Real sales recorded after the model in use was trained. */
async function laterSales(db: Db, config: FormConfig, newestSale: number): Promise<Sale[]> {
  const later = (await weightedSales(db, config))
    .filter((sale) => isVerified(sale) && sale.weight > 0 && Number(sale.id) > newestSale)
    .sort((a, b) => Number(a.id) - Number(b.id))
    .slice(-MAX_MEASURED)
  return thinned(later, capShares(later))
}

const dayOf = (now: number) => now - (now % DAY_MS)

const dueGames = (db: Db, day: number, notQuarantined: NotQuarantined) =>
  db
    .selectFrom('games')
    .innerJoin('models', (join) => join.onRef('models.game_id', '=', 'games.game_id').on('models.active', '=', true))
    .leftJoin('model_monitoring as w', (join) =>
      join.onRef('w.game_id', '=', 'games.game_id').onRef('w.model_id', '=', 'models.id').on('w.day', '=', day),
    )
    .select(['games.game_id', 'games.config', 'models.id', 'models.newest_sale'])
    .where('w.day', 'is', null)
    .where('models.format', '=', FORMAT)
    .where('models.body', '<>', '')
    .where(notQuarantined(sql`games.game_id`))
    .execute()

type Due = Awaited<ReturnType<typeof dueGames>>[number]

async function monitor(
  { db, repositories: { models } }: Deps,
  { game_id, config, id, newest_sale }: Due,
  now: number,
): Promise<boolean> {
  const sales = await laterSales(db, config, newest_sale)
  const model = sales.length > 0 ? (await models.find(id))?.model : undefined
  const fit = model ? await fitOn(model, config, sales) : { n: 0, medianError: 0, coverage: 0 }
  await db
    .insertInto('model_monitoring')
    .values({
      ...{ game_id, day: dayOf(now), model_id: id, n: fit.n, median_error: fit.medianError, coverage: fit.coverage },
      ...{
        unknown_share: model ? unknownShare(model, config, sales) : 0,
        stability: model ? stability(model, sales) : 0,
      },
    })
    .onConflict((c) => c.columns(['game_id', 'day', 'model_id']).doNothing())
    .execute()
  return true
}

/** Measures the model in use of every game once a day. */
export const monitorModels = rowsJob(
  { name: 'model monitoring', lowPriority: true, every: 10 * MINUTE_MS },
  (deps, now) => ({
    due: (notQuarantined) => dueGames(deps.db, dayOf(now), notQuarantined),
    idOf: ({ game_id }) => game_id,
    process: (game) => monitor(deps, game, now),
  }),
)
