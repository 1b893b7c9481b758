/** Statistics of a game's market from its sales, computed once a day and stored. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { labelOf } from '@/contract/form/answers'
import type { Field, FormConfig } from '@/contract/form/types'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Res } from '@/contract/types'
import type { Deps, OpenCtx } from '../../core/context'
import type { MarketStatistics } from '../../db/columns'
import type { Db } from '../../db/database'
import { isFactor, isList, isNumber, isPriced } from '../../engine/encode'
import { applyHedonic } from '../../engine/hedonic'
import type { Model } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import { titleOf } from '../games/answers'
import { capShares, isReported, thinned } from '../models/sales/owner-shares'
import { itemsOf } from '../models/sales/sale-weights'
import { fitSellTime, type Spell } from '../models/sales/survival'
import { type WeightedSale, weightedSales } from '../models/sales/training-sales'
import { groupBy, mapInTurns } from '../shared/batches'
import { type NotQuarantined, rowsJob } from '../shared/due-rows'
import { expectedPriceOf } from './expected-price'
import { type IndexedSale, moversOf, WEEK, weeklyIndex } from './price-index'

const WEEKS = 52
const MAX_MOVERS = 8
/** fewer accounts that were seen to sell, with their time to sell, give no estimate; unsold listings do not count */
const MIN_SOLD_SPELLS = 50
/** weight of a listing relative to a sale */
const ASKING_WEIGHT = 0.5

/** Fields whose options may rise or fall: items, ranks, servers. */
const isTrendField = (field: Field): boolean => (isPriced(field) || isFactor(field)) && !isNumber(field)

function labelOfItem(config: FormConfig, item: string): string {
  const cut = item.indexOf('=')
  const field = config.fields.find(({ key }) => key === item.slice(0, cut))
  const value = item.slice(cut + 1)
  if (!field) return value
  if (isList(field)) return labelOf(config, field, [value])
  return `${field.label} ${labelOf(config, field, field.type === 'cascader' ? value.split('/') : value)}`
}

/** log by which the level of an owner may differ from that of the others in a week, and in the time to sell */
const MAX_APART = { price: Math.log(1.15), days: Math.log(1.4) } as const

/** Bounds what an owner can move in a week of the index, or in the price of an item. */
function limitOwners(sales: readonly IndexedSale[]): IndexedSale[] {
  const weights = capShares(
    sales,
    sales.map(({ weight }) => weight),
    { values: sales.map(({ log }) => log), most: MAX_APART.price },
  )
  return sales.flatMap((sale, i) => (weights[i] ? [{ ...sale, weight: weights[i] }] : []))
}

function toIndexedSale({ hedonic }: Model, config: FormConfig, sale: WeightedSale): IndexedSale {
  const asking = sale.kind === 'ASKING'
  return {
    ...sale,
    log:
      Math.log(sale.priceFen) - (asking ? hedonic.ask : 0) - applyHedonic(hedonic, sale.attributes, 'average').logValue,
    weight: asking ? ASKING_WEIGHT * sale.weight : sale.weight,
    items: itemsOf(config.fields.filter(isTrendField), sale.attributes),
  }
}

const daysOf = ({ at, listedAt = at }: WeightedSale) => (at - listedAt) / DAY_MS

/** A listing that has not sold by its time is censored; its price is compared with what accounts sell for. */
function spellOf(model: Model, sale: WeightedSale): Spell {
  const { residual } = expectedPriceOf(model, { ...sale, kind: 'SOLD' })
  return { days: daysOf(sale), sold: sale.kind === 'SOLD', ratio: residual }
}

/** The sales that the time to sell is estimated from: limited by owner, like prices, because dates are told as well. */
function limitSpells(sales: readonly WeightedSale[]): WeightedSale[] {
  const days = sales.map((sale) => (sale.kind === 'SOLD' ? Math.log(Math.max(1, daysOf(sale))) : undefined))
  const weights = capShares(
    sales,
    sales.map(({ weight }) => weight),
    { values: days, most: MAX_APART.days },
  )
  return thinned(sales, weights)
}

/** place among the sales by price: an account that is worth something, but not exceptional */
const PRICE_QUANTILE = 0.75
/** sales from that place on that are tried until one is valued with high confidence */
const TRIES = 5

/**
 * The model's valuation of an account that was sold, without that sale among its comparables. Home shows it for games none
 * of whose reports may be shown. undefined: no account near the place is valued with confidence.
 */
function exampleOf(model: Model, config: FormConfig, now: number): MarketStatistics['example'] {
  const sold = model.sales.filter(({ kind }) => kind === 'SOLD').sort((a, b) => a.priceFen - b.priceFen)
  const first = Math.floor(PRICE_QUANTILE * sold.length)
  for (const { id, attributes } of sold.slice(first, first + TRIES)) {
    const valued = valuate(model, config, attributes, { now, source: 'TYPED', without: [id] })
    if (!valued.ok || valued.confidence.level !== 'HIGH') continue
    const { ok: _, ...example } = valued
    return { title: titleOf(config, attributes), ...example }
  }
  return undefined
}

/** Computes the statistics of a game; undefined without a model. */
async function compute(deps: Deps, config: FormConfig, now: number): Promise<MarketStatistics | undefined> {
  const model = (await deps.repositories.models.inUse(config))?.model
  if (!model) return undefined
  const since = now - (WEEKS + 1) * WEEK
  const rows = (await weightedSales(deps.db, config)).filter(({ at, weight }) => at > since && weight > 0)
  // a self-reported listing is not in the index, because anyone can ask any price
  const shown = rows.filter((sale) => sale.kind === 'SOLD' || !isReported(sale))
  const indexed = await mapInTurns(shown, (row) => toIndexedSale(model, config, row))
  const byWeek = groupBy(indexed, ({ at }) => [Math.floor((now - at) / WEEK)])
  const sales = [...byWeek.values()].flatMap(limitOwners)
  const listed = limitSpells(rows.filter(({ listedAt }) => listedAt !== undefined))
  const spells = await mapInTurns(listed, (row) => spellOf(model, row))
  // each step takes some 50 ms for twenty thousand sales
  await turn()
  const weeks = weeklyIndex(sales, now, WEEKS)
  await turn()
  const movers = moversOf(sales, now, limitOwners).map(({ item, change, n }) => ({
    ...{ label: labelOfItem(config, item), change: Math.round(1000 * (Math.exp(change) - 1)) / 1000, n },
  }))
  await turn()
  const fallen = movers.filter(({ change }) => change < 0).reverse()
  const soldSpells = spells.filter(({ sold }) => sold).length
  const sellTime = soldSpells >= MIN_SOLD_SPELLS ? fitSellTime(spells) : undefined
  return {
    weeks,
    rises: movers.filter(({ change }) => change > 0).slice(0, MAX_MOVERS),
    falls: fallen.slice(0, MAX_MOVERS),
    sold30: rows.filter(({ kind, at }) => kind === 'SOLD' && at > now - 30 * DAY_MS).length,
    syntheticShare: shown.filter(({ synthetic }) => synthetic).length / Math.max(1, shown.length),
    ...(sellTime && { sellTime }),
    example: exampleOf(model, config, now),
  }
}

/**
 * Computes the statistics of a game now and stores them.
 * @param now ms
 * @returns false without a model
 */
export async function storeMarketStatistics(deps: Deps, config: FormConfig, now: number): Promise<boolean> {
  const statistics = await compute(deps, config, now)
  if (!statistics) return false
  const row = { body: JSON.stringify(statistics), made_at: now }
  await deps.db
    .insertInto('market_statistics')
    .values({ game_id: config.gameId, ...row })
    .onConflict((c) => c.column('game_id').doUpdateSet(row))
    .execute()
  return true
}

/** Whether the statistics of any game are stored: not on a database that was just filled. */
export const hasMarketStatistics = async ({ db }: Deps): Promise<boolean> =>
  (await db.selectFrom('market_statistics').select('game_id').limit(1).executeTakeFirst()) !== undefined

const dueGames = (db: Db, now: number, notQuarantined: NotQuarantined) =>
  db
    .selectFrom('games')
    .innerJoin('models', (join) => join.onRef('models.game_id', '=', 'games.game_id').on('models.active', '=', true))
    .leftJoin('market_statistics', 'market_statistics.game_id', 'games.game_id')
    .select(['games.game_id', 'games.config'])
    .where((e) => e.or([e('made_at', 'is', null), e('made_at', '<=', now - DAY_MS)]))
    .where(notQuarantined(sql`games.game_id`))
    .execute()

/** Computes the market of every game once a day. */
export const marketStatisticsJob = rowsJob(
  { name: 'market statistics', lowPriority: true, every: 10 * MINUTE_MS },
  (deps, now) => ({
    due: (notQuarantined) => dueGames(deps.db, now, notQuarantined),
    idOf: ({ game_id }) => game_id,
    process: ({ config }) => storeMarketStatistics(deps, config, now),
  }),
)

/** The market of a game, as computed last. @throws AppError NOT_FOUND */
export async function marketOfGame(
  { repositories: { games, publicStatistics } }: OpenCtx,
  { gameId }: { gameId: string },
): Promise<Res<'market', 'game'>> {
  const { config } = await games.find(gameId)
  const market = await publicStatistics.market(gameId)
  const { weeks = [], rises = [], falls = [], sold30 = 0, syntheticShare = 0 } = market ?? {}
  const figures = { weeks, rises, falls, sold30, syntheticShare }
  return { gameId, gameName: config.name, ...(market && { madeAt: market.madeAt }), ...figures }
}
