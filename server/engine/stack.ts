/**
 * Stacking (Wolpert 1992, Breiman 1996): the formula with its comparables, and trees on what a share of the formula leaves over,
 * weighted by their accuracy on unseen sales.
 */
import { weightedMean } from 'simple-statistics'
import {
  type Binned,
  type Booster,
  binned,
  createBooster,
  type Features,
  type Point,
  predictForest,
} from './gradient-boosting'
import { robustSpread } from './numbers'
import type { Stack } from './types'

/** share of the formula's log value that the trees build on: below 1, so that they correct its errors */
const FORMULA_SHARE = 0.4
const MAX_ROUNDS = 800
/** early stopping: rounds without a better error, times the learning rate */
const PATIENCE = 2
/** the final fit uses all sales instead of all but one fold, which supports a few more trees */
const FINAL_ROUNDS_FACTOR = 1.1
/** relative reduction of the formula's loss that trees must bring; its explanation is exact, theirs is not */
const MIN_GAIN = 0.01
/** shrinkage of the learned weight towards one half, and the steps of its grid search */
const WEIGHT_SHRINKAGE = 0.1
const GRID_STEPS = 20
/** learning rate up to this number of sales, and above */
const FAST_RATE_SALES = 1_000
const [SLOW_RATE, FAST_RATE] = [0.05, 0.1]
const DEPTH = 6

/** Out-of-fold data of the sales, by row. */
export interface OutOfFold {
  features: Features
  /** log price without market and asking effect */
  target: Float64Array
  /** training weight of each row */
  weight: Float64Array
  /** log value by the formula fitted without the row's fold */
  formula: Float64Array
  /** fold of each row; −1 for the sales after the origin, which are repeated as rows priced by a formula of the past */
  fold: Int32Array
  /** rows before the origin */
  past: readonly number[]
}

/** A row on which the learners are compared, its sale's weight, and the formula's log value after comparables. */
export interface Compared {
  row: number
  weight: number
  formula: number
}

/** least limit of absolute log errors, and the limit in robust standard deviations */
const MIN_LIMIT = 0.5
const LIMIT_SPREADS = 3

/**
 * Limit of the absolute log errors that count in a comparison, so that wrong rows do not decide it. Where sound prices are
 * missed by more than `MIN_LIMIT`, it rises with the formula's errors: else all learners would look alike.
 */
export const lossLimit = (residuals: readonly number[], trust: readonly number[]): number =>
  Math.max(MIN_LIMIT, LIMIT_SPREADS * robustSpread(residuals, trust))

/** The formula without any trees. */
export const formulaOnly: Stack = { treeWeight: 0 }

/**
 * @returns the stack and its predictions of the compared rows, and those of the rows after the origin by trees that know the
 * past only
 */
export function fitStack(
  { features, target, formula, weight, fold, past }: OutOfFold,
  compared: readonly Compared[],
  later: readonly Compared[],
): { stack: Stack; predicted: number[]; later: number[] } {
  const trust = compared.map((sale) => sale.weight)
  const known = [...fold.keys()].filter((row) => (fold[row] ?? -1) >= 0)
  const task: Task = {
    ...{ data: binned(features), weight, rate: known.length > FAST_RATE_SALES ? FAST_RATE : SLOW_RATE },
    goal: target.map((y, i) => y - FORMULA_SHARE * (formula[i] ?? 0)),
    cap: lossLimit(
      compared.map((sale) => (target[sale.row] ?? 0) - sale.formula),
      trust,
    ),
  }
  const folds = 1 + fold.reduce((most, value) => Math.max(most, value), 0)
  const boosters = Array.from({ length: folds }, (_, k) =>
    boosterOf(
      task,
      known.filter((row) => fold[row] !== k),
      compared,
    ),
  )
  const { predicted, rounds } = grownUntilBest(task, compared, boosters, (row) => boosters[fold[row] ?? 0])
  const blended = (rows: readonly Compared[], trees: Float64Array, share: number) =>
    rows.map((sale) => {
      const tree = FORMULA_SHARE * (formula[sale.row] ?? 0) + (trees[sale.row] ?? 0)
      return (1 - share) * sale.formula + share * tree
    })
  const treeWeight = chosenWeight((share) =>
    weightedMean(
      blended(compared, predicted, share).map((log, i) =>
        Math.min(task.cap, Math.abs((target[compared[i]?.row ?? 0] ?? 0) - log)),
      ),
      trust,
    ),
  )
  const ofPast = boosterOf(task, past, later)
  const rolled =
    treeWeight > 0 && later.length > 0 ? grownUntilBest(task, later, [ofPast], () => ofPast).predicted : predicted
  const whole = boosterOf(task, known, [])
  const wanted = treeWeight > 0 ? Math.ceil(FINAL_ROUNDS_FACTOR * rounds) : 0
  for (let round = 0; round < wanted; round++) whole.step()
  return {
    stack: treeWeight > 0 ? { treeWeight, trees: whole.forest(wanted) } : formulaOnly,
    predicted: blended(compared, predicted, treeWeight),
    later: blended(later, rolled, treeWeight),
  }
}

/** The weight of the trees with the least loss, shrunk towards one half; none for a negligible gain. */
export function chosenWeight(lossOf: (treeWeight: number) => number): number {
  const alone = lossOf(0)
  let best = { loss: alone, weight: 0 }
  for (let step = 1; step <= GRID_STEPS; step++) {
    const loss = lossOf(step / GRID_STEPS)
    if (loss < best.loss) best = { loss, weight: step / GRID_STEPS }
  }
  return best.loss > (1 - MIN_GAIN) * alone ? 0 : (1 - WEIGHT_SHRINKAGE) * best.weight + WEIGHT_SHRINKAGE / 2
}

/** What trees are grown for. */
interface Task {
  data: Binned
  goal: Float64Array
  weight: Float64Array
  /** limit of absolute log errors by which their number is chosen */
  cap: number
  /** learning rate */
  rate: number
}

const boosterOf = ({ data, goal, weight, rate }: Task, rows: readonly number[], others: readonly Compared[]): Booster =>
  createBooster(
    data,
    goal,
    weight,
    Int32Array.from(rows),
    others.map(({ row }) => row),
    { depth: DEPTH, rate },
  )

/** Grows trees round by round until the error of the compared rows stops falling. */
function grownUntilBest(
  { data, goal, cap, rate }: Task,
  compared: readonly Compared[],
  boosters: readonly Booster[],
  boosterAt: (row: number) => Booster | undefined,
): { predicted: Float64Array; rounds: number } {
  const trust = compared.map(({ weight }) => weight)
  let best = { loss: Number.POSITIVE_INFINITY, rounds: 0, predicted: new Float64Array(data.n) }
  for (let round = 1; round <= MAX_ROUNDS && (round - best.rounds) * rate <= PATIENCE; round++) {
    for (const booster of boosters) booster.step()
    const predictedAt = (row: number) => boosterAt(row)?.predicted[row] ?? 0
    const losses = compared.map(({ row }) => Math.min(cap, Math.abs((goal[row] ?? 0) - predictedAt(row))))
    const loss = weightedMean(losses, trust)
    if (loss >= best.loss) continue
    const predicted = new Float64Array(data.n)
    for (const { row } of compared) predicted[row] = predictedAt(row)
    best = { loss, rounds: round, predicted }
  }
  return best
}

/** Log value of an account. @param uncorrected the formula's before comparables @param formula after comparables */
export function combined({ treeWeight, trees }: Stack, uncorrected: number, formula: number, point: Point): number {
  if (!trees) return formula
  return (1 - treeWeight) * formula + treeWeight * (FORMULA_SHARE * uncorrected + predictForest(trees, point))
}
