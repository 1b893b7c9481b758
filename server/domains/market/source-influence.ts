/**
 * How far the sales of one partner would move prices beyond what all others justify: compared with a formula that has not
 * learned from them, by price level and by answer. Sees what its newest sales alone do not show: a slow drift, one item, one
 * server.
 */
import { labelOf } from '@/contract/form/answers'
import type { Field, FormConfig } from '@/contract/form/types'
import { isFactor, isList, isNumber, isPriced, itemsIn } from '../../engine/encode'
import { clamp, DAY, quantile, winsorisedMean } from '../../engine/numbers'
import type { Hedonic, Sale } from '../../engine/types'
import { type ExpectedPrice, expectedPriceOf } from './expected-price'
import { deviationText, quarterText } from './screening'

/**
 * Sales that a level or an answer must have to be judged, of the partner and of others: what only the partner has sold, a new
 * item, moves no price that is known.
 */
const MIN_SALES = 10
/** A deviation of all prices of the partner up to this (log) is tolerated, and one of a level or an answer beyond it. */
const TOLERATED = 0.06
/** log by which one partner may move the prices of a level or of accounts with an answer */
const MAX_MOVE = Math.log(1.07)
/** standard errors that a deviation must exceed: a hundred levels and answers are judged at once; more below 30 sales */
const SIGNIFICANT = { few: 6, many: 4 } as const
const MANY = 30
/** weight of a listing relative to a sale, as in training */
const ASKING_WEIGHT = 0.5
/** the market level follows the newest sales, however many older ones there are */
const RECENT = 90 * DAY

interface Segment {
  name: string
  own: ExpectedPrice[]
  /** sales of others */
  others: number
  /** weights of all sales and of recent ones: those that move the price, and everybody's */
  weights: { own: number; all: number; ownRecent: number; allRecent: number }
}

export interface Influence {
  /** the level or answer that is moved most, and how far the partner's prices are off there, for staff */
  what: string
  /** log by which these prices would move, about */
  by: number
}

/**
 * What the partner moves most; undefined when it moves nothing by more than is tolerated.
 * @param hedonic a formula that has not learned from `own`
 * @param sales all of a training with their weights
 * @param ids `own`: the partner's; `moving`: those and all others that may be wrong in the same way
 */
export function influenceOf(
  config: FormConfig,
  hedonic: Hedonic,
  sales: readonly Sale[],
  { own, moving }: { own: ReadonlySet<string>; moving: ReadonlySet<string> },
): Influence | undefined {
  const rows = sales
    .filter(({ weight = 1 }) => weight > 0)
    .map((sale) => ({ sale, isOwn: own.has(sale.id), expected: expectedPriceOf({ hedonic }, sale) }))
  const levels = rows.flatMap(({ isOwn, expected }) => (isOwn ? [expected.marketFen] : []))
  // platforms take different fees
  const fees = clamp(
    quantile(
      rows.flatMap(({ isOwn, expected }) => (isOwn ? [expected.residual] : [])),
      0.5,
    ),
    -TOLERATED,
    TOLERATED,
  )
  const cuts = [0.25, 0.5, 0.75].map((p) => quantile(levels, p))
  const since = rows.reduce((newest, { sale }) => Math.max(newest, sale.at), 0) - RECENT
  const amounts = quartilesOf(config, rows)
  const segments = new Map<string, Segment>()
  for (const { sale, isOwn, expected } of rows) {
    const quarter = cuts.filter((cut) => cut < expected.marketFen).length
    const names = new Map([
      [`${quarter}`, quarterText(quarter)],
      ...answersOf(config, sale),
      ...amountsOf(amounts, sale),
    ])
    for (const [key, name] of names) {
      const segment = segments.get(key) ?? {
        name,
        own: [],
        others: 0,
        weights: { own: 0, all: 0, ownRecent: 0, allRecent: 0 },
      }
      segments.set(key, segment)
      const isMoving = moving.has(sale.id)
      if (isOwn) segment.own.push(expected)
      if (!isMoving) segment.others += 1
      const weight = (sale.weight ?? 1) * (sale.kind === 'ASKING' ? ASKING_WEIGHT : 1)
      add(segment.weights, weight, isMoving, sale.at > since)
    }
  }
  const moved = [...segments.values()].flatMap(({ name, own: prices, others, weights }) => {
    const { mean: log, error } = winsorisedMean(prices)
    const share = Math.max(weights.own / weights.all, weights.ownRecent / Math.max(1e-9, weights.allRecent))
    const beyond = Math.abs(log - fees)
    const isMoved =
      beyond > Math.max(TOLERATED, (prices.length < MANY ? SIGNIFICANT.few : SIGNIFICANT.many) * error) &&
      share * beyond > MAX_MOVE
    return Math.min(prices.length, others) >= MIN_SALES && isMoved ? [{ name, log, by: share * beyond }] : []
  })
  const [most] = moved.sort((a, b) => b.by - a.by)
  return most && { what: `${most.name}${deviationText(most.log)}`, by: most.by }
}

function add(weights: Segment['weights'], weight: number, isMoving: boolean, isRecent: boolean): void {
  weights.all += weight
  if (isMoving) weights.own += weight
  if (isRecent) weights.allRecent += weight
  if (isMoving && isRecent) weights.ownRecent += weight
}

type Amounts = { field: Field; cuts: readonly number[] }[]

/** The quartiles of each number that a price may depend on. */
const quartilesOf = (config: FormConfig, rows: readonly { sale: Sale }[]): Amounts =>
  config.fields
    .filter((field) => isPriced(field) && isNumber(field))
    .map((field) => {
      const amounts = rows.flatMap(({ sale }) => amountIn(sale, field) ?? [])
      return { field, cuts: amounts.length === 0 ? [] : [0.25, 0.5, 0.75].map((p) => quantile(amounts, p)) }
    })

function amountIn({ attributes }: Sale, { key }: Field): number | undefined {
  const amount = attributes[key]
  return typeof amount === 'number' ? amount : undefined
}

/** The quarter of each number of an account, with its name. */
const amountsOf = (amounts: Amounts, sale: Sale): [key: string, name: string][] =>
  amounts.flatMap(({ field, cuts }) => {
    const amount = amountIn(sale, field)
    if (amount === undefined) return []
    const quarter = cuts.filter((cut) => cut < amount).length
    const range = [cuts[quarter - 1], cuts[quarter]].map((cut) => cut ?? '').join('–')
    return [[`${field.key}~${quarter}`, `“${field.label} ${range}”`]]
  })

/** The items and choices of an account, with their names. */
const answersOf = (config: FormConfig, { attributes }: Sale): [key: string, name: string][] =>
  config.fields
    .filter((field) => isPriced(field) || isFactor(field))
    .flatMap((field) =>
      itemsIn(attributes[field.key], field).map((item): [string, string] => [
        `${field.key}=${item}`,
        `“${field.label}：${itemText(config, field, item, attributes)}”`,
      ]),
    )

const itemText = (config: FormConfig, field: Field, item: string, attributes: Sale['attributes']) =>
  labelOf(config, field, isList(field) ? [item] : attributes[field.key])
