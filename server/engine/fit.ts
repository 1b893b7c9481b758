/**
 * Fits the price formula, a hedonic regression (see `Hedonic`): maximum a posteriori, heavy-tailed errors, weak priors.
 */
import type { FormConfig } from '@/contract/form/types'
import { type DesignMatrix, designMatrix } from './design-matrix'
import type { Layout } from './feature-layout'
import { minimise, rescaled } from './lbfgs'
import { recentShift, withShift } from './level-shift'
import { clamp, fnv1a, mixed, robustSpread, sum } from './numbers'
import { objectiveOf } from './objective'
import { hedonicOf, paramsOf } from './params'
import type { Hedonic, Observed } from './types'

/** iterations of the minimiser: a first fit only gives the residual spread and a break of the market */
const FIRST_ROUNDS = 20
const ROUNDS = 300
/** above so many sales most rounds learn from one in four only, by a hash that neither another sale nor the time changes */
const MIN_DIVIDED = 2_000
const PART_ROUNDS = 150
const LAST_ROUNDS = 90
const isInPart = ({ priceFen, attributes }: Observed): boolean =>
  mixed(priceFen ^ fnv1a(Object.values(attributes).join())) % 4 === 0

/** effective degrees of freedom of one shrunken parameter */
const ERROR_SALES_PER_UNKNOWN = 0.3
/** limits of the residual spread (log): the first stage starts below the spread of the prices, which the formula reduces */
const FIRST_SPREAD = 0.3
const MAX_SPREAD = 1.5

/**
 * Fits the formula. @throws if there are no sales @param layout its terms; a fold gets those of all sales
 */
export function fitHedonic(config: FormConfig, sales: readonly Observed[], layout: Layout): Hedonic {
  if (sales.length === 0) throw new Error('a formula needs at least one sale')
  const table = designMatrix(layout, sales)
  const params = paramsOf(layout, table)
  const unit = params.priorPrecision.map((precision) => Math.min(1, 1 / Math.sqrt(precision)))
  const residual = new Float64Array(table.n)
  // the minimum of a part of the sales is near that of all, and each round to it costs less
  const part = sales.length > MIN_DIVIDED ? designMatrix(layout, sales.filter(isInPart)) : table
  part.y = part.y.map((y) => y + part.middle - table.middle)
  const objectiveIn = (sold: DesignMatrix, spread: number) =>
    rescaled(objectiveOf(sold, params, spread, residual), params.priorMean, unit)
  const firstSpread = Math.min(FIRST_SPREAD, robustSpread([...table.y], [...table.weight]))
  const first = minimise(objectiveIn(part, firstSpread).objective, new Float64Array(unit.length), FIRST_ROUNDS)
  objectiveIn(table, firstSpread).objective(first, new Float64Array(unit.length))
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
  for (const divided of shift ? new Set([part, table]) : [])
    divided.y = divided.y.map((y, i) => ((divided.at[i] ?? 0) >= (shift?.at ?? 0) ? y - (shift?.log ?? 0) : y))
  const lastSpread = clamp(spreadCorrection * spread, 0.01, MAX_SPREAD)
  const near = part === table ? first : minimise(objectiveIn(part, lastSpread).objective, first, PART_ROUNDS)
  const { objective, toX } = objectiveIn(table, lastSpread)
  const theta = toX(minimise(objective, near, part === table ? ROUNDS : LAST_ROUNDS))
  const hedonic = hedonicOf(config, layout, table, params, theta)
  return shift ? { ...hedonic, market: withShift(hedonic.market, shift) } : hedonic
}
