/** Training: sales → formula, weight of comparables, interval. Deterministic: the same sales give the same model. */
import type { Answers, FormConfig } from '@/contract/form/types'
import { calibrate, type HeldOut, logDisagreement } from './conformal'
import { doubtsAbout } from './doubts'
import { answerOf, isFactor, isKnown, isPriced } from './encode'
import { featuresOf, pointOf } from './features'
import { fitHedonic } from './fit'
import { applyHedonic, logErrorInflation, marketAt, type Parts } from './hedonic'
import { DAY, quantile, sum } from './numbers'
import { fitShrinkage, type HeldOutResidual, residualGradient, type Shrinkage, shrunken } from './shrinkage'
import {
  CLOSE_DISTANCE,
  correction,
  type Evidence,
  evidence,
  MIN_COMPARABLES,
  type Neighbour,
  nearestSales,
  OLDEST,
  packSales,
} from './similarity'
import { combined, fitStack, formulaOnly, learnersOf, type Unseen } from './stack'
import {
  FORMAT,
  type Hedonic,
  type Local,
  type Model,
  type Observed,
  type Sale,
  type Stack,
  type StoredSale,
} from './types'

/** older sales are no longer representative */
const WINDOW = 2 * OLDEST
/**
 * Number of cross-validation folds, and how many of them are run: with few sales only small folds leave enough to train
 * on, with many a few folds are sufficient.
 */
function foldsOf(seen: readonly Observed[]): { folds: number; run: number } {
  if (seen.length <= 500) return { folds: 10, run: 10 }
  if (seen.length <= 4_000) return { folds: 5, run: 5 }
  return { folds: 3, run: 3 }
}
/** limit of absolute log errors, so that wrong rows do not dominate the loss */
const MAX_LOSS = 0.5
/** weight of an offer relative to a sale */
const ASKING_WEIGHT = 0.5
const MAX_HELD_OUT = 1_500
const REACHES = [0.15, 0.35, 0.7]
const TRUSTS = [5, 15, 50, 200]

/**
 * Trains on the sales up to `now`, SOLD and ASKING. @throws if there are none @param opts.all keep learners of weight 0
 */
export function train(config: FormConfig, sales: readonly Sale[], opts: { now: number; all?: boolean }): Model {
  const used = usedOf(sales, opts.now).sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  if (used.length === 0) throw new Error(`no sales of ${config.gameId} to learn from`)
  const seen = used.map(observe)
  const formula = fitHedonic(config, seen)
  const { local, held, temper, stack } = crossFit(config, seen, formula, opts.all ?? false)
  const hedonic = shrunken(formula, temper, accountsOf(seen))
  const stored = used.map((sale, i) => store(config, hedonic, stack, sale, seen[i] ?? observe(sale)))
  return {
    format: FORMAT,
    ...names(config, used, opts.now),
    hedonic,
    stack,
    local,
    conformal: calibrate(held),
    range: rangeOf(stored),
    grid: percentiles(hedonic, stored, opts.now),
    sales: stored,
  }
}

const usedOf = (sales: readonly Sale[], now: number): Sale[] =>
  sales.filter((sale) => sale.priceFen > 0 && sale.at <= now && sale.at > now - WINDOW)

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

const observe = (sale: Sale): Observed => ({
  kind: sale.kind,
  logPrice: Math.log(sale.priceFen),
  at: sale.at,
  attributes: sale.attributes,
})

const accountsOf = (sales: readonly Observed[]): Answers[] => sales.map(({ attributes }) => attributes)

/** Log residual of the formula: positive if the sale went for more than predicted. */
function residualOf(hedonic: Hedonic, logValue: number, sale: Observed): number {
  const asked = sale.kind === 'ASKING' ? hedonic.ask : 0
  return sale.logPrice - logValue - marketAt(hedonic.market, sale.at) - asked
}

const partsOf = (hedonic: Hedonic, sale: Observed): Parts => applyHedonic(hedonic, sale.attributes, 'expected')

const neighbour = (hedonic: Hedonic, sale: Observed): Neighbour => neighbourOf(hedonic, sale, partsOf(hedonic, sale))

function neighbourOf(hedonic: Hedonic, sale: Observed, parts: Parts): Neighbour {
  const { c, index, f, logValue } = parts
  return {
    c,
    index,
    f,
    h: logErrorInflation(hedonic, parts),
    kind: sale.kind,
    at: sale.at,
    r: residualOf(hedonic, logValue, sale),
  }
}

const round = (value: number): number => Math.round(value * 1e5) / 1e5

function store(config: FormConfig, hedonic: Hedonic, stack: Stack, sale: Sale, seen: Observed): StoredSale {
  const parts = partsOf(hedonic, seen)
  const { c, f, r, h } = neighbourOf(hedonic, seen, parts)
  const point = pointOf(hedonic, hedonic, seen.attributes, parts, 'expected')
  const v = combined(stack, learnersOf(stack, parts.logValue, parts.logValue, point)).log
  // only compared fields are stored: a model holds no remarks, ids or pictures
  const kept = config.fields.filter((field) => isPriced(field) || isFactor(field)).map(({ key }) => key)
  const attributes: Answers = Object.fromEntries(
    kept.flatMap((key) => (Object.hasOwn(sale.attributes, key) ? [[key, sale.attributes[key]]] : [])),
  )
  const { id, kind, priceFen, at } = sale
  return { id, kind, priceFen, at, attributes, c: c.map(round), f: round(f), r: round(r), h: round(h), v: round(v) }
}

/** Number of value and factor fields, and number and share of those left blank. */
export function unansweredOf(config: FormConfig, answers: Answers): { asked: number; open: number; share: number } {
  const asked = config.fields.filter((field) => isPriced(field) || isFactor(field))
  const open = asked.filter((field) => !isKnown(answerOf(answers, field.key))).length
  return { asked: asked.length, open, share: open / Math.max(1, asked.length) }
}

export const sparsity = ({ weight }: Evidence): number => 1 / (1 + weight / 3)

interface Tested {
  /** row among all sales, log value by the formula, and its log residual */
  row: number
  log: number
  residual: number
  open: number
  unsure: boolean
  spread: number
  /** by reach */
  around: Evidence[]
}

interface Learned {
  local: Local
  held: HeldOut[]
  temper: Shrinkage
  stack: Stack
}

/**
 * Cross-fitting: each fold is priced by a formula fitted without it. The out-of-fold errors select `local`, the weights
 * of the learners and the interval. @param shape the formula of all sales, which defines the features of the trees
 */
function crossFit(config: FormConfig, seen: readonly Observed[], shape: Hedonic, all: boolean): Learned {
  const local = { reach: REACHES[0] ?? 0.5, trust: TRUSTS[0] ?? 4 }
  const fallback = { local, held: [], temper: fitShrinkage([]), stack: formulaOnly }
  const { folds, run } = foldsOf(seen)
  if (seen.length < 2 * folds) return fallback
  const chosen = evenly(
    seen.flatMap(({ kind }, i) => (kind === 'SOLD' && i % folds < run ? [i] : [])),
    MAX_HELD_OUT,
  )
  const parts = Array.from({ length: run }, (_, fold) => {
    const rows = [...seen.keys()].filter((i) => i % folds === fold)
    const rest = seen.filter((_, i) => i % folds !== fold)
    // same number of iterations as the final fit: shrinkage learned from a half-converged formula would not suit it
    const hedonic = fitHedonic(config, rest)
    return { rest, hedonic, rows, missed: rows.flatMap((i) => (seen[i] ? [missOf(hedonic, seen[i])] : [])) }
  })
  const formulas = parts.map((part) => {
    // the shrinkage of a fold's formula is learned from the other folds, if any, to keep its errors out of fold
    const others = parts.filter((one) => run === 1 || one !== part).flatMap(({ missed }) => missed)
    return { ...part, hedonic: shrunken(part.hedonic, fitShrinkage(others), accountsOf(part.rest)) }
  })
  const tested = formulas.flatMap(({ rest, rows, hedonic }) =>
    testFold(
      config,
      rest,
      rows.filter((i) => chosen.has(i)),
      seen,
      hedonic,
    ),
  )
  if (tested.length === 0) return fallback
  let best = { loss: Number.POSITIVE_INFINITY, reach: 0, at: 0, trust: 0 }
  for (const [at, reach] of REACHES.entries()) {
    for (const trust of TRUSTS) {
      const loss = sum(errors(tested, at, trust).map((error) => Math.min(MAX_LOSS, Math.abs(error))))
      if (loss < best.loss) best = { loss, reach, at, trust }
    }
  }
  const around = (one: Tested) => one.around[best.at] ?? { weight: 0, sum: 0 }
  const compared = tested.map((one) => ({ row: one.row, formula: one.log + correction(around(one), best.trust) }))
  const { stack, predicted } = fitStack(unseenOf(config, seen, shape, formulas, folds), compared, MAX_LOSS, all)
  const held = tested.map((one, i) => {
    const guess = combined(stack, predicted[i]?.of ?? {})
    return {
      residual: one.residual + one.log - guess.log,
      open: one.open,
      unsure: one.unsure,
      empty: sparsity(around(one)),
      apart: logDisagreement(guess.apart, one.spread),
      log: guess.log,
    }
  })
  const temper = fitShrinkage(parts.flatMap(({ missed }) => missed))
  return { local: { reach: best.reach, trust: best.trust }, held, temper, stack }
}

/** Out-of-fold features and targets of the sales for the trees. */
function unseenOf(
  config: FormConfig,
  seen: readonly Observed[],
  shape: Hedonic,
  formulas: readonly { rows: number[]; hedonic: Hedonic }[],
  folds: number,
): Unseen {
  const features = featuresOf(config, shape)
  const n = seen.length
  const made = {
    columns: features.map(() => new Float64Array(n)),
    ...{ target: new Float64Array(n), weight: new Float64Array(n), formula: new Float64Array(n) },
  }
  for (const { rows, hedonic } of formulas) {
    for (const i of rows) {
      const sale = seen[i]
      if (!sale) continue
      const parts = partsOf(hedonic, sale)
      const { x } = pointOf(shape, hedonic, sale.attributes, parts, 'expected')
      for (const [f, column] of made.columns.entries()) column[i] = x[f] ?? Number.NaN
      made.formula[i] = parts.logValue
      made.target[i] = parts.logValue + residualOf(hedonic, parts.logValue, sale)
      made.weight[i] = (sale.kind === 'SOLD' ? 1 : ASKING_WEIGHT) * Math.exp(-2 * logErrorInflation(hedonic, parts))
    }
  }
  const { columns, target, weight, formula } = made
  const fold = Int32Array.from(seen, (_, i) => i % folds)
  return {
    features: { n, columns, monotone: features.map(({ monotone }) => monotone) },
    target,
    weight,
    formula,
    fold,
    folds,
  }
}

function missOf(hedonic: Hedonic, sale: Observed): HeldOutResidual {
  return residualGradient(hedonic, sale.attributes, residualOf(hedonic, partsOf(hedonic, sale).logValue, sale))
}

function errors(tested: readonly Tested[], at: number, trust: number): number[] {
  return tested.map(({ residual, around }) => residual - correction(around[at] ?? { weight: 0, sum: 0 }, trust))
}

/** At most `most` elements of the list, evenly spaced. */
function evenly(list: readonly number[], most: number): ReadonlySet<number> {
  const step = Math.max(1, list.length / most)
  return new Set(Array.from({ length: Math.min(list.length, most) }, (_, k) => list[Math.floor(k * step)] ?? 0))
}

function testFold(
  config: FormConfig,
  rest: readonly Observed[],
  rows: readonly number[],
  seen: readonly Observed[],
  hedonic: Hedonic,
): Tested[] {
  const neighbours = packSales(
    rest.map((sale) => neighbour(hedonic, sale)),
    ({ index }) => index,
  )
  return rows.flatMap((row) => {
    const sale = seen[row]
    if (!sale) return []
    const place = partsOf(hedonic, sale)
    // comparables are aged by a month, as in a valuation some time after training
    const now = sale.at + 30 * DAY
    const near = nearestSales(place, neighbours, hedonic.power, now, MIN_COMPARABLES)
    // a valuation would be refused, so there is no error to calibrate on
    if (near.length < MIN_COMPARABLES) return []
    return {
      row,
      log: place.logValue,
      residual: residualOf(hedonic, place.logValue, sale),
      open: logErrorInflation(hedonic, place),
      unsure: near.some(({ d }) => d >= CLOSE_DISTANCE) || doubtsAbout(config, sale.attributes).length > 0,
      spread: hedonic.spread,
      around: evidence(place, neighbours, REACHES, hedonic.power, now),
    }
  })
}

function rangeOf(stored: readonly StoredSale[]): [number, number] {
  const values = stored.map(({ v }) => v)
  return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
}

/** Percentiles 0–100 of the log price, all sales adjusted to the market at `now` and to SOLD. */
function percentiles(hedonic: Hedonic, stored: readonly StoredSale[], now: number): number[] {
  const today = stored.map(
    (sale) =>
      Math.log(sale.priceFen) -
      (sale.kind === 'ASKING' ? hedonic.ask : 0) +
      marketAt(hedonic.market, now) -
      marketAt(hedonic.market, sale.at),
  )
  return Array.from({ length: 101 }, (_, p) => round(quantile(today, p / 100)))
}
