/** Fitting the price formula (see `Hedonic`): the most likely one under fat-tailed errors and mild prior beliefs. */
import type { FormConfig } from '@/contract/form/types'
import { partOf } from './encode'
import { type Layout, layoutOf } from './feature-layout'
import { learnUsual, marksOf, usualOf } from './imputation'
import { minimise, rescaled } from './lbfgs'
import { learnGaps, openPlaces } from './missing-data-variance'
import { orient } from './monotonicity'
import { clamp, robustSpread, sum } from './numbers'
import { objectiveOf, scoreOf } from './objective'
import { fieldCodes, hedonicOf, logWeight, type Params, paramsOf } from './params'
import { type Table, tableOf } from './table'
import type { Hedonic, Observed } from './types'

/** rounds of the minimiser in each stage: the first ones only find the errors' spread and what is usual */
const ROUNDS = [10, 20, 40, 80]
/** sales that are enough for all but the last stage */
const SUBSAMPLE_SALES = 2_500

/** sales' worth of error that one shrunken unknown hides */
const ERROR_SALES_PER_UNKNOWN = 0.3
/** log error the first stage reckons with */
const FIRST_SPREAD = 0.3

/** Fits the formula; throws on no sales at all. */
export function fitHedonic(config: FormConfig, sales: readonly Observed[]): Hedonic {
  if (sales.length === 0) throw new Error('a formula needs at least one sale')
  const accounts = sales.map((sale) => sale.attributes)
  const layout = layoutOf(config, accounts, orient(config, sales))
  const table = tableOf(layout, sales)
  table.open = openPlaces(table)
  const params = paramsOf(layout, table)
  const unit = params.precision.map((precision) => Math.min(1, 1 / Math.sqrt(precision)))
  let place: Float64Array = new Float64Array(unit.length)
  let theta: Float64Array = params.centre
  const residual = new Float64Array(table.n)
  let spread = Math.min(FIRST_SPREAD, robustSpread([...table.y]))
  // what is fitted looks better than it is: every unknown takes a part of a sale
  const unsold = params.weightN - new Set(table.at).size
  const honest = Math.sqrt(table.n / Math.max(table.n / 3, table.n - ERROR_SALES_PER_UNKNOWN * (theta.length - unsold)))
  for (const [stage, rounds] of ROUNDS.entries()) {
    const every = stage < ROUNDS.length - 1 ? Math.max(1, Math.floor(table.n / SUBSAMPLE_SALES)) : 1
    const f = rescaled(objectiveOf(table, params, spread, residual, every), params.centre, unit)
    place = minimise(f.objective, place, rounds)
    theta = f.toX(place)
    objectiveOf(table, params, spread, residual)(theta, new Float64Array(theta.length))
    const plain = [...residual].map((r, i) => r / Math.hypot(1, (table.gap[i] ?? 0) / spread))
    spread = clamp(honest * robustSpread(plain.filter((_, i) => !table.asking[i])), 0.01, spread)
    enrich(table, params, layout, theta)
    learnGaps(table, residual, spread)
  }
  return hedonicOf(config, layout, table, params, theta, spread)
}

/** What each field is worth as of `theta`, and what accounts usually have of it where they leave it open. */
function enrich(table: Table, params: Params, layout: Layout, theta: Float64Array): void {
  const codes = fieldCodes(layout, table, params, theta)
  const values = {
    weights: Float64Array.from({ length: params.weightN }, (_, j) => Math.exp(logWeight(params, theta, j))),
    details: theta.slice(params.detail, params.detail + params.detailN).map(Math.exp),
  }
  const scores = Array.from({ length: table.n }, (_, i) =>
    codes.map((_, f) => {
      const cell = i * codes.length + f
      return table.known[cell] === 0 ? undefined : scoreOf(table, values, cell) / (params.norm[f] ?? 1)
    }),
  )
  const parts = scores.map((row) =>
    row.map((score, f) => (score === undefined ? undefined : partOf(codes[f] ?? NO_PART, score))),
  )
  table.logs = codes.map((_, f) => mean(scores.flatMap((row) => (row[f] === undefined ? [] : Math.log1p(row[f])))))
  table.means = codes.map((_, f) => mean(parts.flatMap((row) => row[f] ?? [])))
  table.alike = learnUsual(table.means, parts)
  for (const [i, row] of parts.entries()) {
    const marks = marksOf(table.means, row)
    for (const [f, part] of row.entries())
      if (part === undefined) table.usual[i * codes.length + f] = usualOf(table.alike[f] ?? [], marks, f)
  }
}

const NO_PART = { scale: 0, power: 1 }
const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length)
