/** Model + account → price, interval and reasons, or a refusal if there are too few comparables. */
import { isEmpty, visibleFields } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { affectsPrice, isRequired, pricedProgress } from '@/contract/form/validate'
import { improvementsOf, riskOf } from './advice'
import { implausibleAnswers } from './answer-plausibility'
import { indicesOf, packedSales, priceGap, showComparables, type UsableSale, usableSales } from './comparables'
import { confidenceOf } from './confidence'
import { expectedSizeOf, logDisagreement } from './conformal'
import { explain, topItems } from './explain'
import { featureVector } from './features'
import { applyHedonic, type HedonicValue, logErrorInflation, type MissingValues, marketAt } from './hedonic'
import { clamp, quantile, toFen } from './numbers'
import {
  CLOSE_DISTANCE,
  correction,
  type Distances,
  distancesTo,
  type KernelSums,
  kernelSums,
  MIN_COMPARABLES,
} from './similarity'
import { combined, learnersOf } from './stack'
import { sparsity } from './train'
import type { AnswerSource, Model, Valuation, Valued } from './types'

const MIN_FEN = 100
const NO_NEIGHBOURS: KernelSums = { weight: 0, sum: 0 }

export interface ValuateOptions {
  now: number
  source: AnswerSource
  /** ids of comparables the owner rejects: neither shown nor used */
  without?: readonly string[]
}

/** ratio of the interval's ends above which similar sales count as inconsistent */
const MAX_CONSISTENT_RATIO = 4

interface Estimate {
  hedonicValue: HedonicValue
  distances: Distances
  neighbourhood: KernelSums
  market: number
  /** log */
  correction: number
  /** log value by the stack before comparables, and the disagreement of its learners */
  logValue: number
  disagreement: number
  predictFen: number
  /** the price with missing answers imputed instead of counted as nothing */
  expectedFen: number
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
  const gainOf = (changed: Answers) => predict(model, changed, opts.now, without, 'worst').predictFen
  const breakdown = explain(model, config, { answers: account, comparableCount: usable.length, ...estimate })
  const similar = showComparables(model, config, account, estimate.logValue, predictFen, shown(usable), opts.now)
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

/** Percentile of the market's prices at which the range of an empty form ends. */
const TOP_PERCENTILE = 99

/**
 * Range of the price that `valuate` gives for the same answers, at a fraction of its cost: nothing is explained. While
 * required fields have no answer, the valuation counts them as nothing, which no account has: the range then ends with that
 * of an account with the usual answers to them, widened towards the top of the market by their share. So it begins with
 * the market and narrows to the range of the report. Incomplete answers always yield a range, because they often place an
 * account where few are sold; undefined if complete answers have too few comparables.
 */
export function priceRange(
  model: Model,
  config: FormConfig,
  account: Answers,
  opts: Pick<ValuateOptions, 'now' | 'source'>,
): Pick<Valued['price'], 'lowFen' | 'highFen'> | undefined {
  const { price, guess, isFinished } = computePrice(model, config, account, opts, 'worst', new Set())
  const missing = missingShare(config, account)
  if (missing === 0) return isFinished ? price : guess
  const usual = computePrice(model, config, account, opts, 'average', new Set()).guess
  const top = model.percentiles[TOP_PERCENTILE] ?? 0
  const highFen = toFen(Math.exp((1 - missing) * Math.log(usual.highFen) + missing * top))
  return { lowFen: guess.lowFen, highFen: Math.max(guess.highFen, highFen) }
}

/** Share of the required fields with an effect on the price that have no answer. */
function missingShare(config: FormConfig, account: Answers): number {
  const required = visibleFields(config, account).filter((field) => affectsPrice(field) && isRequired(field, 'AI'))
  return required.filter(({ key }) => isEmpty(account[key])).length / Math.max(1, required.length)
}

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
  { now, source }: Pick<ValuateOptions, 'now' | 'source'>,
  missingValues: MissingValues,
  without: ReadonlySet<number>,
) {
  const estimate = predict(model, account, now, without, missingValues)
  const usable = usableSales(model, estimate.distances)
  const { total, unanswered } = pricedProgress(config, account)
  const grounds = {
    comparableCount: usable.length,
    sold: usable.filter(({ sale }) => sale.kind === 'SOLD').length,
    close: usable.every(({ distance }) => distance < CLOSE_DISTANCE),
    total,
    unanswered,
    age: now - model.newestAt,
    source,
    doubts: [
      ...(estimate.outOfRange ? [OUT_OF_RANGE_TEXT[estimate.outOfRange]] : []),
      ...implausibleAnswers(config, model.hedonic.fields, account),
    ],
  }
  const doubted = isWide(model, estimate)
    ? { ...grounds, doubts: ['相近账号的成交价相差数倍，参考区间很宽', ...grounds.doubts] }
    : grounds
  // a range that is wide because similar sales differ is calibrated for that and needs no additional width
  const widening = confidenceOf(grounds)
  const lowConfidence = widening.level === 'LOW'
  const guess = priceWithRange(model, estimate, logErrorInflation(model.hedonic, estimate.hedonicValue), lowConfidence)
  return {
    estimate,
    usable,
    confidence: confidenceOf({ ...doubted, width: (guess.highFen - guess.lowFen) / guess.predictFen }),
    /** the price whatever the number of comparables */
    guess,
    isFinished: unanswered === 0,
    price: usable.length >= MIN_COMPARABLES ? guess : undefined,
  }
}

/** The interval would be wide without missing answers too, because the similar sales differ; these are reported apart. */
const isWide = ({ conformal }: Model, { neighbourhood }: Estimate): boolean => {
  const logPrice = quantile(conformal.levels.logPrices, 0.5)
  const size = expectedSizeOf(conformal, {
    missingInflation: 0,
    sparsity: sparsity(neighbourhood),
    disagreement: 0,
    logPrice,
    lowConfidence: false,
  })
  return Math.exp((conformal.p90 - conformal.p10) * size) > MAX_CONSISTENT_RATIO
}

/** Ranks sales ahead of asking prices of about the same similarity. */
function shown(usable: readonly UsableSale[]): UsableSale[] {
  const rank = ({ sale, distance }: UsableSale) => distance + (sale.kind === 'ASKING' ? 0.1 : 0)
  return [...usable].sort((a, b) => rank(a) - rank(b))
}

function predict(
  model: Model,
  account: Answers,
  now: number,
  without: ReadonlySet<number>,
  missingValues: MissingValues,
): Estimate {
  const { hedonic, local, conformal, stack, range } = model
  const hedonicValue = applyHedonic(hedonic, account, missingValues)
  const sales = packedSales(model)
  const distances = distancesTo(hedonicValue, sales, hedonic.power, now, without)
  const [neighbourhood = NO_NEIGHBOURS] = kernelSums(distances, sales, [local.bandwidth], now)
  const market = marketAt(hedonic.market, now)
  const comparablesEffect = stack.weights.formula * correction(neighbourhood, local.shrinkage)
  const shift = comparablesEffect + conformal.bias
  const [least, most] = range
  const { log: logValue, disagreement } = logValueOf(model, account, missingValues, hedonicValue)
  const log = logValue + shift
  const outOfRange = log > most ? 'above' : log < least ? 'below' : undefined
  const fen = (value: number) => Math.max(MIN_FEN, toFen(Math.exp(clamp(value, least, most) + market)))
  const predictFen = fen(log)
  const expected = missingValues === 'average' ? logValue : logValueOf(model, account, 'average').log
  const expectedFen = Math.max(predictFen, fen(expected + shift))
  return {
    ...{ hedonicValue, distances, neighbourhood, market, correction: shift },
    ...{ logValue, disagreement, predictFen, expectedFen, outOfRange },
  }
}

/** Log value by the stack, before comparables. */
function logValueOf({ hedonic, stack }: Model, account: Answers, missingValues: MissingValues, given?: HedonicValue) {
  const formula = given ?? applyHedonic(hedonic, account, missingValues)
  const point = featureVector(hedonic, hedonic, account, formula, missingValues)
  return combined(stack, learnersOf(stack, formula.logValue, formula.logValue, point))
}

function priceWithRange(
  model: Model,
  estimate: Estimate,
  missingInflation: number,
  lowConfidence: boolean,
): Valued['price'] {
  const { conformal, hedonic } = model
  const { predictFen, expectedFen, neighbourhood } = estimate
  const disagreement = logDisagreement(estimate.disagreement, hedonic.spread)
  const size = expectedSizeOf(conformal, {
    missingInflation,
    sparsity: sparsity(neighbourhood),
    disagreement,
    logPrice: estimate.logValue,
    lowConfidence,
  })
  const at = (score: number, from = predictFen) => toFen(from * Math.exp(score * size))
  const quickFen = Math.max(MIN_FEN, Math.min(predictFen, at(conformal.p25)))
  const listFen = Math.max(predictFen, at(conformal.p75))
  return {
    predictFen,
    lowFen: Math.max(MIN_FEN, Math.min(quickFen, at(conformal.p10))),
    highFen: Math.max(listFen, at(conformal.p90, expectedFen)),
    quickFen,
    listFen,
    coverage: conformal.coverage,
  }
}

/** Share of the sales with a lower price (fen), from the stored percentiles. */
export function percentileOf(model: Pick<Model, 'percentiles'>, priceFen: number): number {
  const log = Math.log(priceFen)
  const below = model.percentiles.filter((value) => value < log).length
  return Math.min(99, Math.max(1, below)) / 100
}
