/**
 * Fits the price formula, a hedonic regression (see `Hedonic`): maximum a posteriori, heavy-tailed errors, weak priors.
 */
import type { FormConfig } from '@/contract/form/types'
import { designMatrix } from './design-matrix'
import { layoutOf } from './feature-layout'
import { minimise, rescaled } from './lbfgs'
import { recentShift, withShift } from './level-shift'
import { fitDirections } from './monotonicity'
import { clamp, robustSpread, sum } from './numbers'
import { objectiveOf } from './objective'
import { hedonicOf, paramsOf } from './params'
import type { Hedonic, Observed } from './types'

/** iterations of the minimiser: a first fit only gives the residual spread and a break of the market */
const FIRST_ROUNDS = 20
/** with many sales the later rounds change prices less than the choice of the sales does */
const roundsFor = (n: number): number => (n > 4_000 ? 200 : 300)

/** effective degrees of freedom of one shrunken parameter */
const ERROR_SALES_PER_UNKNOWN = 0.3
/** limits of the residual spread (log): the first stage starts below the spread of the prices, which the formula reduces */
const FIRST_SPREAD = 0.3
const MAX_SPREAD = 1.5

/**
 * Fits the formula. @throws if there are no sales @param layout its terms; a fold gets those of all sales
 */
export function fitHedonic(
  config: FormConfig,
  sales: readonly Observed[],
  layout = layoutOf(config, sales, fitDirections(config, sales)),
): Hedonic {
  if (sales.length === 0) throw new Error('a formula needs at least one sale')
  const table = designMatrix(layout, sales)
  const params = paramsOf(layout, table)
  const unit = params.priorPrecision.map((precision) => Math.min(1, 1 / Math.sqrt(precision)))
  const residual = new Float64Array(table.n)
  const fitted = (from: Float64Array, spread: number, rounds: number) => {
    const { objective, toX } = rescaled(objectiveOf(table, params, spread, residual), params.priorMean, unit)
    const place = minimise(objective, from, rounds)
    objective(place, new Float64Array(place.length))
    return { place, theta: toX(place) }
  }
  const firstSpread = Math.min(FIRST_SPREAD, robustSpread([...table.y], [...table.weight]))
  const first = fitted(new Float64Array(unit.length), firstSpread, FIRST_ROUNDS)
  // in-sample residuals are too small: corrected for the degrees of freedom of the fitted parameters
  const unsold = params.weightN - new Set(table.weightAt).size
  const n = sum([...table.weight])
  const spreadCorrection = Math.sqrt(n / Math.max(n / 3, n - ERROR_SALES_PER_UNKNOWN * (unit.length - unsold)))
  const sold = [...table.asking.keys()].filter((i) => !table.asking[i])
  const spread = robustSpread(
    sold.map((i) => residual[i] ?? 0),
    sold.map((i) => table.weight[i] ?? 1),
  )
  const shift = recentShift(table, residual)
  if (shift) table.y = table.y.map((y, i) => ((table.at[i] ?? 0) >= shift.at ? y - shift.log : y))
  const { theta } = fitted(first.place, clamp(spreadCorrection * spread, 0.01, MAX_SPREAD), roundsFor(table.n))
  const hedonic = hedonicOf(config, layout, table, params, theta)
  return shift ? { ...hedonic, market: withShift(hedonic.market, shift) } : hedonic
}
