/**
 * Stacking: learners weighted by their accuracy on unseen sales (Wolpert 1992, Breiman 1996; "super learner": van der
 * Laan, Polley and Hubbard 2007): the formula with its comparables, trees on the log price, and trees on the residual
 * of a share of the formula.
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
import { quantile, robustSpread, sum, weightedMean } from './numbers'
import { isBetter } from './rolling-origin'
import { type Forest, LEARNERS, type Learner, type Stack } from './types'

/** share of the formula's log value that `residualTrees` builds on; below 1, so that the trees can correct its errors */
const FORMULA_SHARE = 0.7
/** learners whose loss exceeds the best one's by this factor are left out */
const MAX_LOSS_RATIO = 1.35
/** after this many rounds a learner is abandoned if its loss exceeds the formula's by this factor */
const TRIAL_ROUNDS = 60
const MAX_TRIAL_LOSS = 1.6
const MAX_ROUNDS = 800
/** early stopping: rounds without a better error, times the learning rate */
const PATIENCE = 2
/** the final fit uses all sales instead of all but one fold, which supports a few more trees */
const FINAL_ROUNDS_FACTOR = 1.1
/** shrinkage of the learned weights towards equal ones */
const WEIGHT_SHRINKAGE = 0.1
/** relative reduction of the loss that a combination must bring over its best learner */
const MIN_GAIN = 0.005
/** least number of sales after the origin by which the fit of the trees is chosen */
const MIN_LATER = 30
/** most of the sales before it that are used for that */
const MAX_TRIED = 1_200
/** steps of the grid search for weights */
const GRID_STEPS = 20
/** above this number of sales the learning rate is chosen, below it is the slow one */
const FAST_RATE_SALES = 1_000
const [FAST_RATE, SLOW_RATE] = [0.1, 0.05]
/** thresholds of the trees' Huber loss, in robust standard deviations: one to start from, and one to compare with */
const [USUAL_LIMIT, WIDE_LIMIT] = [1, 3]
const DEPTH: Record<TreeLearner, number> = { trees: 8, residualTrees: 6 }
type TreeLearner = Exclude<Learner, 'formula'>
const TREE_LEARNERS = ['trees', 'residualTrees'] as const
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

/** Fit of the trees, chosen by the rolling origin. */
interface TreeFit {
  /** threshold of the Huber loss, in robust standard deviations */
  limit: number
  rate: number
}

/** A row on which the learners are compared, its sale's weight, and the formula's log value after comparables. */
export interface Compared {
  row: number
  weight: number
  formula: number
}

export interface Fitted {
  stack: Stack
  /** out-of-fold predictions by compared row, and those of the rows after the origin, by learners that know the past only */
  predicted: Record<Learner, number>[]
  later: Record<Learner, number>[]
}

/** least limit of absolute log errors */
const MIN_LIMIT = 0.5

/**
 * Limit of the absolute log errors that count in a comparison, so that wrong rows do not decide it. Where sound prices are
 * missed by more than `MIN_LIMIT`, it rises with the formula's errors: else all learners would look alike.
 */
export const lossLimit = (residuals: readonly number[], trust: readonly number[]): number =>
  Math.max(MIN_LIMIT, WIDE_LIMIT * robustSpread(residuals, trust))

/** The formula without any trees. */
export const formulaOnly: Stack = { weights: { formula: 1, trees: 0, residualTrees: 0 }, errors: {} }

/** Log values of rows by learner. */
type Predictions = Record<Learner, number[]>

/** @param cap limit of absolute log errors, see `lossLimit` @param all also train learners of weight 0 */
export function fitStack(
  outOfFold: OutOfFold,
  { compared, later }: Record<'compared' | 'later', readonly Compared[]>,
  cap: number,
  all: boolean,
): Fitted {
  const data = binned(outOfFold.features)
  const of = (learner: TreeLearner, rows: readonly Compared[]): Task => taskOf(data, outOfFold, learner, rows, cap)
  const fit = chosenTreeFit(of('residualTrees', later), outOfFold)
  const formula = compared.map((one) => one.formula)
  const trust = compared.map(({ weight }) => weight)
  const target = compared.map(({ row }) => outOfFold.target[row] ?? 0)
  const lossOf = (values: readonly number[]) => target.map((y, i) => Math.min(cap, Math.abs(y - (values[i] ?? 0))))
  const formulaLoss = weightedMean(lossOf(formula), trust)
  const grown = {
    trees: crossFitTrees(of('trees', compared), outOfFold, fit, formulaLoss),
    residualTrees: crossFitTrees(of('residualTrees', compared), outOfFold, fit, formulaLoss),
  }
  const predictions = predictionsOf(outOfFold, compared, grown.trees.predicted, grown.residualTrees.predicted)
  const fold = compared.map(({ row }) => outOfFold.fold[row] ?? 0)
  const weights = chosenWeights(predictions, lossOf, trust, fold, outOfFold.folds)
  const middle = (values: readonly number[]) => quantile(lossOf(values), 0.5, trust)
  const stacked = compared.map((_, i) => sum(LEARNERS.map((one) => weights[one] * (predictions[one][i] ?? 0))))
  const stack: Stack = {
    weights,
    errors: { ...Object.fromEntries(LEARNERS.map((one) => [one, middle(predictions[one])])), stack: middle(stacked) },
  }
  for (const one of TREE_LEARNERS)
    if (all || weights[one] > 0) stack[one] = fitTrees(of(one, []), outOfFold, fit, grown[one].rounds)
  const rolled = (one: TreeLearner) =>
    weights[one] > 0 ? rolledTrees(of(one, later), outOfFold.origin ?? NO_ROWS, fit).predicted : new Float64Array(0)
  return {
    stack,
    predicted: byRow(predictions, compared.length),
    later: byRow(predictionsOf(outOfFold, later, rolled('trees'), rolled('residualTrees')), later.length),
  }
}

const byRow = (predictions: Predictions, n: number): Record<Learner, number>[] =>
  Array.from({ length: n }, (_, i) => ({
    formula: predictions.formula[i] ?? 0,
    trees: predictions.trees[i] ?? 0,
    residualTrees: predictions.residualTrees[i] ?? 0,
  }))

/** @param trees by row of `outOfFold` @param residuals likewise */
const predictionsOf = (
  { formula }: OutOfFold,
  rows: readonly Compared[],
  trees: Float64Array,
  residuals: Float64Array,
): Predictions => ({
  formula: rows.map((one) => one.formula),
  trees: rows.map(({ row }) => trees[row] ?? 0),
  residualTrees: rows.map(({ row }) => FORMULA_SHARE * (formula[row] ?? 0) + (residuals[row] ?? 0)),
})

const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length)

/** What the trees of a learner are grown for, and the rows on which their number is chosen. */
interface Task {
  data: Binned
  weight: Float64Array
  goal: Float64Array
  learner: TreeLearner
  compared: readonly Compared[]
  cap: number
}

const taskOf = (
  data: Binned,
  { weight, target, formula }: OutOfFold,
  learner: TreeLearner,
  compared: readonly Compared[],
  cap: number,
): Task => ({
  ...{ data, weight, learner, compared, cap },
  goal: learner === 'trees' ? target : target.map((y, i) => y - FORMULA_SHARE * (formula[i] ?? 0)),
})

/** `residualTrees` do without the formula's value, the last feature: they already build on it. */
const boosterOf = ({ data, goal, weight, learner, compared }: Task, rows: Int32Array, fit: TreeFit) =>
  createBooster(
    data,
    goal,
    weight,
    rows,
    compared.map(({ row }) => row),
    {
      ...{ depth: DEPTH[learner], ...fit, seed: SEED },
      features: learner === 'trees' ? data.bins.length : Math.max(1, data.bins.length - 1),
    },
  )

interface Grown {
  predicted: Float64Array
  rounds: number
  losses: number[]
}

/** Grows trees round by round until the error of the compared rows stops falling. @param most loss after some rounds */
function grownUntilBest(
  { data, goal, compared, cap }: Task,
  boosters: readonly Booster[],
  boosterAt: (row: number) => Booster | undefined,
  rate: number,
  most = Number.POSITIVE_INFINITY,
): Grown {
  const trust = compared.map(({ weight }) => weight)
  let best = { loss: Number.POSITIVE_INFINITY, rounds: 0, predicted: new Float64Array(data.n), losses: [] as number[] }
  for (let round = 1; round <= MAX_ROUNDS && (round - best.rounds) * rate <= PATIENCE; round++) {
    for (const booster of boosters) booster.step()
    const losses = compared.map(({ row }) =>
      Math.min(cap, Math.abs((goal[row] ?? 0) - (boosterAt(row)?.predicted[row] ?? 0))),
    )
    const loss = weightedMean(losses, trust)
    if (loss < best.loss) {
      const predicted = new Float64Array(data.n)
      for (const { row } of compared) predicted[row] = boosterAt(row)?.predicted[row] ?? 0
      best = { loss, rounds: round, predicted, losses }
    }
    if (round === TRIAL_ROUNDS && best.loss > most) break
  }
  return best
}

function crossFitTrees(task: Task, { fold, folds }: OutOfFold, fit: TreeFit, formulaLoss: number): Grown {
  const boosters = Array.from({ length: folds }, (_, k) =>
    boosterOf(
      task,
      rowsWhere(fold, (own) => own !== k),
      fit,
    ),
  )
  return grownUntilBest(task, boosters, (row) => boosters[fold[row] ?? 0], fit.rate, MAX_TRIAL_LOSS * formulaLoss)
}

/** Trees that know the sales before the origin only. */
function rolledTrees(task: Task, rows: Int32Array, fit: TreeFit): Grown {
  const booster = boosterOf(task, rows, fit)
  return grownUntilBest(task, [booster], () => booster, fit.rate)
}

const NO_ROWS = new Int32Array(0)

/** The fit with the least error after the origin: another than the usual one only for a gain beyond chance. */
function chosenTreeFit(task: Task, { fold, origin }: OutOfFold): TreeFit {
  const isLarge = fold.filter((own) => own >= 0).length > FAST_RATE_SALES
  const usual: TreeFit = { limit: USUAL_LIMIT, rate: isLarge ? FAST_RATE : SLOW_RATE }
  if (!origin || task.compared.length < MIN_LATER) return usual
  // a part of the sales is enough for a choice
  const hash = (row: number) => task.data.ids[row] ?? 0
  const rows = origin
    .slice()
    .sort((a, b) => hash(a) - hash(b))
    .slice(0, MAX_TRIED)
    .sort()
  const attempt = (fit: TreeFit) => ({ fit, losses: rolledTrees(task, rows, fit).losses })
  let best = attempt(usual)
  for (const change of [{ limit: WIDE_LIMIT }, ...(isLarge ? [{ rate: SLOW_RATE }] : [])]) {
    const other = attempt({ ...best.fit, ...change })
    if (isBetter(other.losses, best.losses)) best = other
  }
  return best.fit
}

function fitTrees(task: Task, { fold }: OutOfFold, fit: TreeFit, rounds: number): Forest {
  const booster = boosterOf(
    task,
    rowsWhere(fold, () => true),
    fit,
  )
  const wanted = Math.ceil(FINAL_ROUNDS_FACTOR * rounds)
  for (let round = 0; round < wanted; round++) booster.step()
  return booster.forest(wanted)
}

/** Rows of these folds, without those repeated for the origin. */
const rowsWhere = (fold: Int32Array, wanted: (fold: number) => boolean): Int32Array =>
  Int32Array.from([...fold.keys()].filter((row) => (fold[row] ?? -1) >= 0 && wanted(fold[row] ?? -1)))

type Losses = (predicted: readonly number[]) => number[]

/**
 * The weights with the least out-of-fold loss, shrunk towards equal ones. Where cross-validation (weights chosen on the
 * other folds) shows no gain of `MIN_GAIN`, the best learner is used alone if it is the formula, or if the combination
 * is worse by more than one standard error.
 */
export function chosenWeights(
  predictions: Record<Learner, number[]>,
  lossOf: Losses,
  trust: readonly number[],
  fold: readonly number[],
  folds: number,
): Record<Learner, number> {
  const losses = LEARNERS.map((one) => {
    const own = lossOf(predictions[one])
    return { one, own, mean: weightedMean(own, trust) }
  })
  const best = losses.reduce((a, b) => (b.mean < a.mean ? b : a))
  const bestAlone = only(best.one)
  const candidates = losses.filter((one) => one.mean <= MAX_LOSS_RATIO * best.mean).map(({ one }) => one)
  if (candidates.length === 1) return bestAlone
  // folds follow hashes of ids: with few sales some have none
  const compared = Array.from({ length: folds }, (_, k) => k).filter((k) => fold.includes(k))
  const differences = compared.map((k) => {
    const trustIn = (inside: boolean) => trust.map((weight, i) => ((fold[i] === k) === inside ? weight : 0))
    const weights = leastLoss(predictions, lossOf, candidates, trustIn(false))
    const stacked = lossOf(combine(predictions, weights))
    return weightedMean(
      stacked.map((loss, i) => loss - (best.own[i] ?? 0)),
      trustIn(true),
    )
  })
  if (isBetterAlone(best, differences)) return bestAlone
  return leastLoss(predictions, lossOf, candidates, trust)
}

/**
 * Whether the best learner is published instead of the combination: where the combination is worse by more than one
 * standard error of the paired difference; the formula, whose explanation is exact, also where the gain is negligible.
 * @param best with its mean loss @param differences loss of the combination minus that of the best learner, by fold
 */
export function isBetterAlone(best: { one: Learner; mean: number }, differences: readonly number[]): boolean {
  const gain = -mean(differences)
  const error = Math.sqrt(mean(differences.map((d) => (d + gain) ** 2)) / Math.max(1, differences.length - 1))
  return best.one === 'formula' ? gain < MIN_GAIN * best.mean : gain < -error
}

const only = (learner: Learner): Record<Learner, number> => ({ formula: 0, trees: 0, residualTrees: 0, [learner]: 1 })

const combine = (predictions: Record<Learner, number[]>, weights: Record<Learner, number>): number[] =>
  predictions.formula.map((_, i) => sum(LEARNERS.map((one) => weights[one] * (predictions[one][i] ?? 0))))

function leastLoss(
  predictions: Record<Learner, number[]>,
  lossOf: Losses,
  candidates: readonly Learner[],
  trust: readonly number[],
): Record<Learner, number> {
  let best = { loss: Number.POSITIVE_INFINITY, weights: only('formula') }
  for (let a = 0; a <= GRID_STEPS; a++) {
    for (let b = 0; a + b <= GRID_STEPS; b++) {
      const weights = {
        formula: a / GRID_STEPS,
        trees: b / GRID_STEPS,
        residualTrees: (GRID_STEPS - a - b) / GRID_STEPS,
      }
      if (LEARNERS.some((one) => weights[one] > 0 && !candidates.includes(one))) continue
      const loss = weightedMean(lossOf(combine(predictions, weights)), trust)
      if (loss < best.loss) best = { loss, weights }
    }
  }
  const positive = LEARNERS.filter((one) => best.weights[one] > 0)
  const shrunk = (one: Learner) =>
    positive.includes(one) ? (1 - WEIGHT_SHRINKAGE) * best.weights[one] + WEIGHT_SHRINKAGE / positive.length : 0
  return { formula: shrunk('formula'), trees: shrunk('trees'), residualTrees: shrunk('residualTrees') }
}

/**
 * Log values of an account by learner. @param uncorrected the formula's before comparables @param formula after comparables
 */
export function learnersOf(
  stack: Stack,
  uncorrected: number,
  formula: number,
  point: Point,
): Partial<Record<Learner, number>> {
  return {
    formula,
    ...(stack.trees && { trees: predictForest(stack.trees, point) }),
    ...(stack.residualTrees && {
      residualTrees: FORMULA_SHARE * uncorrected + predictForest(stack.residualTrees, point),
    }),
  }
}

/** The weighted log value. */
export const combined = ({ weights }: Stack, of: Partial<Record<Learner, number>>): number =>
  sum(LEARNERS.map((one) => (weights[one] > 0 ? weights[one] * (of[one] ?? 0) : 0)))
