/**
 * Fits the price formula, a hedonic regression (see `Hedonic`): maximum a posteriori, heavy-tailed errors, weak priors.
 */
import type { FormConfig } from '@/contract/form/types'
import { type DesignMatrix, designMatrix } from './design-matrix'
import { layoutOf } from './feature-layout'
import { minimise, rescaled } from './lbfgs'
import { recentShift, withShift } from './level-shift'
import { fitDirections } from './monotonicity'
import { clamp, robustSpread, sum } from './numbers'
import { entryValues, objectiveOf, scoreOf } from './objective'
import { hedonicOf, logWeight, type Params, paramsOf } from './params'
import type { Hedonic, Observed } from './types'

/** iterations of the minimiser: a first fit only gives the residual spread, the means and a break of the market */
const [FIRST_ROUNDS, MAX_ROUNDS] = [20, 300]

/** effective degrees of freedom of one shrunken parameter */
const ERROR_SALES_PER_UNKNOWN = 0.3
/** limits of the residual spread (log): the first stage starts below the spread of the prices, which the formula reduces */
const FIRST_SPREAD = 0.3
const MAX_SPREAD = 1.5

/**
 * Fits the formula. @throws if there are no sales @param directions of the fields; a fold gets those of all sales, so that
 * its formula has the same terms
 */
export function fitHedonic(
  config: FormConfig,
  sales: readonly Observed[],
  directions = fitDirections(config, sales),
): Hedonic {
  if (sales.length === 0) throw new Error('a formula needs at least one sale')
  const layout = layoutOf(config, sales, directions)
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
  const firstSpread = Math.min(FIRST_SPREAD, robustSpread([...table.y], table.weight))
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
  updateMeans(table, params, first.theta)
  const { theta } = fitted(first.place, clamp(spreadCorrection * spread, 0.01, MAX_SPREAD), MAX_ROUNDS)
  const hedonic = hedonicOf(config, layout, table, params, theta)
  return shift ? { ...hedonic, market: withShift(hedonic.market, shift) } : hedonic
}

/** Updates the mean log score of each field at `theta`. */
function updateMeans(table: DesignMatrix, params: Params, theta: Float64Array): void {
  const values = entryValues(
    table,
    Float64Array.from({ length: params.weightN }, (_, j) => Math.exp(logWeight(params, theta, j))),
    theta.slice(params.detail, params.detail + params.detailN).map(Math.exp),
  )
  const means = table.meanLogScores.map(() => ({ weight: 0, logScore: 0 }))
  for (const [a, f] of table.fieldOf.entries()) {
    const mean = means[f]
    if (!mean || table.known[a] === 0) continue
    const weight = table.answerWeight[a] ?? 0
    mean.weight += weight
    mean.logScore += weight * Math.log1p(scoreOf(table, values, a) / (params.meanScore[f] ?? 1))
  }
  table.meanLogScores = means.map(({ weight, logScore }) => (weight > 0 ? logScore / weight : 0))
}
