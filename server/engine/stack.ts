/**
 * Stacking: learners weighted by their accuracy on unseen sales (Wolpert 1992, Breiman 1996; "super learner": van der
 * Laan, Polley and Hubbard 2007): the formula with its comparables, trees on the log price, and trees on the residual
 * of a share of the formula.
 */
import {
  type Binned,
  type BoostOptions,
  binned,
  createBooster,
  type Features,
  HUBER_THRESHOLD,
  type Point,
  predictForest,
} from './gradient-boosting'
import { quantile, robustSpread, sum, weightedMean } from './numbers'
import { type Forest, LEARNERS, type Learner, type Stack } from './types'

/** share of the formula's log value that `residualTrees` builds on; below 1, so that the trees can correct its errors */
const FORMULA_SHARE = 0.7
/** learners whose loss exceeds the best one's by this factor are left out */
const MAX_LOSS_RATIO = 1.35
/** after this many rounds a learner is abandoned if its loss exceeds the formula's by this factor */
const TRIAL_ROUNDS = { rounds: 60, factor: 1.6 } as const
const MAX_ROUNDS = 800
/** early stopping: rounds without a better out-of-fold error */
const PATIENCE = 40
/** the final fit uses all sales instead of all but one fold, which supports a few more trees */
const FINAL_ROUNDS_FACTOR = 1.1
/** shrinkage of the learned weights towards equal ones */
const WEIGHT_SHRINKAGE = 0.1
/** relative reduction of the loss that a combination must bring over its best learner */
const MIN_GAIN = 0.005
/** steps of the grid search for weights */
const GRID_STEPS = 20
/** above this number of sales the learning rate is doubled */
const FAST_RATE_SALES = 1_000
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
  /** fold of each row */
  fold: Int32Array
  folds: number
}

/** A row on which the learners are compared, its sale's weight, and the formula's log value after comparables. */
export interface Compared {
  row: number
  weight: number
  formula: number
}

export interface Fitted {
  stack: Stack
  /** out-of-fold predictions by compared row: each learner's and the combination's */
  predicted: { of: Record<Learner, number>; stack: number }[]
}

/** least limit of absolute log errors */
const MIN_LIMIT = 0.5

/**
 * Limit of the absolute log errors that count in a comparison, so that wrong rows do not decide it. Where sound prices are
 * missed by more than `MIN_LIMIT`, it rises with the formula's errors: else all learners would look alike.
 */
export const lossLimit = (residuals: readonly number[], trust: readonly number[]): number =>
  Math.max(MIN_LIMIT, HUBER_THRESHOLD * robustSpread(residuals, trust))

/** The formula without any trees. */
export const formulaOnly: Stack = { weights: { formula: 1, trees: 0, residualTrees: 0 }, errors: {} }

/**
 * @param cap limit of absolute log errors, see `lossLimit` @param all also train learners of weight
 * 0
 */
export function fitStack(outOfFold: OutOfFold, compared: readonly Compared[], cap: number, all: boolean): Fitted {
  const data = binned(outOfFold.features)
  const targets = targetsOf(outOfFold)
  const target = compared.map(({ row }) => outOfFold.target[row] ?? 0)
  const trust = compared.map(({ weight }) => weight)
  const lossOf = (predicted: readonly number[]) =>
    target.map((y, i) => Math.min(cap, Math.abs(y - (predicted[i] ?? 0))))
  const uncorrected = compared.map(({ row }) => outOfFold.formula[row] ?? 0)
  const formula = compared.map((one) => one.formula)
  const formulaLoss = weightedMean(lossOf(formula), trust)
  const crossFitted = {
    trees: crossFitTrees(data, outOfFold, targets.trees, 'trees', compared, cap, formulaLoss),
    residualTrees: crossFitTrees(data, outOfFold, targets.residualTrees, 'residualTrees', compared, cap, formulaLoss),
  }
  const predictions: Record<Learner, number[]> = {
    formula,
    trees: compared.map(({ row }) => crossFitted.trees.predicted[row] ?? 0),
    residualTrees: compared.map(
      ({ row }, i) => FORMULA_SHARE * (uncorrected[i] ?? 0) + (crossFitted.residualTrees.predicted[row] ?? 0),
    ),
  }
  const fold = compared.map(({ row }) => outOfFold.fold[row] ?? 0)
  const weights = chosenWeights(predictions, lossOf, trust, fold, outOfFold.folds)
  const combined = (i: number) => sum(LEARNERS.map((one) => weights[one] * (predictions[one][i] ?? 0)))
  const stacked = compared.map((_, i) => combined(i))
  const middle = (values: readonly number[]) => quantile(lossOf(values), 0.5, trust)
  const stack: Stack = {
    weights,
    errors: {
      ...Object.fromEntries(LEARNERS.map((one) => [one, middle(predictions[one])])),
      stack: middle(stacked),
    },
  }
  for (const one of TREE_LEARNERS)
    if (all || weights[one] > 0) stack[one] = fitTrees(data, outOfFold, targets[one], one, crossFitted[one].rounds)
  return {
    stack,
    predicted: stacked.map((value, i) => ({
      stack: value,
      of: {
        formula: formula[i] ?? 0,
        trees: predictions.trees[i] ?? 0,
        residualTrees: predictions.residualTrees[i] ?? 0,
      },
    })),
  }
}

const mean = (values: readonly number[]): number => sum(values) / Math.max(1, values.length)

const targetsOf = ({ target, formula }: OutOfFold): Record<TreeLearner, Float64Array> => ({
  trees: target,
  residualTrees: target.map((y, i) => y - FORMULA_SHARE * (formula[i] ?? 0)),
})

/** `residualTrees` do without the formula's value, the last feature: they already build on it. */
const optionsOf = ({ n, bins }: Binned, learner: TreeLearner): BoostOptions => ({
  ...{ depth: DEPTH[learner], rate: n > FAST_RATE_SALES ? 0.1 : 0.05, seed: SEED },
  features: learner === 'trees' ? bins.length : Math.max(1, bins.length - 1),
})

/** Grows the trees of all folds round by round until the out-of-fold error stops falling. */
function crossFitTrees(
  data: Binned,
  { weight, fold, folds }: OutOfFold,
  goal: Float64Array,
  learner: TreeLearner,
  compared: readonly Compared[],
  cap: number,
  formulaLoss: number,
): { predicted: Float64Array; rounds: number } {
  const boosters = Array.from({ length: folds }, (_, k) =>
    createBooster(
      data,
      goal,
      weight,
      rowsWhere(fold, (own) => own !== k),
      optionsOf(data, learner),
    ),
  )
  const trust = compared.map((one) => one.weight)
  let best = { loss: Number.POSITIVE_INFINITY, rounds: 0, predicted: new Float64Array(data.n) }
  for (let round = 1; round <= MAX_ROUNDS && round - best.rounds <= PATIENCE; round++) {
    for (const booster of boosters) booster.step()
    const at = (row: number) => boosters[fold[row] ?? 0]?.predicted[row] ?? 0
    const losses = compared.map(({ row }) => Math.min(cap, Math.abs((goal[row] ?? 0) - at(row))))
    const loss = weightedMean(losses, trust)
    if (loss < best.loss) best = { loss, rounds: round, predicted: Float64Array.from(fold, (_, row) => at(row)) }
    if (round === TRIAL_ROUNDS.rounds && best.loss > TRIAL_ROUNDS.factor * formulaLoss) break
  }
  return best
}

function fitTrees(
  data: Binned,
  { weight, fold }: OutOfFold,
  goal: Float64Array,
  learner: TreeLearner,
  rounds: number,
): Forest {
  const booster = createBooster(
    data,
    goal,
    weight,
    rowsWhere(fold, () => true),
    optionsOf(data, learner),
  )
  const wanted = Math.ceil(FINAL_ROUNDS_FACTOR * rounds)
  for (let round = 0; round < wanted; round++) booster.step()
  return booster.forest(wanted)
}

const rowsWhere = (fold: Int32Array, wanted: (fold: number) => boolean): Int32Array =>
  Int32Array.from([...fold.keys()].filter((row) => wanted(fold[row] ?? 0)))

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

/** The weighted log value, and the disagreement of the learners (weighted standard deviation). */
export function combined(
  { weights }: Stack,
  of: Partial<Record<Learner, number>>,
): { log: number; disagreement: number } {
  const weighted = LEARNERS.filter((one) => weights[one] > 0)
  const log = sum(weighted.map((one) => weights[one] * (of[one] ?? 0)))
  return { log, disagreement: Math.sqrt(sum(weighted.map((one) => weights[one] * ((of[one] ?? 0) - log) ** 2))) }
}
