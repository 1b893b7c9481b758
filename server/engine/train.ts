/** Training: sales → formula, weight of comparables, interval. Deterministic: the same sales give the same model. */
import type { Answers, FormConfig } from '@/contract/form/types'
import { affectsPrice, isRequired, pricedProgress } from '@/contract/form/validate'
import { completed, openFields } from './completions'
import { accountsFor, calibrate, errorsOfAll, expectedSizeOf, followed, type HeldOut, type Hidden } from './conformal'
import { isPriced } from './encode'
import { type Layout, layoutsOf } from './feature-layout'
import { featureVector, monotoneFeatures } from './features'
import { fitHedonic } from './fit'
import { applyHedonic, marketAt, residualOf } from './hedonic'
import { fitDirections } from './monotonicity'
import { DAY, fnv1a, mixed, quantile } from './numbers'
import { aged, type Origin, originOf } from './rolling-origin'
import { correctionOf, distancesTo, hasComparables, MAX_SALE_AGE_MS, type Neighbour, packSales } from './similarity'
import { type Compared, combined, fitStack, formulaOnly, type OutOfFold } from './stack'
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

/**
 * Trains on the sales up to `now`, SOLD and ASKING. @throws if there are none
 */
export function train(config: FormConfig, sales: readonly Sale[], opts: { now: number }): Model {
  const used = usedOf(sales, opts.now)
  if (used.length === 0) throw new Error(`no sales of ${config.gameId} to learn from`)
  const ids = Uint32Array.from(used, ({ id }) => mixed(fnv1a(id)))
  const layouts = layoutsOf(config, used, fitDirections(config, used))
  const origin = originOf(config, used, ids, layouts)
  const layout = origin?.layout ?? layouts[0]
  const learned = aged(used, origin?.decay ?? 0)
  const hedonic = fitHedonic(config, learned, layout)
  const { stack, later, ...tested } = crossFit(config, { used, learned, ids, layout, hedonic, origin })
  const stored = used.map((sale) => storedSaleOf(config, hedonic, stack, sale))
  const known = tested.heldOut.map(({ row, logPrice, residual }) => logPrice + residual - (stored[row]?.logValue ?? 0))
  const share = 1 - 1 / foldsOf(used.length)
  const asOfAll = errorsOfAll(tested.heldOut, known, share)
  const heldOut = asOfAll(tested.heldOut, share)
  const conformal = calibrate(heldOut)
  const model: Model = {
    ...names(config, used, opts.now),
    hedonic,
    stack,
    conformal,
    range: rangeOf(stored),
    percentiles: percentilesOf(hedonic, stored, opts.now),
    sales: stored,
  }
  // drift is no property of accounts: their factors follow from the range without it
  const accounts = accountsFor(hiddenAnswers(config, model, heldOut))
  const newest = asOfAll(later, (origin?.past.length ?? 1) / used.length)
  return { ...model, conformal: { ...followed(conformal, newest), accounts } }
}

/** held-out sales whose answers are hidden, fewer where each price needs trees, and how many answers at a time */
const MAX_HIDDEN = { formula: 800, trees: 240 } as const
const HIDDEN_ANSWERS = [1, 2, 4, Number.POSITIVE_INFINITY]
/** with fewer complete records, incomplete ones serve too */
const MIN_COMPLETE = 60

/** Errors of held-out sales with all answers, and when answers that the form leaves to owners are hidden, in an order by hashes. */
function hiddenAnswers(config: FormConfig, model: Model, heldOut: readonly HeldOut[]): Hidden[] {
  const packed = packSales(model.hedonic, model.sales)
  const optional = config.fields.filter((field) => isPriced(field) && !isRequired(field, 'AI')).map(({ key }) => key)
  const hash = (text: string) => mixed(fnv1a(text))
  const records = heldOut
    .flatMap((held) => {
      const sale = model.sales[held.row]
      return sale ? [{ held, sale, open: openFields(model, config, sale.attributes) }] : []
    })
    .sort((a, b) => hash(a.sale.id) - hash(b.sale.id))
  const errorOf = ({ held, sale }: (typeof records)[number], account: Answers, isLeast: boolean): Hidden => {
    const open = openFields(model, config, account)
    const { logAt, upside } = completed(model, packed, account, open, held.row)
    const size = expectedSizeOf(model.conformal, logAt(0.5))
    return {
      ...{ open: open.length, isLeast, weight: held.weight, logAt, upside },
      log: sale.logValue + held.residual - model.conformal.bias,
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
export type Fit = Pick<Model, 'hedonic' | 'stack' | 'conformal' | 'range' | 'percentiles'>

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

function neighbourOf(hedonic: Hedonic, { kind, at, weight, ...sale }: Observed): Neighbour {
  const { contributions, logTerms, logValue } = applyHedonic(hedonic, sale.attributes, 'average')
  const residual = residualOf(hedonic, logValue, { kind, at, ...sale })
  return { kind, at, contributions, logTerms, residual, ...(weight !== undefined && { weight }) }
}

const round = (value: number): number => Math.round(value * 1e5) / 1e5

function storedSaleOf(config: FormConfig, hedonic: Hedonic, stack: Stack, sale: Sale): StoredSale {
  const { id, kind, priceFen, at, weight } = sale
  const { contributions, logTerms, logValue } = applyHedonic(hedonic, sale.attributes, 'average')
  const point = featureVector(hedonic, sale.attributes, 'average')
  // only compared fields are stored: a model holds no remarks, ids or pictures
  const kept = config.fields.filter(affectsPrice).map(({ key }) => key)
  return {
    ...{ id, kind, priceFen, at },
    attributes: Object.fromEntries(Object.entries(sale.attributes).filter(([key]) => kept.includes(key))),
    contributions: contributions.map(round),
    logTerms: round(logTerms),
    residual: round(residualOf(hedonic, logValue, sale)),
    logValue: round(combined(stack, logValue, logValue, point)),
    ...(weight !== undefined && { weight: round(weight) }),
  }
}

/** What cross-fitting works on. */
interface Line {
  used: readonly Sale[]
  /** the same with the weights they are learned with */
  learned: readonly Observed[]
  /** hashes of their ids: they decide the folds, so that a new sale does not move the others to another fold */
  ids: Uint32Array
  /** the terms of all formulas, and that of all sales */
  layout: Layout
  hedonic: Hedonic
  origin: Origin | undefined
}

/** Sales that are priced by a formula of others. */
interface Fold {
  past: readonly number[]
  tested: readonly number[]
  /** first of its rows among the out-of-fold data, where they are not those of the sales */
  first?: number
  hedonic: Hedonic
}

/**
 * Cross-fitting: each fold is priced by a formula fitted without it. The out-of-fold errors decide the weights of the learners
 * and the interval. The sales after the origin follow as further rows, priced by the formula of the past.
 * @returns the held-out sales, and those after the origin by a model that knows the past only, in order of time
 */
function crossFit(config: FormConfig, line: Line): { heldOut: HeldOut[]; later: HeldOut[]; stack: Stack } {
  const { used, learned, ids, layout, origin } = line
  const folds = foldsOf(used.length)
  if (used.length < 2 * folds) return { heldOut: [], later: [], stack: formulaOnly }
  const rows = [...used.keys()]
  const isTested = (i: number) => used[i]?.kind === 'SOLD' && (used[i]?.weight ?? 1) >= MIN_TESTED_WEIGHT
  const chosen = byHash(rows.filter(isTested), ids, MAX_HELD_OUT)
  const foldOf = ids.map((id) => id % folds)
  const parts = Array.from({ length: folds }, (_, fold): Fold => {
    const past = rows.filter((i) => foldOf[i] !== fold)
    const trainingSet = past.flatMap((i) => learned[i] ?? [])
    const tested = rows.filter((i) => foldOf[i] === fold)
    return { past, tested, hedonic: fitHedonic(config, trainingSet, layout) }
  })
  const rolled = origin && { past: origin.past, tested: origin.later, first: used.length, hedonic: origin.hedonic }
  const compared = parts.flatMap((part) => comparedIn(config, line, part, chosen))
  if (compared.length === 0) return { heldOut: [], later: [], stack: formulaOnly }
  const newest = rolled ? comparedIn(config, line, rolled, byHash(origin.later.filter(isTested), ids, MAX_LATER)) : []
  const data = outOfFoldOf(config, line, rolled ? [...parts, rolled] : parts)
  const { stack, predicted, later } = fitStack(data, compared, newest)
  const heldOutOf = (logs: readonly number[]) => (tested: Compared & { sale: number }, i: number) => {
    const [row, logPrice] = [tested.sale, logs[i] ?? 0]
    return { row, weight: tested.weight, logPrice, residual: (data.target[tested.row] ?? 0) - logPrice }
  }
  return { heldOut: compared.map(heldOutOf(predicted)), later: newest.map(heldOutOf(later)), stack }
}

/** Those of a fold's sales that are `chosen`, priced by its formula and the comparables among the others. */
function comparedIn(
  config: FormConfig,
  { used }: Line,
  { past, tested, first, hedonic }: Fold,
  chosen: ReadonlySet<number>,
): (Compared & { sale: number })[] {
  const neighbours = packSales(
    hedonic,
    past.flatMap((i) => (used[i] ? neighbourOf(hedonic, used[i]) : [])),
  )
  return tested.flatMap((i, k) => {
    const sale = used[i]
    if (!sale || !chosen.has(i)) return []
    const value = applyHedonic(hedonic, sale.attributes, 'average')
    // comparables are aged by a month, as in a valuation some time after training
    const now = sale.at + 30 * DAY
    const distances = distancesTo(value, neighbours, hedonic.power, now)
    const hasGaps = pricedProgress(config, sale.attributes).unanswered > 0
    // the valuation would be refused, so there is no error to calibrate on
    if (!hasComparables(distances, hasGaps)) return []
    return {
      row: first === undefined ? i : first + k,
      sale: i,
      weight: sale.weight ?? 1,
      formula: value.logValue + correctionOf(distances, neighbours, now),
    }
  })
}

/** Out-of-fold features and targets of the sales for the trees; those after the origin come last. */
function outOfFoldOf(
  config: FormConfig,
  { learned, ids, hedonic: whole, origin }: Line,
  parts: readonly Fold[],
): OutOfFold {
  const monotone = monotoneFeatures(config, whole)
  const n = learned.length + (origin?.later.length ?? 0)
  const column = () => new Float64Array(n)
  const columns = monotone.map(column)
  const data = { target: column(), weight: column(), formula: column(), fold: new Int32Array(n) }
  const hashes = new Uint32Array(n)
  for (const [fold, { tested, first, hedonic }] of parts.entries()) {
    for (const [k, i] of tested.entries()) {
      const sale = learned[i]
      if (!sale) continue
      const row = first === undefined ? i : first + k
      const { logValue } = applyHedonic(hedonic, sale.attributes, 'average')
      const { x } = featureVector(hedonic, sale.attributes, 'average')
      for (const [f, values] of columns.entries()) values[row] = x[f] ?? Number.NaN
      hashes[row] = ids[i] ?? 0
      data.formula[row] = logValue
      data.target[row] = logValue + residualOf(hedonic, logValue, sale)
      data.weight[row] = (sale.weight ?? 1) * (sale.kind === 'SOLD' ? 1 : ASKING_WEIGHT)
      data.fold[row] = first === undefined ? fold : -1
    }
  }
  return { features: { n, ids: hashes, columns, monotone }, ...data, past: origin?.past ?? [] }
}

/** At most `most` of the rows: those with the least hashes, which another row changes by one at most. */
const byHash = (rows: readonly number[], ids: Uint32Array, most: number): ReadonlySet<number> =>
  new Set([...rows].sort((a, b) => mixed(ids[a] ?? 0) - mixed(ids[b] ?? 0)).slice(0, most))

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
