/** The sales of a game that all figures are computed from, with their owners and weights. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../../db/database'
import { SYNTHETIC } from '../../../db/sales'
import type { Sale } from '../../../engine/types'
import { BATCH_SIZE } from '../../shared/batches'
import { capShares, type Owned, SELF_REPORTED, thinned } from './owner-shares'
import { isVerified, saleWeights, type TraceableSale } from './sale-weights'

/** Newest sales that are used; older ones say little about current prices. */
const MAX_SALES = 20_000

/** From this number of verified sales (`isVerified`) on, generated ones are excluded. */
export const MIN_REAL = 500

/** The sales of a game without those of a partner whose level has moved, until staff decide. */
const usableSales = (db: Db, gameId: string) =>
  db
    .selectFrom('sales')
    .leftJoin('partner_sources', (join) =>
      join.onRef('partner_sources.source', '=', 'sales.source').on('sales.channel', '=', 'PARTNER'),
    )
    .leftJoin('partners', 'partners.partner_id', 'partner_sources.partner_id')
    .where('sales.game_id', '=', gameId)
    .where('partners.moved_level', 'is', null)

/** Reads in batches, so that other requests are served while twenty thousand sales are read. */
async function newestFirst(ofGame: ReturnType<typeof usableSales>): Promise<TraceableSale[]> {
  const read = (last: TraceableSale | undefined) =>
    ofGame
      .selectAll('sales')
      .select('partner_sources.partner_id')
      .$if(last !== undefined, (q) =>
        q.where(
          sql<boolean>`(at < ${last?.at}::bigint or (at = ${last?.at}::bigint and sales.id > ${last?.id}::bigint))`,
        ),
      )
      .orderBy('at', 'desc')
      .orderBy('sales.id')
      .limit(BATCH_SIZE)
      .execute()
  const sales: TraceableSale[] = []
  for (let more = true; more && sales.length < MAX_SALES; await turn()) {
    const part = await read(sales.at(-1))
    for (const r of part)
      sales.push({
        ...{ id: String(r.id), gameId: r.game_id, kind: r.kind, priceFen: r.price_fen, at: r.at },
        ...{ attributes: r.attributes, channel: r.channel, synthetic: r.source === SYNTHETIC },
        ...(r.listed_at !== null && { listedAt: r.listed_at }),
        // a sale that came before its source belonged to any partner counts as the source's
        partner: r.channel === 'PARTNER' ? (r.partner_id ?? r.source) : undefined,
        ...{ reporter: r.reporter ?? undefined, device: r.device ?? undefined },
      })
    more = part.length === BATCH_SIZE
  }
  return sales
}

export type WeightedSale = TraceableSale & { weight: number }

/** The newest sales of a game with their weights, generated ones only where there are too few others. */
export async function weightedSales(db: Db, config: FormConfig): Promise<WeightedSale[]> {
  const ofGame = usableSales(db, config.gameId)
  const real = ofGame.where('sales.source', '<>', SYNTHETIC)
  const sold = real.where('kind', '=', 'SOLD').where('channel', 'not in', SELF_REPORTED)
  const isEnough = (await sold.select('sales.id').limit(MIN_REAL).execute()).length === MIN_REAL
  const sales = await newestFirst(isEnough ? real : ofGame)
  const weights = saleWeights(config, sales)
  return sales.map((sale, i) => ({ ...sale, weight: weights[i] ?? 0 }))
}

export interface TrainingSales {
  sales: Sale[]
  synthetic: boolean
  /** share of generated ones, 0 to 1 */
  syntheticShare: number
  /** id of the newest */
  newestSale: number
  /** owners of the real sold ones whose sellers had nothing to gain from a false price, by id: models are compared on them */
  verified: ReadonlyMap<string, Owned>
  /** ids of those on which the accuracy is not measured: self-reports, and more of a partner than its share */
  untested: ReadonlySet<string>
}

/** The sales a model of the game is trained on now. */
export async function newestSales(db: Db, config: FormConfig): Promise<TrainingSales> {
  const found = await weightedSales(db, config)
  const made = found.filter(({ synthetic }) => synthetic).length
  const known = found.filter(({ channel }) => !SELF_REPORTED.includes(channel))
  const tested = new Set(thinned(known, capShares(known)).map(({ id }) => id))
  return {
    sales: found.map(
      ({ id, gameId, kind, priceFen, at, attributes, weight }): Sale => ({
        ...{ id, gameId, kind, priceFen, at, attributes },
        ...(weight !== 1 && { weight }),
      }),
    ),
    synthetic: made > 0,
    syntheticShare: made / Math.max(1, found.length),
    newestSale: found.reduce((newest, { id }) => Math.max(newest, Number(id)), 0),
    verified: new Map(found.flatMap((sale) => (isVerified(sale) && sale.weight > 0 ? [[sale.id, sale]] : []))),
    untested: new Set(found.flatMap(({ id }) => (tested.has(id) ? [] : [id]))),
  }
}
