/** Fitting the price formula (see `Hedonic`): robust, shrunken, deterministic. */
import type { FormConfig } from '@/contract/form/types'
import { contributions, encode, fillMissing, itemGroups, learnCodes, type Row, richness } from './encode'
import { factorCode, multiplierPlan, type Plan } from './multipliers'
import { biweight, clamp, quantile, robustSpread, sum } from './numbers'
import { nonNegative, normalOf, ridgeFit, type Shrink } from './solve'
import type { FieldCode, Hedonic, Observed } from './types'

export interface FitOptions {
  /** ridge of the single items; larger means they are all alike */
  itemRidge: number
  /** rounds of fitting index and multipliers in turn */
  rounds: number
}

const DEFAULT_FIT: FitOptions = { itemRidge: 15, rounds: 8 }
/** for the formulas that are only tested with */
export const QUICK_FIT: FitOptions = { itemRidge: 15, rounds: 5 }

/** asking → sale price before the data speak (product 2.3: 0.85) */
const ASK_PRIOR = -Math.log(0.85)
/** offers are weaker evidence than sales */
const ASKING_WEIGHT = 0.6
/** what the emptiest account is worth, as a share of an ordinary one: a name and a login still sell for something */
const LEAST_INDEX = 0.02
const RIDGE = { column: 1, base: 0.01, factor: 4, market: 4, ask: 4, power: 40 } as const

interface State {
  codes: FieldCode[]
  columns: number
  scale: number
  weights: number[]
  base: number
  means: number[]
  level: number
  power: number
  factorEffects: number[]
  marketValues: number[]
  ask: number
}

/** Fits the formula; throws on no sales at all. */
export function fitHedonic(config: FormConfig, sales: readonly Observed[], options: FitOptions = DEFAULT_FIT): Hedonic {
  if (sales.length === 0) throw new Error('a formula needs at least one sale')
  const { codes, columns } = learnCodes(
    config,
    sales.map((sale) => sale.attributes),
  )
  const plan = multiplierPlan(config, sales)
  const state = firstState(codes, columns, sales, plan)
  const encoded = sales.map((sale) => encode(codes, sale.attributes))
  const shrink = shrinkOf(codes, columns, options)
  for (let round = 0; round < options.rounds; round++) oneRound(state, sales, encoded, plan, shrink, round === 0)
  return finish(config, state, plan)
}

function firstState(codes: FieldCode[], columns: number, sales: readonly Observed[], plan: Plan): State {
  return {
    codes,
    columns,
    scale: quantile(
      sales.map((sale) => sale.logPrice),
      0.5,
    ),
    weights: new Array<number>(columns).fill(0),
    base: 1,
    means: codes.map(() => 0),
    level: 0,
    power: 1,
    factorEffects: plan.factors.flatMap(({ answers }) => answers.map(() => 0)),
    marketValues: plan.knots.map(() => 0),
    ask: ASK_PRIOR,
  }
}

/** One more column at the end is the base: what an account with nothing in it is worth. */
function shrinkOf(codes: readonly FieldCode[], columns: number, options: FitOptions): Shrink {
  const groups = itemGroups(codes)
  const ridge = new Array<number>(columns + 1).fill(RIDGE.column)
  for (const { first, count } of groups) ridge.fill(options.itemRidge, first, first + count)
  ridge[columns] = RIDGE.base
  return { ridge, groups }
}

function oneRound(
  state: State,
  sales: readonly Observed[],
  encoded: readonly Row[],
  plan: Plan,
  shrink: Shrink,
  first: boolean,
): void {
  const rows = encoded.map((row) => indexRow(state, row))
  const outer = sales.map((sale, i) => sale.logPrice - state.scale - multipliers(state, plan, sale, i))
  const index = rows.map((row) => indexOf(state, row))
  const residual = outer.map((value, i) => value - state.power * Math.log(index[i] ?? 1))
  const weight = weights(sales, residual, first)
  // first from the prices themselves, then Gauss-Newton on the log residual
  const size = first ? outer.map((value) => clamp(Math.exp(value), 0.05, 20)) : index
  const target = first ? outer.map(() => 1) : residual.map((value) => 1 + clamp(value / state.power, -0.7, 0.7))
  const above = target.map((value, i) => value - LEAST_INDEX / (size[i] ?? 1))
  const normal = normalOf(state.columns + 1, rows, size, above, weight)
  const solved = nonNegative(normal, shrink, [...state.weights, state.base])
  state.base = solved[state.columns] ?? 0
  state.weights = solved.slice(0, state.columns)
  state.means = meanParts(state, encoded)
  fitMultipliers(state, sales, rows, plan)
}

function weights(sales: readonly Observed[], residual: readonly number[], first: boolean): number[] {
  const spread = robustSpread(residual)
  return sales.map(
    (sale, i) => (sale.kind === 'SOLD' ? 1 : ASKING_WEIGHT) * (first ? 1 : biweight(residual[i] ?? 0, spread)),
  )
}

/** Columns with the gaps filled and the base at the end. */
function indexRow(state: State, row: Row): Row {
  const filled = fillMissing(
    state.codes,
    row,
    richness(row, contributions(state.codes, row, state.weights), state.means),
  )
  filled.at.push(state.columns)
  filled.x.push(1)
  return filled
}

function indexOf(state: { weights: readonly number[]; base: number; columns: number }, row: Row): number {
  return row.at.reduce(
    (total, column, i) =>
      total + (row.x[i] ?? 0) * (column === state.columns ? state.base : (state.weights[column] ?? 0)),
    LEAST_INDEX,
  )
}

function meanParts(state: State, encoded: readonly Row[]): number[] {
  const totals = state.codes.map(() => 0)
  const counts = state.codes.map(() => 0)
  for (const row of encoded) {
    for (const [field, part] of contributions(state.codes, row, state.weights).entries()) {
      if (!row.known[field]) continue
      totals[field] = (totals[field] ?? 0) + part
      counts[field] = (counts[field] ?? 0) + 1
    }
  }
  return totals.map((total, field) => total / Math.max(1, counts[field] ?? 0))
}

function multipliers(state: State, plan: Plan, sale: Observed, i: number): number {
  const row = plan.rows[i] ?? []
  const effects = [...state.factorEffects, ...state.marketValues.slice(1)]
  return (
    state.level +
    row.reduce((total, x, k) => total + x * (effects[k] ?? 0), 0) +
    (sale.kind === 'ASKING' ? state.ask : 0)
  )
}

function fitMultipliers(state: State, sales: readonly Observed[], rows: readonly Row[], plan: Plan): void {
  const logIndex = rows.map((row) => Math.log(indexOf(state, row)))
  const middle = quantile(logIndex, 0.5)
  const target = sales.map(
    (sale, i) => sale.logPrice - state.scale - (logIndex[i] ?? 0) - (sale.kind === 'ASKING' ? ASK_PRIOR : 0),
  )
  const table = sales.map((sale, i) => [
    1,
    (logIndex[i] ?? 0) - middle,
    sale.kind === 'ASKING' ? 1 : 0,
    ...(plan.rows[i] ?? []),
  ])
  const ridge = [
    0,
    RIDGE.power,
    RIDGE.ask,
    ...state.factorEffects.map(() => RIDGE.factor),
    ...plan.knots.slice(1).map(() => RIDGE.market),
  ]
  const centre = quantile(target, 0.5)
  const rough = target.map((value) => value - centre)
  const solved = ridgeFit(table, target, weights(sales, rough, false), ridge)
  const [level = 0, slope = 0, ask = 0, ...rest] = solved
  // a line with slope 1 + s through the middle of the index
  state.power = clamp(1 + slope, 0.6, 1.6)
  state.level = level - (state.power - 1) * middle
  state.ask = Math.max(0, ASK_PRIOR + ask)
  state.factorEffects = rest.slice(0, state.factorEffects.length)
  state.marketValues = [0, ...rest.slice(state.factorEffects.length)]
}

function finish(config: FormConfig, state: State, plan: Plan): Hedonic {
  const path: number[] = []
  for (const value of state.marketValues) path.push((path.at(-1) ?? 0) + value)
  const usual =
    path.length > 1 ? sum(path.slice(1).map((value, k) => (value + (path[k] ?? 0)) / 2)) / (path.length - 1) : 0
  let next = 0
  const factors = plan.factors.map(({ key, answers }) => {
    const effects = state.factorEffects.slice(next, next + answers.length)
    next += answers.length
    return factorCode(config, key, answers, effects)
  })
  return {
    scale: state.scale,
    level: state.level + usual + sum(factors.map(({ code: _, mean }) => mean)),
    power: state.power,
    base: LEAST_INDEX + state.base,
    weights: state.weights.map((weight) => Math.round(weight * 1e6) / 1e6),
    fields: state.codes,
    means: state.means,
    factors: factors.map(({ code }) => code),
    market: {
      start: plan.knots[0] ?? 0,
      step: (plan.knots[1] ?? 0) - (plan.knots[0] ?? 0),
      values: path.map((value) => value - usual),
    },
    ask: state.ask,
  }
}
