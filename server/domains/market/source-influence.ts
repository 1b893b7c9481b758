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

/** A sale of the training beside what others say it should cost. */
interface ComparedSale {
  sale: Sale
  expected: ExpectedPrice
  weight: number
  isRecent: boolean
  /** it may be wrong in the same way as the partner's */
  isMoving: boolean
  /** its items, choices and quarters of numbers */
  segments: Named[]
}

/** A segment of accounts; the name is for staff. */
type Named = [key: string, name: () => string]

interface Segment {
  name: () => string
  own: ExpectedPrice[]
  /** sales of others */
  others: number
  /** weights of all sales and of recent ones: those that move the price, and everybody's */
  weights: { moving: number; all: number; movingRecent: number; allRecent: number }
}

export interface Influence {
  /** the level or answer that is moved most, and how far the partner's prices are off there, for staff */
  what: string
  /** log by which these prices would move, about */
  by: number
}

/**
 * Compares the sales of a training with a formula, for `influenceOf`.
 * @param hedonic a formula that has not learned from `moving`
 * @param moving ids of sales that nobody has checked
 */
export function compareSales(
  config: FormConfig,
  hedonic: Hedonic,
  sales: readonly Sale[],
  moving: ReadonlySet<string>,
): ComparedSale[] {
  const used = sales.filter(({ weight = 1 }) => weight > 0)
  const since = used.reduce((newest, { at }) => Math.max(newest, at), 0) - RECENT
  const amounts = quartilesOf(config, used)
  return used.map((sale) => ({
    sale,
    expected: expectedPriceOf({ hedonic }, sale),
    weight: (sale.weight ?? 1) * (sale.kind === 'ASKING' ? ASKING_WEIGHT : 1),
    isRecent: sale.at > since,
    isMoving: moving.has(sale.id),
    segments: [...answersOf(config, sale), ...amountsOf(amounts, sale)],
  }))
}

/**
 * What a partner moves most; undefined when it moves nothing by more than is tolerated.
 * @param own ids of the partner's sales, all of them moving
 */
export function influenceOf(compared: readonly ComparedSale[], own: ReadonlySet<string>): Influence | undefined {
  const prices = compared.flatMap(({ sale, expected }) => (own.has(sale.id) ? [expected] : []))
  // platforms take different fees
  const fees = clamp(
    quantile(
      prices.map(({ residual }) => residual),
      0.5,
    ),
    -TOLERATED,
    TOLERATED,
  )
  const cuts = quartiles(prices.map(({ marketFen }) => marketFen))
  const segments = new Map<string, Segment>()
  for (const one of compared) {
    const quarter = quarterOf(one.expected.marketFen, cuts)
    for (const [key, name] of [[`${quarter}`, () => quarterText(quarter)] satisfies Named, ...one.segments]) {
      const weights = { moving: 0, all: 0, movingRecent: 0, allRecent: 0 }
      const segment = segments.get(key) ?? { name, own: [], others: 0, weights }
      segments.set(key, segment)
      if (own.has(one.sale.id)) segment.own.push(one.expected)
      if (!one.isMoving) segment.others += 1
      add(segment.weights, one)
    }
  }
  const moved = [...segments.values()].flatMap(({ name, own: prices, others, weights }) => {
    if (Math.min(prices.length, others) < MIN_SALES) return []
    const { mean: log, error } = winsorisedMean(prices)
    const share = Math.max(weights.moving / weights.all, weights.movingRecent / Math.max(1e-9, weights.allRecent))
    const [beyond, significant] = [Math.abs(log - fees), prices.length < MANY ? SIGNIFICANT.few : SIGNIFICANT.many]
    const isMoved = beyond > Math.max(TOLERATED, significant * error) && share * beyond > MAX_MOVE
    return isMoved ? [{ name, log, by: share * beyond }] : []
  })
  const [most] = moved.sort((a, b) => b.by - a.by)
  return most && { what: `${most.name()}${deviationText(most.log)}`, by: most.by }
}

function add(weights: Segment['weights'], { weight, isMoving, isRecent }: ComparedSale): void {
  weights.all += weight
  if (isMoving) weights.moving += weight
  if (isRecent) weights.allRecent += weight
  if (isMoving && isRecent) weights.movingRecent += weight
}

const quartiles = (values: readonly number[]) => [0.25, 0.5, 0.75].map((p) => quantile(values, p))

/** 0 for the cheapest or lowest quarter, 3 for the last */
const quarterOf = (value: number, cuts: readonly number[]) => cuts.filter((cut) => cut < value).length

type Amounts = { field: Field; cuts: readonly number[] }[]

/** The quartiles of each number that a price may depend on. */
const quartilesOf = (config: FormConfig, sales: readonly Sale[]): Amounts =>
  config.fields
    .filter((field) => isPriced(field) && isNumber(field))
    .map((field) => {
      const amounts = sales.flatMap((sale) => amountIn(sale, field) ?? [])
      return { field, cuts: amounts.length === 0 ? [] : quartiles(amounts) }
    })

function amountIn({ attributes }: Sale, { key }: Field): number | undefined {
  const amount = attributes[key]
  return typeof amount === 'number' ? amount : undefined
}

/** The quarter of each number of an account. */
const amountsOf = (amounts: Amounts, sale: Sale): Named[] =>
  amounts.flatMap(({ field, cuts }): Named[] => {
    const amount = amountIn(sale, field)
    if (amount === undefined) return []
    const quarter = quarterOf(amount, cuts)
    const range = [cuts[quarter - 1] ?? '', cuts[quarter] ?? ''].join('–')
    return [[`${field.key}~${quarter}`, () => `“${field.label} ${range}”`]]
  })

/** The items and choices of an account. */
const answersOf = (config: FormConfig, { attributes }: Sale): Named[] =>
  config.fields
    .filter((field) => isPriced(field) || isFactor(field))
    .flatMap((field) =>
      itemsIn(attributes[field.key], field).map((item): Named => {
        const answer = isList(field) ? [item] : attributes[field.key]
        return [`${field.key}=${item}`, () => `“${field.label}：${labelOf(config, field, answer)}”`]
      }),
    )
