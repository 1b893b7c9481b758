/**
 * Fits the price formula, a hedonic regression (see `Hedonic`): maximum a posteriori, heavy-tailed errors, weak priors.
 */
import type { FormConfig } from '@/contract/form/types'
import { type DesignMatrix, designMatrix } from './design-matrix'
import { layoutOf } from './feature-layout'
import { minimise, rescaled } from './lbfgs'
import { type LevelShift, recentShift, withShifts } from './level-shift'
import { fitDirections } from './monotonicity'
import { clamp, robustSpread, sum } from './numbers'
import { objectiveOf, scoreOf } from './objective'
import { hedonicOf, logWeight, type Params, paramsOf } from './params'
import type { Hedonic, Observed } from './types'

/** iterations of the minimiser per stage: the first stages only estimate the residual spread and the means */
const ITERATIONS = [10, 20, 40, 80]
/** number of sales used in all stages but the last */
const SUBSAMPLE_SALES = 1_000

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
  let place: Float64Array = new Float64Array(unit.length)
  let theta: Float64Array = params.priorMean
  const residual = new Float64Array(table.n)
  const shifts: LevelShift[] = []
  let spread = Math.min(FIRST_SPREAD, robustSpread([...table.y], table.weight))
  // in-sample residuals are too small: corrected for the degrees of freedom of the fitted parameters
  const unsold = params.weightN - new Set(table.weightAt).size
  const n = sum([...table.weight])
  const spreadCorrection = Math.sqrt(n / Math.max(n / 3, n - ERROR_SALES_PER_UNKNOWN * (theta.length - unsold)))
  const sold = [...table.asking.keys()].filter((i) => !table.asking[i])
  const soldWeights = sold.map((i) => table.weight[i] ?? 1)
  for (const [stage, rounds] of ITERATIONS.entries()) {
    const every = stage < ITERATIONS.length - 1 ? Math.max(1, Math.ceil(table.n / SUBSAMPLE_SALES)) : 1
    const f = rescaled(objectiveOf(table, params, spread, residual, every), params.priorMean, unit)
    place = minimise(f.objective, place, rounds)
    theta = f.toX(place)
    objectiveOf(table, params, spread, residual)(theta, new Float64Array(theta.length))
    const ofSold = sold.map((i) => residual[i] ?? 0)
    spread = clamp(spreadCorrection * robustSpread(ofSold, soldWeights), 0.01, MAX_SPREAD)
    const shift = stage < ITERATIONS.length - 1 ? recentShift(table, residual) : undefined
    if (shift) {
      shifts.push(shift)
      for (let i = 0; i < table.n; i++) if ((table.at[i] ?? 0) >= shift.at) table.y[i] = (table.y[i] ?? 0) - shift.log
    }
    updateMeans(table, params, theta)
  }
  const hedonic = hedonicOf(config, layout, table, params, theta)
  return { ...hedonic, market: withShifts(hedonic.market, shifts) }
}

/** Updates the mean log score of each field at `theta`. */
function updateMeans(table: DesignMatrix, params: Params, theta: Float64Array): void {
  const values = {
    weights: Float64Array.from({ length: params.weightN }, (_, j) => Math.exp(logWeight(params, theta, j))),
    details: theta.slice(params.detail, params.detail + params.detailN).map(Math.exp),
  }
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
