/** Fitting the price formula (see `Hedonic`): the most likely one under fat-tailed errors and mild prior beliefs. */
import type { FormConfig } from '@/contract/form/types'
import { learnGaps, openPlaces } from './gaps'
import { richness } from './hedonic'
import { minimise, rescaled } from './lbfgs'
import { clamp, robustSpread, sum } from './numbers'
import { objectiveOf, scoreOf } from './objective'
import { orient } from './orient'
import { fieldCodes, hedonicOf, logWeight, type Params, paramsOf } from './params'
import { type Layout, layoutOf } from './shapes'
import { type Table, tableOf } from './table'
import type { FieldCode, Hedonic, Observed } from './types'

/** rounds of the minimiser in each stage */
const ROUNDS = [30, 40, 60, 80]

/** sales' worth of error that one shrunken unknown hides */
const TAKEN = 0.3
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
  const honest = Math.sqrt(table.n / Math.max(table.n / 3, table.n - TAKEN * (theta.length - unsold)))
  for (const rounds of ROUNDS) {
    const objective = objectiveOf(table, params, spread, residual)
    const f = rescaled(objective, params.centre, unit)
    place = minimise(f.objective, place, rounds)
    theta = f.toX(place)
    objective(theta, new Float64Array(theta.length))
    const plain = [...residual].map((r, i) => r / Math.hypot(1, (table.gap[i] ?? 0) / spread))
    spread = clamp(honest * robustSpread(plain.filter((_, i) => !table.asking[i])), 0.01, spread)
    enrich(table, params, layout, theta)
    learnGaps(table, residual, spread)
  }
  return hedonicOf(config, layout, table, params, theta, spread)
}

/** What each field is worth, and how rich each account is by that, as of `theta`. */
function enrich(table: Table, params: Params, layout: Layout, theta: Float64Array): void {
  const codes = fieldCodes(layout, table, params, theta)
  const values = {
    weights: Float64Array.from({ length: params.weightN }, (_, j) => Math.exp(logWeight(params, theta, j))),
    details: theta.slice(params.detail, params.detail + params.detailN).map(Math.exp),
  }
  const partAt = ({ scale, power }: FieldCode, f: number, cell: number) => {
    const score = scoreOf(table, values, cell) / (params.norm[f] ?? 1)
    return score > 0 ? scale * score ** power : 0
  }
  const rows = Array.from({ length: table.n }, (_, i) =>
    codes.map((code, f) => {
      const cell = i * codes.length + f
      return table.known[cell] === 0 ? undefined : partAt(code, f, cell)
    }),
  )
  table.means = codes.map((_, f) => {
    const known = rows.flatMap((parts) => parts[f] ?? [])
    return sum(known) / Math.max(1, known.length)
  })
  const fields = codes.map((code, f) => ({ ...code, mean: table.means[f] ?? 0 }))
  for (const [i, parts] of rows.entries()) table.rich[i] = richness(fields, parts)
}
