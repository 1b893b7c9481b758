/** Model + account → price, interval and reasons, or a refusal if there are too few comparables. */
import { isDeepStrictEqual } from 'node:util'
import { isEmpty } from '@/contract/form/answers'
import type { Answer, Answers, FormConfig } from '@/contract/form/types'
import { affectsPrice, pricedProgress } from '@/contract/form/validate'
import { improvementsOf, riskOf } from './advice'
import { implausibleAnswers } from './answer-plausibility'
import { indicesOf, packedSales, priceGap, showComparables, usableSales } from './comparables'
import { type Completed, completed, openFields, recorded } from './completions'
import { confidenceOf } from './confidence'
import { endOf } from './conformal'
import { answerOf } from './encode'
import { explain, topItems } from './explain'
import { type MissingValues, marketAt } from './hedonic'
import { clamp, toFen } from './numbers'
import { CLOSE_DISTANCE, correctionOf, type Distances, distancesTo, MIN_COMPARABLES } from './similarity'
import type { AnswerSource, Model, Valuation, Valued } from './types'

const MIN_FEN = 100

export interface ValuateOptions {
  now: number
  source: AnswerSource
  /** number of answers that the owner's screenshots show */
  shown?: number
  /** ids of comparables the owner rejects: neither shown nor used */
  without?: readonly string[]
  /** answers of earlier valuations of the account; with more answers than now, they limit the price */
  earlier?: readonly Answers[]
}

/** ratio of the ends of a complete account's range above which similar sales count as inconsistent */
const MAX_CONSISTENT_RATIO = 4

interface Estimate {
  whole: Completed
  distances: Distances
  market: number
  /** log price without market */
  log: number
  predictFen: number
  /** the price with open fields counted as nothing */
  leastFen: number
  /** the prediction was outside the range of the sales and has been clamped to it */
  outOfRange: 'above' | 'below' | undefined
}

const OUT_OF_RANGE_TEXT = {
  above: '资料超出已有成交的范围，按范围内的最高水平估价',
  below: '资料低于已有成交的范围，按范围内的最低水平估价',
} as const

/** Values one account; the same input always gives the same answer. */
export function valuate(model: Model, config: FormConfig, account: Answers, opts: ValuateOptions): Valuation {
  const without = indicesOf(model, opts.without ?? [])
  const { estimate, usable, confidence, price } = computePrice(model, config, account, opts, 'worst', without)
  if (!price) return { ok: false, code: 'SAMPLE_INSUFFICIENT', n: usable.length }
  const { predictFen } = price
  const { whole, leastFen, outOfRange } = estimate
  const gainOf = (changed: Answers) => predict(model, config, changed, opts.now, without, 'worst').predictFen
  const breakdown = explain(model, config, {
    answers: account,
    comparableCount: usable.length,
    ...{ assumed: confidence.assumed, usual: whole.usual, predictFen, leastFen, outOfRange },
    market: estimate.market,
  })
  const similar = showComparables(model, config, account, whole, predictFen, usable, opts.now)
  const unanswered = config.fields.filter(({ key }) => isEmpty(account[key])).map(({ label }) => label)
  const gap = priceGap(similar, predictFen, new Set(unanswered))
  return {
    ok: true,
    price,
    confidence,
    percentile: percentileOf(model, predictFen),
    breakdown,
    topItems: topItems(breakdown),
    comparables: similar.map(({ comparable }) => comparable),
    ...(gap && { gap }),
    raise: improvementsOf(config, model.hedonic, account, predictFen, gainOf),
    risk: riskOf(config, account),
    model: { name: model.name, trainedAt: model.trainedAt, sampleN: model.sampleN, version: model.version },
  }
}

/**
 * Range of the price that `valuate` gives for the same answers, at a fraction of its cost: nothing is explained. It begins with the
 * market and narrows to the range of the report. Incomplete answers always yield one; undefined if complete answers have too
 * few comparables.
 */
export const priceRange = (
  model: Model,
  config: FormConfig,
  account: Answers,
  opts: Pick<ValuateOptions, 'now' | 'source'>,
): Valued['price'] | undefined => computePrice(model, config, account, opts, 'worst', new Set()).price

/** Price of the account in the record of a sale, without explanations; undefined if there are too few comparables. */
export function priceOfRecord(
  model: Model,
  config: FormConfig,
  record: Answers,
  opts: Pick<ValuateOptions, 'now' | 'source'>,
): Valued['price'] | undefined {
  return computePrice(model, config, record, opts, 'average', new Set()).price
}

function computePrice(
  model: Model,
  config: FormConfig,
  account: Answers,
  { now, source, shown = 0, earlier = [] }: Omit<ValuateOptions, 'without'>,
  missingValues: MissingValues,
  without: ReadonlySet<number>,
) {
  const limits = earlier
    .filter((more) => extendsAnswers(config, more, account))
    .map((more) => predict(model, config, more, now, without, missingValues).predictFen)
  const estimate = predict(model, config, account, now, without, missingValues, Math.min(...limits))
  const price = priceWithRange(model, estimate)
  const { total, unanswered } = pricedProgress(config, account)
  const usable = usableSales(model, estimate.distances, unanswered > 0)
  const codes = [...model.hedonic.fields, ...model.hedonic.factors]
  const assumed = estimate.whole.open.flatMap((f) => config.fields.filter(({ key }) => key === codes[f]?.key))
  const isInconsistent = estimate.whole.open.length === 0 && price.highFen > MAX_CONSISTENT_RATIO * price.lowFen
  const confidence = confidenceOf({
    comparableCount: usable.length,
    sold: usable.filter(({ sale }) => sale.kind === 'SOLD').length,
    close: usable.every(({ distance }) => distance < CLOSE_DISTANCE),
    total,
    unanswered,
    assumed: assumed.map(({ key, label }) => ({ key, label })),
    age: now - model.newestAt,
    source,
    shown,
    doubts: [
      ...(isInconsistent ? ['相近账号的成交价相差数倍，参考区间很宽'] : []),
      ...(estimate.outOfRange ? [OUT_OF_RANGE_TEXT[estimate.outOfRange]] : []),
      ...implausibleAnswers(config, model.hedonic.fields, account),
    ],
    width: (price.highFen - price.lowFen) / price.predictFen,
  })
  return { estimate, usable, confidence, price: usable.length >= MIN_COMPARABLES ? price : undefined }
}

/** Whether `more` has all the answers of `account` to what affects the price, and others: its price is then a limit. */
export function extendsAnswers(config: FormConfig, more: Answers, account: Answers): boolean {
  const priced = config.fields
    .filter(affectsPrice)
    .map(({ key }) => [answerOf(more, key), answerOf(account, key)] as const)
  const isOpen = (answer: Answer | undefined) => answer === undefined || answer === 'unknown'
  return (
    priced.some(([there, here]) => isOpen(here) && !isOpen(there)) &&
    priced.every(([there, here]) => isOpen(here) || isDeepStrictEqual(there, here))
  )
}

/** @param mostFen limit of the price by what else is known of the account */
function predict(
  model: Model,
  config: FormConfig,
  account: Answers,
  now: number,
  without: ReadonlySet<number>,
  missingValues: MissingValues,
  mostFen = Number.POSITIVE_INFINITY,
): Estimate {
  const { hedonic, conformal, stack, range } = model
  const sales = packedSales(model)
  const whole =
    missingValues === 'average'
      ? recorded(model, account)
      : completed(model, sales, account, openFields(model, config, account))
  const distances = distancesTo(whole.value, sales, hedonic.power, now, without)
  const market = marketAt(hedonic.market, now)
  const shift = (1 - stack.treeWeight) * correctionOf(distances, sales, now) + conformal.bias
  const [least, most] = range
  const limit = Math.min(most, Math.log(mostFen) - market)
  const log = clamp(whole.log + shift, Math.min(least, limit), limit)
  const fen = (value: number) => Math.max(MIN_FEN, toFen(Math.exp(value + market)))
  return {
    ...{ whole, distances, market, log, predictFen: fen(log) },
    leastFen: fen(clamp(whole.leastLog + shift, Math.min(least, log), log)),
    outOfRange: whole.log + shift > most ? 'above' : whole.log + shift < least ? 'below' : undefined,
  }
}

function priceWithRange({ conformal }: Model, estimate: Estimate): Valued['price'] {
  const { whole, log, market, predictFen, outOfRange } = estimate
  const end = (score: number, share: number, upside = 0) => {
    const gap = Math.max(0, Math.sign(score) * (whole.logAt(share) - whole.log)) + upside
    const open = whole.isRecord ? undefined : whole.open.length
    return toFen(Math.exp(endOf(conformal, score, { logPrice: log, open, gap }) + market))
  }
  const quickFen = Math.max(MIN_FEN, Math.min(predictFen, end(conformal.p25, 0.25)))
  const listFen = Math.max(predictFen, end(conformal.p75, 0.75))
  return {
    predictFen,
    lowFen: Math.max(MIN_FEN, Math.min(quickFen, end(conformal.p10, 0.1))),
    highFen: Math.max(listFen, end(conformal.p90, 0.9, whole.upside)),
    quickFen,
    listFen,
    coverage: conformal.coverage,
    ...(outOfRange === 'above' && { isOpen: true }),
  }
}

/** Share of the sales with a lower price (fen), from the stored percentiles. */
export function percentileOf(model: Pick<Model, 'percentiles'>, priceFen: number): number {
  const log = Math.log(priceFen)
  const below = model.percentiles.filter((value) => value < log).length
  return Math.min(99, Math.max(1, below)) / 100
}
