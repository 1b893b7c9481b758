/**
 * Stacking (Wolpert 1992, Breiman 1996): the formula with its comparables, and trees on what a share of the formula leaves over,
 * weighted by their accuracy on unseen sales.
 */
import {
  type Binned,
  type Booster,
  binned,
  createBooster,
  type Features,
  type Point,
  predictForest,
} from './gradient-boosting'
import { quantile, robustSpread, weightedMean } from './numbers'
import { isBetter } from './rolling-origin'
import type { Stack } from './types'

/** shares of the formula's log value that the trees may build on: none where it does not fit; below 1, so that they correct its errors */
const [USUAL_SHARE, NO_SHARE] = [0.4, 0]
/** least number of sales after the origin by which the share is chosen, and most of those before it that are used for it */
const MIN_LATER = 30
const MAX_TRIED = 1_200
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
const SEED = 21

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
  folds: number
  /** rows before the origin; absent with too few sales */
  origin?: Int32Array
}

/** A row on which the learners are compared, its sale's weight, and the formula's log value after comparables. */
export interface Compared {
  row: number
  weight: number
  formula: number
}

export interface Fitted {
  stack: Stack
  /** out-of-fold predictions by compared row, and those of the rows after the origin, by trees that know the past only */
  predicted: number[]
  later: number[]
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
export const formulaOnly: Stack = { treeWeight: 0, formulaShare: 0 }

/** @param cap limit of absolute log errors, see `lossLimit` */
export function fitStack(
  outOfFold: OutOfFold,
  { compared, later }: Record<'compared' | 'later', readonly Compared[]>,
  cap: number,
): Fitted {
  const { target, formula, fold, folds, origin } = outOfFold
  const data = binned(outOfFold.features)
  const isLarge = fold.filter((own) => own >= 0).length > FAST_RATE_SALES
  const taskOf = (formulaShare: number): Task => ({
    ...{ data, weight: outOfFold.weight, cap, rate: isLarge ? FAST_RATE : SLOW_RATE },
    goal: target.map((y, i) => y - formulaShare * (formula[i] ?? 0)),
  })
  const formulaShare = chosenShare(taskOf, origin, later)
  const task = taskOf(formulaShare)
  const rowsOf = (wanted: (fold: number) => boolean) =>
    Int32Array.from([...fold.keys()].filter((row) => (fold[row] ?? -1) >= 0 && wanted(fold[row] ?? -1)))
  const boosters = Array.from({ length: folds }, (_, k) =>
    boosterOf(
      task,
      rowsOf((own) => own !== k),
      compared,
    ),
  )
  const { predicted, rounds } = grownUntilBest(task, compared, boosters, (row) => boosters[fold[row] ?? 0])
  const treesOf = (rows: readonly Compared[], left: Float64Array) =>
    rows.map(({ row }) => formulaShare * (formula[row] ?? 0) + (left[row] ?? 0))
  const formulaLogs = compared.map((one) => one.formula)
  const treeLogs = treesOf(compared, predicted)
  const trust = compared.map(({ weight }) => weight)
  const lossesOf = (logs: readonly number[]) =>
    compared.map(({ row }, i) => Math.min(cap, Math.abs((target[row] ?? 0) - (logs[i] ?? 0))))
  const treeWeight = chosenWeight((weight) => weightedMean(lossesOf(blended(formulaLogs, treeLogs, weight)), trust))
  const middle = (logs: readonly number[]) => quantile(lossesOf(logs), 0.5, trust)
  const combination = blended(formulaLogs, treeLogs, treeWeight)
  const errors = { formula: middle(formulaLogs), trees: middle(treeLogs), stack: middle(combination) }
  const laterLogs = later.map((one) => one.formula)
  if (treeWeight === 0) return { stack: { ...formulaOnly, errors }, predicted: combination, later: laterLogs }
  const whole = boosterOf(
    task,
    rowsOf(() => true),
    [],
  )
  const wanted = Math.ceil(FINAL_ROUNDS_FACTOR * rounds)
  for (let round = 0; round < wanted; round++) whole.step()
  const ofPast = boosterOf(task, origin ?? new Int32Array(0), later)
  const rolled = later.length > 0 ? grownUntilBest(task, later, [ofPast], () => ofPast).predicted : predicted
  return {
    stack: { treeWeight, formulaShare, errors, trees: whole.forest(wanted) },
    predicted: combination,
    later: blended(laterLogs, treesOf(later, rolled), treeWeight),
  }
}

const blended = (formula: readonly number[], trees: readonly number[], treeWeight: number): number[] =>
  formula.map((log, i) => (1 - treeWeight) * log + treeWeight * (trees[i] ?? 0))

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

/** Another share than the usual one only for a gain beyond chance after the origin; a part of the sales is enough for a choice. */
function chosenShare(
  taskOf: (formulaShare: number) => Task,
  origin: Int32Array | undefined,
  later: readonly Compared[],
): number {
  if (!origin || later.length < MIN_LATER) return USUAL_SHARE
  const lossesWith = (formulaShare: number) => {
    const task = taskOf(formulaShare)
    const hash = (row: number) => task.data.ids[row] ?? 0
    const rows = origin
      .slice()
      .sort((a, b) => hash(a) - hash(b))
      .slice(0, MAX_TRIED)
      .sort()
    const booster = boosterOf(task, rows, later)
    return grownUntilBest(task, later, [booster], () => booster).losses
  }
  return isBetter(lossesWith(NO_SHARE), lossesWith(USUAL_SHARE)) ? NO_SHARE : USUAL_SHARE
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

const boosterOf = ({ data, goal, weight, rate }: Task, rows: Int32Array, others: readonly Compared[]): Booster =>
  createBooster(
    data,
    goal,
    weight,
    rows,
    others.map(({ row }) => row),
    { depth: DEPTH, rate, seed: SEED },
  )

/** Grows trees round by round until the error of the compared rows stops falling. */
function grownUntilBest(
  { data, goal, cap, rate }: Task,
  compared: readonly Compared[],
  boosters: readonly Booster[],
  boosterAt: (row: number) => Booster | undefined,
): { predicted: Float64Array; rounds: number; losses: number[] } {
  const trust = compared.map(({ weight }) => weight)
  let best = { loss: Number.POSITIVE_INFINITY, rounds: 0, predicted: new Float64Array(data.n), losses: [] as number[] }
  for (let round = 1; round <= MAX_ROUNDS && (round - best.rounds) * rate <= PATIENCE; round++) {
    for (const booster of boosters) booster.step()
    const predictedAt = (row: number) => boosterAt(row)?.predicted[row] ?? 0
    const losses = compared.map(({ row }) => Math.min(cap, Math.abs((goal[row] ?? 0) - predictedAt(row))))
    const loss = weightedMean(losses, trust)
    if (loss >= best.loss) continue
    const predicted = new Float64Array(data.n)
    for (const { row } of compared) predicted[row] = predictedAt(row)
    best = { loss, rounds: round, predicted, losses }
  }
  return best
}

/** Log value of an account. @param uncorrected the formula's before comparables @param formula after comparables */
export function combined(
  { treeWeight, formulaShare, trees }: Stack,
  uncorrected: number,
  formula: number,
  point: Point,
): number {
  if (!trees) return formula
  return (1 - treeWeight) * formula + treeWeight * (formulaShare * uncorrected + predictForest(trees, point))
}
