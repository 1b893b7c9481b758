/** Statistics of a game's market from its sales, computed once a day and stored. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { labelOf, optionsOf } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { Res } from '@/contract/types'
import type { Deps, OpenCtx } from '../../context'
import type { MarketStatistics } from '../../db/columns'
import type { Db } from '../../db/database'
import { SYNTHETIC } from '../../db/sales'
import { answerKey, isFactor, isKnown, isList, isNumber, isPriced } from '../../engine/encode'
import { applyHedonic } from '../../engine/hedonic'
import type { Model } from '../../engine/types'
import { capShares, SELF_REPORTED, thinned } from '../models/owner-shares'
import { MIN_REAL } from '../models/repository'
import { isVerified, saleWeights } from '../models/sale-weights'
import { ownerOf, usableSales } from '../models/usable-sales'
import { type NotQuarantined, rowsJob } from '../shared/due-rows'
import { exampleOf } from './example'
import { expectedPriceOf, modelInUse } from './expected-price'
import { type IndexedSale, moversOf, WEEK, weeklyIndex } from './price-index'
import { fitSellTime, type Spell } from './survival'

const WEEKS = 52
/** sales read at most: the newest */
const MAX_SALES = 20_000
const BATCH = 250
const MAX_MOVERS = 8
/** fewer accounts that were seen to sell, with their time to sell, give no estimate; unsold listings do not count */
export const MIN_SOLD_SPELLS = 50
/** weight of a listing relative to a sale */
const ASKING_WEIGHT = 0.5

const readSales = (db: Db, gameId: string, since: number) => {
  const rows = usableSales(db, gameId)
    .select(['sales.id', 'kind', 'price_fen as priceFen', 'at', 'listed_at as listedAt', 'sales.source', 'channel'])
    .select(['attributes', 'residual', 'reporter', 'device', 'fingerprint', 'partner_sources.partner_id'])
    .where('at', '>', since)
  return async (before: { at: number; id: number } | undefined) =>
    rows
      .$if(before !== undefined, (q) => q.where(sql<boolean>`(at, sales.id) < (${before?.at}, ${before?.id})`))
      .orderBy('at', 'desc')
      .orderBy('sales.id', 'desc')
      .limit(BATCH)
      .execute()
}

type Row = Awaited<ReturnType<ReturnType<typeof readSales>>>[number]

/** In batches, so that other requests are served meanwhile. */
async function newest(db: Db, gameId: string, since: number): Promise<Row[]> {
  const read = readSales(db, gameId, since)
  const rows: Row[] = []
  for (let more = true; more && rows.length < MAX_SALES; await turn()) {
    const part = await read(rows.at(-1))
    rows.push(...part)
    more = part.length === BATCH
  }
  return rows
}

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
const isIndexed = ({ kind, channel }: Row): boolean => kind === 'SOLD' || !SELF_REPORTED.includes(channel)

/** How far each price is trusted, as in training. */
const weightsOf = (config: FormConfig, rows: readonly Row[]): number[] =>
  saleWeights(
    config,
    rows.map(({ id, kind, priceFen, at, attributes, source, residual, fingerprint, ...owner }) => ({
      ...{
        id: String(id),
        gameId: config.gameId,
        kind,
        priceFen,
        at,
        attributes,
        source,
        synthetic: source === SYNTHETIC,
      },
      ...{ ...ownerOf({ source, ...owner }), residual: residual ?? undefined, fingerprint: fingerprint ?? undefined },
    })),
  )

/** log by which the level of an owner may differ from that of the others in a week, and in the time to sell */
const MAX_APART = { price: Math.log(1.15), days: Math.log(1.4) } as const

interface OwnedSale {
  row: Row
  indexed: IndexedSale
}

/** Bounds what an owner can move in one week. */
function limitWeeks(sales: readonly OwnedSale[], now: number): IndexedSale[] {
  const weeks = new Map<number, OwnedSale[]>()
  for (const sale of sales) {
    const week = Math.floor((now - sale.row.at) / WEEK)
    const others = weeks.get(week)
    if (others) others.push(sale)
    else weeks.set(week, [sale])
  }
  return [...weeks.values()].flatMap((week) => {
    const level = { values: week.map(({ indexed: { log, value } }) => log - value), most: MAX_APART.price }
    const weights = capShares(
      week.map(({ row }) => ownerOf(row)),
      week.map(({ indexed }) => indexed.weight),
      level,
    )
    return week.flatMap(({ indexed }, i) => (weights[i] ? [{ ...indexed, weight: weights[i] }] : []))
  })
}

function toIndexedSale({ hedonic }: Model, config: FormConfig, row: Row, trust: number): IndexedSale {
  const asking = row.kind === 'ASKING'
  return {
    at: row.at,
    log: Math.log(row.priceFen) - (asking ? hedonic.ask : 0),
    value: applyHedonic(hedonic, row.attributes, 'average').logValue,
    weight: asking ? ASKING_WEIGHT * trust : trust,
    selfReported: SELF_REPORTED.includes(row.channel),
    items: itemsOf(config, row.attributes),
  }
}

/** A listing that has not sold by its time is censored; its price is compared with what accounts sell for. */
function saleDurationOf(model: Model, { row }: SpelledRow): Spell {
  const { residual } = expectedPriceOf(model, { ...row, kind: 'SOLD' })
  return { days: daysOf(row), sold: row.kind === 'SOLD', ratio: residual }
}

interface SpelledRow {
  row: Row & { listedAt: number }
  weight: number
}

const daysOf = ({ at, listedAt }: SpelledRow['row']) => (at - listedAt) / DAY_MS

/** The rows that the time to sell is estimated from: limited by owner, like prices, because dates are told as well. */
export function limitSpells(rows: readonly SpelledRow[]): SpelledRow[] {
  const days = rows.map(({ row }) => (row.kind === 'SOLD' ? Math.log(Math.max(1, daysOf(row))) : undefined))
  const weights = capShares(
    rows.map(({ row }) => ownerOf(row)),
    rows.map(({ weight }) => weight),
    { values: days, most: MAX_APART.days },
  )
  return thinned(rows, weights)
}

/** Computes the statistics of a game; undefined without a model. */
async function compute(deps: Deps, config: FormConfig, now: number): Promise<MarketStatistics | undefined> {
  const model = await modelInUse(deps.db, deps.models, config)
  if (!model) return undefined
  const all = await newest(deps.db, config.gameId, now - (WEEKS + 1) * WEEK)
  const real = all.filter(({ source }) => source !== SYNTHETIC)
  const rows = real.filter((row) => isVerified({ ...row, synthetic: false })).length >= MIN_REAL ? real : all
  const weights = weightsOf(config, rows)
  const indexed: OwnedSale[] = []
  const listed: SpelledRow[] = []
  for (const [i, row] of rows.entries()) {
    const weight = weights[i] ?? 0
    if (weight === 0) continue
    if (isIndexed(row)) indexed.push({ row, indexed: toIndexedSale(model, config, row, weight) })
    if (row.listedAt !== null) listed.push({ row: { ...row, listedAt: row.listedAt }, weight })
    if (i % 20 === 0) await turn()
  }
  const spells: Spell[] = []
  for (const [i, row] of limitSpells(listed).entries()) {
    spells.push(saleDurationOf(model, row))
    if (i % 20 === 0) await turn()
  }
  const sales = limitWeeks(indexed, now)
  // each step takes some 50 ms for `MAX_SALES`
  await turn()
  const weeks = weeklyIndex(sales, now, WEEKS)
  await turn()
  const movers = moversOf(sales, now).map(({ item, change, n }) => ({
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
      .reverse()
      .slice(0, MAX_MOVERS),
    sold30: rows.filter(({ kind, at }) => kind === 'SOLD' && at > now - 30 * DAY_MS).length,
    syntheticShare: rows.filter(({ source }) => source === SYNTHETIC).length / Math.max(1, indexed.length),
    ...(sellTime && { sellTime }),
    soldSpells,
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
    .leftJoin('market_statistics', 'market_statistics.game_id', 'games.game_id')
    .select(['games.game_id', 'games.config'])
    .where((e) => e.or([e('made_at', 'is', null), e('made_at', '<=', now - DAY_MS)]))
    .where(notQuarantined(sql`games.game_id`))
    .where((e) =>
      e.exists(
        e.selectFrom('models').select('id').whereRef('models.game_id', '=', 'games.game_id').where('active', '=', true),
      ),
    )
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
