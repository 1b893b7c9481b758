/** Statistics of a game's market from its sales, computed once a day and stored. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { labelOf, optionsOf } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { Res } from '@/contract/types'
import type { Deps, OpenCtx } from '../../core/context'
import type { MarketStatistics } from '../../db/columns'
import type { Db } from '../../db/database'
import { answerKey, isFactor, isKnown, isList, isNumber, isPriced } from '../../engine/encode'
import { applyHedonic } from '../../engine/hedonic'
import type { Model } from '../../engine/types'
import { capShares, type Owned, SELF_REPORTED, thinned } from '../models/owner-shares'
import { type WeightedSale, weightedSales } from '../models/training-sales'
import { groupBy, mapInTurns } from '../shared/batches'
import { type NotQuarantined, rowsJob } from '../shared/due-rows'
import { exampleOf } from './example'
import { expectedPriceOf } from './expected-price'
import { type IndexedSale, moversOf, WEEK, weeklyIndex } from './price-index'
import { fitSellTime, type Spell } from './survival'

const WEEKS = 52
const MAX_MOVERS = 8
/** fewer accounts that were seen to sell, with their time to sell, give no estimate; unsold listings do not count */
const MIN_SOLD_SPELLS = 50
/** weight of a listing relative to a sale */
const ASKING_WEIGHT = 0.5

/** Fields whose options may rise or fall: items, ranks, servers. */
const isTrendField = (field: Field): boolean => (isPriced(field) || isFactor(field)) && !isNumber(field)

function itemsOf(config: FormConfig, answers: Answers): string[] {
  return config.fields.filter(isTrendField).flatMap((field) => {
    const answer = answers[field.key]
    if (!isKnown(answer)) return []
    if (!isList(field)) return [`${field.key}=${answerKey(answer)}`]
    const entries = Array.isArray(answer) ? answer : []
    return entries.map((entry) => `${field.key}=${typeof entry === 'string' ? entry : entry.v}`)
  })
}

function labelOfItem(config: FormConfig, item: string): string {
  const cut = item.indexOf('=')
  const field = config.fields.find(({ key }) => key === item.slice(0, cut))
  const value = item.slice(cut + 1)
  if (!field) return value
  if (!isList(field))
    return `${field.label} ${labelOf(config, field, field.type === 'cascader' ? value.split('/') : value)}`
  return optionsOf(config, field).find(({ v }) => v === value)?.t ?? value
}

/** Whether a price enters the index: an unverified self-reported listing does not, because anyone can ask any price. */
const isIndexed = ({ kind, channel }: WeightedSale): boolean => kind === 'SOLD' || !SELF_REPORTED.includes(channel)

/** log by which the level of an owner may differ from that of the others in a week, and in the time to sell */
const MAX_APART = { price: Math.log(1.15), days: Math.log(1.4) } as const

interface OwnedSale extends IndexedSale {
  owner: Owned
}

/** Bounds what an owner can move in a week of the index, or in the price of an item. */
function limitOwners(sales: readonly OwnedSale[]): OwnedSale[] {
  const weights = capShares(
    sales.map(({ owner }) => owner),
    sales.map(({ weight }) => weight),
    { values: sales.map(({ log, value }) => log - value), most: MAX_APART.price },
  )
  return sales.flatMap((sale, i) => (weights[i] ? [{ ...sale, weight: weights[i] }] : []))
}

function limitWeeks(sales: readonly OwnedSale[], now: number): OwnedSale[] {
  const weeks = groupBy(sales, ({ at }) => [Math.floor((now - at) / WEEK)])
  return [...weeks.values()].flatMap(limitOwners)
}

function toIndexedSale({ hedonic }: Model, config: FormConfig, sale: WeightedSale): OwnedSale {
  const asking = sale.kind === 'ASKING'
  return {
    at: sale.at,
    log: Math.log(sale.priceFen) - (asking ? hedonic.ask : 0),
    value: applyHedonic(hedonic, sale.attributes, 'average').logValue,
    weight: asking ? ASKING_WEIGHT * sale.weight : sale.weight,
    selfReported: SELF_REPORTED.includes(sale.channel),
    items: itemsOf(config, sale.attributes),
    owner: sale,
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

/** Computes the statistics of a game; undefined without a model. */
async function compute(deps: Deps, config: FormConfig, now: number): Promise<MarketStatistics | undefined> {
  const model = (await deps.models.inUse(config))?.model
  if (!model) return undefined
  const since = now - (WEEKS + 1) * WEEK
  const rows = (await weightedSales(deps.db, config)).filter(({ at, weight }) => at > since && weight > 0)
  const shown = rows.filter(isIndexed)
  const sales = limitWeeks(await mapInTurns(shown, (row) => toIndexedSale(model, config, row)), now)
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
  const soldSpells = spells.filter(({ sold }) => sold).length
  const sellTime = soldSpells >= MIN_SOLD_SPELLS ? fitSellTime(spells) : undefined
  return {
    weeks,
    rises: movers.filter(({ change }) => change > 0).slice(0, MAX_MOVERS),
    falls: movers
      .filter(({ change }) => change < 0)
      .slice(-MAX_MOVERS)
      .reverse(),
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
export const hasMarketStatistics = async ({ db }: Pick<Deps, 'db'>): Promise<boolean> =>
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
export const marketStatisticsJob = rowsJob({
  name: 'market statistics',
  lowPriority: true,
  due: (deps, now, notQuarantined) => dueGames(deps.db, now, notQuarantined),
  idOf: ({ game_id }) => game_id,
  process: async (deps, { config }, now) => (await storeMarketStatistics(deps, config, now)) || 'LATER',
})

/** The market of a game, as computed last. @throws AppError NOT_FOUND */
export async function marketOfGame(
  { games, publicStatistics }: OpenCtx,
  { gameId }: { gameId: string },
): Promise<Res<'market', 'game'>> {
  const { config } = await games.find(gameId)
  const market = await publicStatistics.market(gameId)
  const { weeks = [], rises = [], falls = [], sold30 = 0, syntheticShare = 0 } = market ?? {}
  const figures = { weeks, rises, falls, sold30, syntheticShare }
  return { gameId, gameName: config.name, ...(market && { madeAt: market.madeAt }), ...figures }
}
