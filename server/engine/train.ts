/** Training: sales → formula, weight of comparables, interval. Deterministic: the same sales give the same model. */
import type { Answers, FormConfig } from '@/contract/form/types'
import { pricedProgress } from '@/contract/form/validate'
import { implausibleAnswers } from './answer-plausibility'
import { confidenceOf } from './confidence'
import { calibrate, type HeldOut, logDisagreement } from './conformal'
import { isFactor, isPriced } from './encode'
import { featuresOf, featureVector } from './features'
import {
  applyFieldShrinkage,
  type FieldShrinkage,
  fitFieldShrinkage,
  type HeldOutResidual,
  residualGradient,
} from './field-shrinkage'
import { fitHedonic } from './fit'
import { applyHedonic, type HedonicValue, logErrorInflation, marketAt } from './hedonic'
import { fitDirections } from './monotonicity'
import { DAY, fnv1a, mixed, quantile, sum } from './numbers'
import { distanceApart, type Side } from './offsetting'
import {
  CLOSE_DISTANCE,
  correction,
  type Distances,
  distancesTo,
  type KernelSums,
  kernelSums,
  MAX_SALE_AGE_MS,
  MIN_COMPARABLES,
  type Neighbour,
  nearestSales,
  packSales,
} from './similarity'
import { type Compared, type HeldOutPairs, MAX_PAIRED, pairedWith, similarityScale } from './similarity-scale'
import { combined, fitStack, formulaOnly, learnersOf, lossLimit, type OutOfFold } from './stack'
import {
  type Hedonic,
  type LocalCorrection,
  type Model,
  NOTHING_OMITTED,
  type Observed,
  type Omitted,
  type Sale,
  type Stack,
  type StoredSale,
} from './types'

/** older sales are no longer representative */
const WINDOW = 2 * MAX_SALE_AGE_MS
/**
 * Number of cross-validation folds, and how many of them are run: with few sales only small folds leave enough to train
 * on, with many a few folds are sufficient.
 */
function foldsOf(observed: readonly Observed[]): { folds: number; run: number } {
  if (observed.length <= 1_000) return { folds: 10, run: 10 }
  if (observed.length <= 4_000) return { folds: 5, run: 5 }
  return { folds: 3, run: 3 }
}
/** weight of a listing relative to a sale */
const ASKING_WEIGHT = 0.5
const MAX_HELD_OUT = 1_500
/** sales trusted less than this do not calibrate the interval */
const MIN_TESTED_WEIGHT = 0.2
const BANDWIDTHS = [0.15, 0.35, 0.7]
const LOCAL_SHRINKAGES = [5, 15, 50, 200]
/** shrinkage so strong that the comparables count for nothing */
const NO_CORRECTION = 1e9

/**
 * Trains on the sales up to `now`, SOLD and ASKING. @throws if there are none @param opts.all keep learners of weight 0 @param
 * opts.omitted parts left out
 */
export function train(
  config: FormConfig,
  sales: readonly Sale[],
  opts: { now: number; all?: boolean; omitted?: Omitted },
): Model {
  const used = usedOf(sales, opts.now)
  if (used.length === 0) throw new Error(`no sales of ${config.gameId} to learn from`)
  const observed = used.map(observedOf)
  const { all = false, omitted = NOTHING_OMITTED } = opts
  const directions = fitDirections(config, observed)
  const formula = fitHedonic(config, observed, omitted, directions)
  const ids = Uint32Array.from(used, ({ id }) => mixed(fnv1a(id)))
  const { local, heldOut, fieldShrinkage, stack, paired } = crossFit(config, observed, ids, formula, {
    ...{ all, omitted, directions },
  })
  const hedonic = applyFieldShrinkage(formula, fieldShrinkage, observed)
  const stored = used.map((sale) => storedSaleOf(config, hedonic, stack, sale))
  return {
    ...names(config, used, opts.now),
    hedonic,
    stack,
    local,
    conformal: calibrate(heldOut),
    similarity: similarityScale(
      paired,
      stored.map((sale) => comparedOf(hedonic, sale)),
    ),
    range: rangeOf(stored),
    percentiles: percentilesOf(hedonic, stored, opts.now),
    sales: stored,
  }
}

/** What a training finds out. The rest of a model follows from it, the sales and the time. */
export type Fit = Pick<Model, 'hedonic' | 'stack' | 'local' | 'conformal' | 'similarity' | 'range' | 'percentiles'>

/**
 * The model that a training on these sales yields, from what it found out earlier. @param fit its market begins at the
 * time relative to `now`
 */
export function restoreModel(config: FormConfig, sales: readonly Sale[], fit: Fit, now: number): Model {
  const { market } = fit.hedonic
  const hedonic = { ...fit.hedonic, market: { ...market, start: now + market.start } }
  const used = usedOf(sales, now)
  return {
    ...names(config, used, now),
    ...fit,
    hedonic,
    sales: used.map((sale) => storedSaleOf(config, hedonic, fit.stack, sale)),
  }
}

/** The formula of the sales alone, a fraction of a training. @throws if there are none */
export const formulaOf = (config: FormConfig, sales: readonly Sale[], now: number): Hedonic =>
  fitHedonic(config, usedOf(sales, now).map(observedOf))

/** Those of the sales that a training uses, oldest first. */
const usedOf = (sales: readonly Sale[], now: number): Sale[] =>
  sales
    .filter(({ priceFen, at, weight = 1 }) => priceFen > 0 && at <= now && at > now - WINDOW && weight > 0)
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))

/** Version of the model trained on these sales at `now`. */
export const versionOf = (sales: readonly Sale[], now: number): string =>
  `${new Date(now).toISOString().slice(0, 10).replaceAll('-', '')}.${usedOf(sales, now).length}`

function names(config: FormConfig, used: readonly Sale[], now: number) {
  const date = new Date(now)
  return {
    name: `${config.gameId}-${date.getUTCFullYear()}q${Math.floor(date.getUTCMonth() / 3) + 1}`,
    version: versionOf(used, now),
    gameId: config.gameId,
    schemaVersion: config.schemaVersion,
    trainedAt: now,
    sampleN: used.length,
    soldN: used.filter((sale) => sale.kind === 'SOLD').length,
    newestAt: used.at(-1)?.at ?? now,
  }
}

const observedOf = (sale: Sale): Observed => ({
  kind: sale.kind,
  logPrice: Math.log(sale.priceFen),
  at: sale.at,
  attributes: sale.attributes,
  ...(sale.weight !== undefined && { weight: sale.weight }),
})

/** Log residual of the formula: positive if the sale went for more than predicted. */
function residualOf(hedonic: Hedonic, logValue: number, sale: Observed): number {
  const askingPremium = sale.kind === 'ASKING' ? hedonic.ask : 0
  return sale.logPrice - logValue - marketAt(hedonic.market, sale.at) - askingPremium
}

function comparedOf(hedonic: Hedonic, { kind, at, priceFen, logValue, weight = 1 }: StoredSale): Compared {
  const logPrice = Math.log(priceFen) - marketAt(hedonic.market, at) - (kind === 'ASKING' ? hedonic.ask : 0)
  return { logPrice, residual: logPrice - logValue, weight: weight * (kind === 'SOLD' ? 1 : ASKING_WEIGHT) }
}

const hedonicValueOf = (hedonic: Hedonic, sale: Observed): HedonicValue =>
  applyHedonic(hedonic, sale.attributes, 'average')

const neighbour = (hedonic: Hedonic, sale: Observed): Neighbour =>
  neighbourOf(hedonic, sale, hedonicValueOf(hedonic, sale))

function neighbourOf(hedonic: Hedonic, sale: Observed, parts: HedonicValue): Neighbour {
  const { contributions, index, logTerms, logValue } = parts
  return {
    contributions,
    index,
    logTerms,
    missingInflation: logErrorInflation(hedonic, parts),
    kind: sale.kind,
    at: sale.at,
    residual: residualOf(hedonic, logValue, sale),
    ...(sale.weight !== undefined && { weight: sale.weight }),
  }
}

const round = (value: number): number => Math.round(value * 1e5) / 1e5

function storedSaleOf(config: FormConfig, hedonic: Hedonic, stack: Stack, sale: Sale): StoredSale {
  const observed = observedOf(sale)
  const parts = hedonicValueOf(hedonic, observed)
  const { contributions, logTerms, residual, missingInflation } = neighbourOf(hedonic, observed, parts)
  const point = featureVector(hedonic, hedonic, observed.attributes, parts, 'average')
  const v = combined(stack, learnersOf(stack, parts.logValue, parts.logValue, point)).log
  // only compared fields are stored: a model holds no remarks, ids or pictures
  const kept = config.fields.filter((field) => isPriced(field) || isFactor(field)).map(({ key }) => key)
  const attributes: Answers = Object.fromEntries(
    kept.flatMap((key) => (Object.hasOwn(sale.attributes, key) ? [[key, sale.attributes[key]]] : [])),
  )
  const { id, kind, priceFen, at } = sale
  return {
    id,
    kind,
    priceFen,
    at,
    attributes,
    contributions: contributions.map(round),
    logTerms: round(logTerms),
    residual: round(residual),
    missingInflation: round(missingInflation),
    logValue: round(v),
    ...(observed.weight !== undefined && { weight: round(observed.weight) }),
  }
}

export const sparsity = ({ weight }: KernelSums): number => 1 / (1 + weight / 3)

interface Tested {
  /** row among all sales, log value by the formula, and its log residual */
  row: number
  /** sales of the other folds that it is compared with, if it is one of those that calibrate the similarity */
  others: HeldOutPairs['others']
  log: number
  residual: number
  /** of the sale */
  weight: number
  missingInflation: number
  lowConfidence: boolean
  spread: number
  /** by bandwidth */
  neighbourhood: KernelSums[]
}

type Directions = ReturnType<typeof fitDirections>

interface Learned {
  local: LocalCorrection
  heldOut: HeldOut[]
  fieldShrinkage: FieldShrinkage
  stack: Stack
  paired: HeldOutPairs[]
}

/**
 * Cross-fitting: each fold is priced by a formula fitted without it. The out-of-fold errors select `local`, the weights
 * of the learners and the interval. @param ids hashes of the sales' ids: they decide the folds, so that a new sale does
 * not move the others to another fold @param formula of all sales, which defines the features of the trees
 */
function crossFit(
  config: FormConfig,
  observed: readonly Observed[],
  ids: Uint32Array,
  formula: Hedonic,
  { all, omitted, directions }: { all: boolean; omitted: Omitted; directions: Directions },
): Learned {
  const local = { bandwidth: BANDWIDTHS[0] ?? 0.5, shrinkage: LOCAL_SHRINKAGES[0] ?? 4 }
  const fallback = { local, heldOut: [], fieldShrinkage: fitFieldShrinkage([]), stack: formulaOnly, paired: [] }
  const { folds, run } = foldsOf(observed)
  if (observed.length < 2 * folds) return fallback
  const foldOf = Int32Array.from(ids, (id) => id % folds)
  const chosen = evenlySpaced(
    observed.flatMap(({ kind, weight = 1 }, i) =>
      kind === 'SOLD' && weight >= MIN_TESTED_WEIGHT && (foldOf[i] ?? 0) < run ? [i] : [],
    ),
    MAX_HELD_OUT,
  )
  const fitted = Array.from({ length: run }, (_, fold) => {
    const rows = [...observed.keys()].filter((i) => foldOf[i] === fold)
    const trainingRows = [...observed.keys()].filter((i) => foldOf[i] !== fold)
    const trainingSet = trainingRows.flatMap((i) => observed[i] ?? [])
    // same number of iterations as the final fit: shrinkage learned from a half-converged formula would not suit it
    const hedonic = fitHedonic(config, trainingSet, omitted, directions)
    return {
      trainingSet,
      trainingRows,
      hedonic,
      rows,
      residuals: rows.flatMap((i) => (observed[i] ? [heldOutResidualOf(hedonic, observed[i])] : [])),
    }
  })
  const learnFieldShrinkage = (heldOut: readonly HeldOutResidual[]) =>
    fitFieldShrinkage(omitted.has('shrinkage') ? [] : heldOut)
  const formulas = fitted.map((own) => {
    // the shrinkage of a fold's formula is learned from the other folds, if any, to keep its errors out of fold
    const others = fitted.filter((one) => run === 1 || one !== own).flatMap(({ residuals }) => residuals)
    return { ...own, hedonic: applyFieldShrinkage(own.hedonic, learnFieldShrinkage(others), own.trainingSet) }
  })
  const pairing = evenlySpaced([...chosen], MAX_PAIRED)
  const tested = formulas.flatMap(({ trainingSet, trainingRows, rows, hedonic }) =>
    testFold(
      config,
      trainingSet,
      rows.filter((i) => chosen.has(i)),
      observed,
      hedonic,
      (row, distances) => (pairing.has(row) ? pairsOf(hedonic, observed, row, trainingRows, distances) : []),
    ),
  )
  if (tested.length === 0) return fallback
  const limit = lossLimit(
    tested.map(({ residual }) => residual),
    tested.map(({ weight }) => weight),
  )
  let best = { loss: Number.POSITIVE_INFINITY, bandwidth: 0, at: 0, shrinkage: 0 }
  for (const [at, bandwidth] of BANDWIDTHS.entries()) {
    for (const shrinkage of omitted.has('comparables') ? [NO_CORRECTION] : LOCAL_SHRINKAGES) {
      const losses = errors(tested, at, shrinkage).map((error) => Math.min(limit, Math.abs(error)))
      const loss = sum(losses.map((own, i) => (tested[i]?.weight ?? 1) * own))
      if (loss < best.loss) best = { loss, bandwidth, at, shrinkage }
    }
  }
  const neighbourhoodOf = (one: Tested) => one.neighbourhood[best.at] ?? { weight: 0, sum: 0 }
  const compared = tested.map((one) => ({
    row: one.row,
    weight: one.weight,
    formula: one.log + correction(neighbourhoodOf(one), best.shrinkage),
  }))
  const { stack, predicted } = fitStack(
    outOfFoldOf(config, observed, ids, formula, formulas, folds),
    compared,
    limit,
    all,
  )
  const heldOut = tested.map((one, i) => {
    const guess = combined(stack, predicted[i]?.of ?? {})
    return {
      residual: one.residual + one.log - guess.log,
      weight: one.weight,
      missingInflation: one.missingInflation,
      lowConfidence: one.lowConfidence,
      sparsity: sparsity(neighbourhoodOf(one)),
      disagreement: logDisagreement(guess.disagreement, one.spread),
      logPrice: guess.log,
    }
  })
  const paired = tested.map(({ others, weight, log, residual }) => ({ others, weight, logPrice: log + residual }))
  const fieldShrinkage = learnFieldShrinkage(fitted.flatMap(({ residuals }) => residuals))
  return { local: { bandwidth: best.bandwidth, shrinkage: best.shrinkage }, heldOut, fieldShrinkage, stack, paired }
}

/** Out-of-fold features and targets of the sales for the trees. */
function outOfFoldOf(
  config: FormConfig,
  observed: readonly Observed[],
  ids: Uint32Array,
  formula: Hedonic,
  formulas: readonly { rows: number[]; hedonic: Hedonic }[],
  folds: number,
): OutOfFold {
  const features = featuresOf(config, formula)
  const n = observed.length
  const outOfFold = {
    columns: features.map(() => new Float64Array(n)),
    ...{ target: new Float64Array(n), weight: new Float64Array(n), formula: new Float64Array(n) },
  }
  for (const { rows, hedonic } of formulas) {
    for (const i of rows) {
      const sale = observed[i]
      if (!sale) continue
      const parts = hedonicValueOf(hedonic, sale)
      const { x } = featureVector(formula, hedonic, sale.attributes, parts, 'average')
      for (const [f, column] of outOfFold.columns.entries()) column[i] = x[f] ?? Number.NaN
      outOfFold.formula[i] = parts.logValue
      outOfFold.target[i] = parts.logValue + residualOf(hedonic, parts.logValue, sale)
      const kind = sale.kind === 'SOLD' ? 1 : ASKING_WEIGHT
      outOfFold.weight[i] = (sale.weight ?? 1) * kind * Math.exp(-2 * logErrorInflation(hedonic, parts))
    }
  }
  const { columns, target, weight } = outOfFold
  const fold = Int32Array.from(ids, (id) => id % folds)
  return {
    features: { n, ids, columns, monotone: features.map(({ monotone }) => monotone) },
    target,
    weight,
    formula: outOfFold.formula,
    fold,
    folds,
  }
}

/** A held-out sale beside others, with their distances. @param rows of the distances */
function pairsOf(
  hedonic: Hedonic,
  observed: readonly Observed[],
  row: number,
  rows: readonly number[],
  distances: Distances,
): Tested['others'] {
  const sideOf = (i: number): Side => {
    const answers = observed[i]?.attributes ?? {}
    return { answers, value: applyHedonic(hedonic, answers, 'average') }
  }
  const own = sideOf(row)
  return pairedWith(distances).map((at) => {
    const other = rows[at] ?? 0
    return { row: other, distance: distanceApart(hedonic, distances[at] ?? 0, own, sideOf(other)) }
  })
}

function heldOutResidualOf(hedonic: Hedonic, sale: Observed): HeldOutResidual {
  const residual = residualOf(hedonic, hedonicValueOf(hedonic, sale).logValue, sale)
  return residualGradient(hedonic, sale.attributes, residual, sale.weight)
}

function errors(tested: readonly Tested[], at: number, shrinkage: number): number[] {
  return tested.map(
    ({ residual, neighbourhood }) => residual - correction(neighbourhood[at] ?? { weight: 0, sum: 0 }, shrinkage),
  )
}

/** At most `most` elements of the list, evenly spaced. */
function evenlySpaced(list: readonly number[], most: number): ReadonlySet<number> {
  const step = Math.max(1, list.length / most)
  return new Set(Array.from({ length: Math.min(list.length, most) }, (_, k) => list[Math.floor(k * step)] ?? 0))
}

function testFold(
  config: FormConfig,
  trainingSet: readonly Observed[],
  rows: readonly number[],
  observed: readonly Observed[],
  hedonic: Hedonic,
  othersOf: (row: number, distances: Distances) => Tested['others'],
): Tested[] {
  const neighbours = packSales(
    trainingSet.map((sale) => neighbour(hedonic, sale)),
    ({ index }) => index,
  )
  return rows.flatMap((row) => {
    const sale = observed[row]
    if (!sale) return []
    const value = hedonicValueOf(hedonic, sale)
    // comparables are aged by a month, as in a valuation some time after training
    const now = sale.at + 30 * DAY
    const distances = distancesTo(value, neighbours, hedonic.power, now)
    const near = nearestSales(distances, MIN_COMPARABLES)
    // the valuation would be refused, so there is no error to calibrate on
    if (near.length < MIN_COMPARABLES) return []
    return {
      row,
      log: value.logValue,
      residual: residualOf(hedonic, value.logValue, sale),
      weight: sale.weight ?? 1,
      missingInflation: logErrorInflation(hedonic, value),
      lowConfidence: isLowConfidence(config, hedonic, sale, near),
      spread: hedonic.spread,
      neighbourhood: kernelSums(distances, neighbours, BANDWIDTHS, now),
      others: othersOf(row, distances),
    }
  })
}

/** Whether a valuation of this sale would have low confidence, judged by the same comparables and answers. */
function isLowConfidence(
  config: FormConfig,
  hedonic: Hedonic,
  { attributes }: Observed,
  near: ReturnType<typeof nearestSales>,
): boolean {
  const { total, unanswered } = pricedProgress(config, attributes)
  const doubts = implausibleAnswers(config, hedonic.fields, attributes)
  const close = near.every(({ d }) => d < CLOSE_DISTANCE)
  const counts = { comparableCount: near.length, sold: near.length, total, unanswered }
  return confidenceOf({ ...counts, close, age: 0, source: 'TYPED', doubts }).level === 'LOW'
}

function rangeOf(stored: readonly StoredSale[]): [number, number] {
  const values = stored.map(({ logValue }) => logValue)
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
}

/** Percentiles 0–100 of the log price, all sales adjusted to the market at `now` and to SOLD. */
function percentilesOf(hedonic: Hedonic, stored: readonly StoredSale[], now: number): number[] {
  const today = stored
    .map((sale) => ({
      log:
        Math.log(sale.priceFen) -
        (sale.kind === 'ASKING' ? hedonic.ask : 0) +
        marketAt(hedonic.market, now) -
        marketAt(hedonic.market, sale.at),
      weight: sale.weight ?? 1,
    }))
    // sorted, which makes each quantile cheap
    .sort((a, b) => a.log - b.log)
  const [logs, weights] = [today.map(({ log }) => log), today.map(({ weight }) => weight)]
  return Array.from({ length: 101 }, (_, p) => round(quantile(logs, p / 100, weights)))
}
