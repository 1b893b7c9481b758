/** Training: sales → formula, weight of comparables, interval. Deterministic: the same sales give the same model. */
import type { Answers, FormConfig } from '@/contract/form/types'
import { isRequired, pricedProgress } from '@/contract/form/validate'
import { completed, openFields } from './completions'
import { accountsFor, calibrate, expectedSizeOf, followed, type HeldOut, type Hidden } from './conformal'
import { isFactor, isPriced } from './encode'
import { featuresOf, featureVector } from './features'
import { fitHedonic } from './fit'
import { applyHedonic, type HedonicValue, marketAt, residualOf } from './hedonic'
import { fitDirections } from './monotonicity'
import { DAY, fnv1a, mixed, quantile, sum } from './numbers'
import { aged, chosenDecay, type Origin, originOf } from './rolling-origin'
import {
  correction,
  distancesTo,
  type KernelSums,
  kernelSums,
  MAX_SALE_AGE_MS,
  MIN_COMPARABLES,
  type Neighbour,
  nearestSales,
  packSales,
  packStored,
} from './similarity'
import { combined, fitStack, formulaOnly, lossLimit, type OutOfFold } from './stack'
import type { Hedonic, Model, Observed, Sale, Stack, StoredSale } from './types'

/** older sales are no longer representative */
const WINDOW = 2 * MAX_SALE_AGE_MS
/** Number of cross-validation folds: with few sales only small folds leave enough to train on. */
const foldsOf = (n: number): number => (n <= 1_000 ? 10 : n <= 4_000 ? 5 : 3)
/** weight of a listing relative to a sale */
const ASKING_WEIGHT = 0.5
const MAX_HELD_OUT = 1_500
const MAX_LATER = 600
/** sales trusted less than this do not calibrate the interval */
const MIN_TESTED_WEIGHT = 0.2
/** candidates of the shrinkage of the comparables' correction */
const SHRINKAGES = [5, 15, 50, 200]

/**
 * Trains on the sales up to `now`, SOLD and ASKING. @throws if there are none
 */
export function train(config: FormConfig, sales: readonly Sale[], opts: { now: number }): Model {
  const used = usedOf(sales, opts.now)
  if (used.length === 0) throw new Error(`no sales of ${config.gameId} to learn from`)
  const observed = used.map(observedOf)
  const directions = fitDirections(config, observed)
  const ids = Uint32Array.from(used, ({ id }) => mixed(fnv1a(id)))
  const origin = originOf(observed, ids)
  const past = origin && chosenDecay(config, observed, origin, directions)
  const learned = aged(observed, past?.decay ?? 0)
  const hedonic = fitHedonic(config, learned, directions)
  const { shrinkage, heldOut, later, stack } = crossFit(config, observed, learned, ids, hedonic, {
    directions,
    ...(past && { origin: { ...origin, hedonic: past.hedonic } }),
  })
  const stored = used.map((sale) => storedSaleOf(config, hedonic, stack, sale))
  const conformal = followed(calibrate(heldOut), later)
  const model: Model = {
    ...names(config, used, opts.now),
    hedonic,
    stack,
    shrinkage,
    conformal,
    range: rangeOf(stored),
    percentiles: percentilesOf(hedonic, stored, opts.now),
    sales: stored,
  }
  return { ...model, conformal: { ...conformal, accounts: accountsFor(hiddenAnswers(config, model, heldOut)) } }
}

/** held-out sales whose answers are hidden, fewer where each price needs trees, and how many answers at a time */
const MAX_HIDDEN = { formula: 400, trees: 120 } as const
const HIDDEN_ANSWERS = [1, 2, 4, Number.POSITIVE_INFINITY]
/** with fewer complete records, incomplete ones serve too */
const MIN_COMPLETE = 60

/** Errors of held-out sales with all answers, and when answers that the form leaves to owners are hidden, in an order by hashes. */
function hiddenAnswers(config: FormConfig, model: Model, heldOut: readonly HeldOut[]): Hidden[] {
  const packed = packStored(model.hedonic, model.sales)
  const optional = config.fields.filter((field) => isPriced(field) && !isRequired(field, 'AI')).map(({ key }) => key)
  const hash = (text: string) => mixed(fnv1a(text))
  const records = heldOut
    .flatMap((one) => {
      const sale = model.sales[one.row]
      return sale ? [{ one, sale, open: openFields(model, config, sale.attributes) }] : []
    })
    .sort((a, b) => hash(a.sale.id) - hash(b.sale.id))
  const errorOf = ({ one, sale }: (typeof records)[number], account: Answers, isLeast: boolean): Hidden => {
    const open = openFields(model, config, account)
    const { at } = completed(model, packed, account, open, one.row)
    const size = expectedSizeOf(model.conformal, at(0.5))
    return {
      ...{ open: open.length, isLeast, weight: one.weight, at },
      log: sale.logValue + one.residual - model.conformal.bias,
      low: model.conformal.p10 * size,
      high: model.conformal.p90 * size,
    }
  }
  const complete = records.filter(({ open }) => open.length === 0)
  const most = model.stack.treeWeight > 0 ? MAX_HIDDEN.trees : MAX_HIDDEN.formula
  const hidden = (complete.length < MIN_COMPLETE ? records : complete).slice(0, most).flatMap((record) => {
    const { attributes, id } = record.sale
    const given = optional.filter((key) => attributes[key] !== undefined).sort((a, b) => hash(id + a) - hash(id + b))
    const counts = HIDDEN_ANSWERS.filter((n) => n <= given.length || n === Number.POSITIVE_INFINITY)
    return counts.map((n) => {
      const account = { ...attributes, ...Object.fromEntries(given.slice(0, n).map((key) => [key, undefined])) }
      return errorOf(record, account, n === Number.POSITIVE_INFINITY)
    })
  })
  return [...complete.map((record) => errorOf(record, record.sale.attributes, false)), ...hidden]
}

/** What a training finds out. The rest of a model follows from it, the sales and the time. */
export type Fit = Pick<Model, 'hedonic' | 'stack' | 'shrinkage' | 'conformal' | 'range' | 'percentiles'>

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
  const { contributions, logTerms, residual } = neighbourOf(hedonic, observed, parts)
  const point = featureVector(hedonic, hedonic, observed.attributes, 'average')
  const v = combined(stack, parts.logValue, parts.logValue, point)
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
    logValue: round(v),
    ...(observed.weight !== undefined && { weight: round(observed.weight) }),
  }
}

interface Tested {
  /** row among all sales, log value by the formula, and its log residual */
  row: number
  log: number
  residual: number
  /** of the sale */
  weight: number
  neighbourhood: KernelSums
}

type Directions = ReturnType<typeof fitDirections>

interface Learned {
  shrinkage: number
  heldOut: HeldOut[]
  /** those after the origin, by a model that knows the past only, in order of time */
  later: HeldOut[]
  stack: Stack
}

/**
 * Cross-fitting: each fold is priced by a formula fitted without it. The out-of-fold errors select `local`, the weights
 * of the learners and the interval. @param learned the sales with the weights they are learned with @param ids hashes of the
 * sales' ids: they decide the folds, so that a new sale does not move the others to another fold @param formula of all
 * sales, which defines the features of the trees
 */
function crossFit(
  config: FormConfig,
  observed: readonly Observed[],
  learned: readonly Observed[],
  ids: Uint32Array,
  formula: Hedonic,
  { directions, origin }: CrossFitOptions,
): Learned {
  const fallback = { shrinkage: SHRINKAGES[0] ?? 4, heldOut: [], later: [], stack: formulaOnly }
  const folds = foldsOf(observed.length)
  if (observed.length < 2 * folds) return fallback
  const foldOf = Int32Array.from(ids, (id) => id % folds)
  const isTested = (i: number) => observed[i]?.kind === 'SOLD' && (observed[i]?.weight ?? 1) >= MIN_TESTED_WEIGHT
  const chosen = byHash([...observed.keys()].filter(isTested), ids, MAX_HELD_OUT)
  const formulas = Array.from({ length: folds }, (_, fold): Fold => {
    const past = [...observed.keys()].filter((i) => foldOf[i] !== fold)
    const trainingSet = past.flatMap((i) => learned[i] ?? [])
    const rows = [...observed.keys()].filter((i) => foldOf[i] === fold)
    return { fold, past, rows, hedonic: fitHedonic(config, trainingSet, directions) }
  })
  const test = ({ past, rows, hedonic }: Fold, tested: ReadonlySet<number>) =>
    testFold(
      config,
      past.flatMap((i) => observed[i] ?? []),
      rows.filter((i) => tested.has(i)),
      observed,
      hedonic,
    )
  const tested = formulas.flatMap((one) => test(one, chosen))
  if (tested.length === 0) return fallback
  const limit = lossLimit(
    tested.map(({ residual }) => residual),
    tested.map(({ weight }) => weight),
  )
  const lossOf = (shrinkage: number) =>
    sum(
      tested.map(({ residual, neighbourhood, weight }) => {
        return weight * Math.min(limit, Math.abs(residual - correction(neighbourhood, shrinkage)))
      }),
    )
  const best = SHRINKAGES.map((shrinkage) => ({ shrinkage, loss: lossOf(shrinkage) })).reduce((a, b) =>
    b.loss < a.loss ? b : a,
  )
  const comparedOf = (first: number) => (one: Tested) => ({
    row: first + one.row,
    weight: one.weight,
    formula: one.log + correction(one.neighbourhood, best.shrinkage),
  })
  // the sales after the origin follow as further rows, priced by the formula of the past
  const rolled: Fold | undefined = origin && {
    fold: -1,
    past: origin.past,
    rows: origin.later,
    hedonic: origin.hedonic,
  }
  const later = rolled ? test(rolled, byHash(rolled.rows.filter(isTested), ids, MAX_LATER)) : []
  const rolledAt = new Map(rolled?.rows.map((row, k) => [row, observed.length + k - row]))
  const {
    stack,
    predicted,
    later: laterPredicted,
  } = fitStack(
    outOfFoldOf(config, learned, ids, formula, [...formulas, ...(rolled ? [rolled] : [])], folds),
    { compared: tested.map(comparedOf(0)), later: later.map((one) => comparedOf(rolledAt.get(one.row) ?? 0)(one)) },
    limit,
  )
  const heldOutOf = ({ row, residual, log, weight }: Tested, guess = 0): HeldOut => ({
    ...{ row, weight, logPrice: guess, residual: residual + log - guess },
  })
  return {
    shrinkage: best.shrinkage,
    heldOut: tested.map((one, i) => heldOutOf(one, predicted[i])),
    later: later.map((one, i) => heldOutOf(one, laterPredicted[i])),
    stack,
  }
}

interface CrossFitOptions {
  directions: Directions
  /** rows before and after the origin, and the formula of the former */
  origin?: Origin & { hedonic: Hedonic }
}

/** Rows that are priced by a formula of other rows. */
interface Fold {
  fold: number
  past: number[]
  rows: number[]
  hedonic: Hedonic
}

/** Out-of-fold features and targets of the sales for the trees; rows of the fold −1 come last. */
function outOfFoldOf(
  config: FormConfig,
  observed: readonly Observed[],
  ids: Uint32Array,
  formula: Hedonic,
  formulas: readonly Fold[],
  folds: number,
): OutOfFold {
  const features = featuresOf(config, formula)
  const rolled = formulas.find(({ fold }) => fold < 0)
  const rows = [...observed.keys(), ...(rolled?.rows ?? [])]
  const n = rows.length
  const columns = features.map(() => new Float64Array(n))
  const column = () => new Float64Array(n)
  const outOfFold = { target: column(), weight: column(), formula: column() }
  for (const { fold, rows: own, hedonic } of formulas) {
    for (const [k, i] of own.entries()) {
      const sale = observed[i]
      if (!sale) continue
      const at = fold < 0 ? observed.length + k : i
      const parts = hedonicValueOf(hedonic, sale)
      const { x } = featureVector(formula, hedonic, sale.attributes, 'average')
      for (const [f, values] of columns.entries()) values[at] = x[f] ?? Number.NaN
      outOfFold.formula[at] = parts.logValue
      outOfFold.target[at] = parts.logValue + residualOf(hedonic, parts.logValue, sale)
      const kind = sale.kind === 'SOLD' ? 1 : ASKING_WEIGHT
      outOfFold.weight[at] = (sale.weight ?? 1) * kind
    }
  }
  const hashes = Uint32Array.from(rows, (i) => ids[i] ?? 0)
  return {
    features: { n, ids: hashes, columns, monotone: features.map(({ monotone }) => monotone) },
    ...outOfFold,
    fold: Int32Array.from(rows, (i, at) => (at < observed.length ? (ids[i] ?? 0) % folds : -1)),
    folds,
    ...(rolled && { origin: Int32Array.from(rolled.past) }),
  }
}

/** At most `most` of the rows: those with the least hashes, which another row changes by one at most. */
const byHash = (rows: readonly number[], ids: Uint32Array, most: number): ReadonlySet<number> =>
  new Set([...rows].sort((a, b) => mixed(ids[a] ?? 0) - mixed(ids[b] ?? 0)).slice(0, most))

function testFold(
  config: FormConfig,
  trainingSet: readonly Observed[],
  rows: readonly number[],
  observed: readonly Observed[],
  hedonic: Hedonic,
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
    const hasGaps = pricedProgress(config, sale.attributes).unanswered > 0
    const near = nearestSales(distances, MIN_COMPARABLES, hasGaps)
    // the valuation would be refused, so there is no error to calibrate on
    if (near.length < MIN_COMPARABLES) return []
    return {
      row,
      log: value.logValue,
      residual: residualOf(hedonic, value.logValue, sale),
      weight: sale.weight ?? 1,
      neighbourhood: kernelSums(distances, neighbours, now),
    }
  })
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
