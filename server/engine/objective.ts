/** Negative log posterior of the parameters and its gradient: Student's t errors, Gaussian priors. */

import type { DesignMatrix } from './design-matrix'
import type { Objective } from './lbfgs'
import { logWeight, type Params } from './params'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { exp, log, log1p } = Math

/** residual spread of listings relative to sales */
const ASKING_SPREAD = 1.3
/** Degrees of freedom of Student's t: one wrong price in ten has little influence. */
const DEGREES_OF_FREEDOM = 4

/** The parameters exponentiated; by distinct answer its parts of the price and the derivatives with respect to them. */
interface Work {
  t: DesignMatrix
  p: Params
  x: Float64Array
  g: Float64Array
  level: number
  power: number
  base: number
  weights: Float64Array
  details: Float64Array
  scale: Float64Array
  fieldPower: Float64Array
  interaction: Float64Array
  missing: Float64Array
  /** by different entry: its weighted amount with details, and the derivative with respect to it */
  entryValue: Float64Array
  byEntry: Float64Array
  answers: Answered
}

/** By distinct answer: score, its log, log(1 + score), part of the index, interaction (log), and the derivatives. */
interface Answered {
  score: Float64Array
  logScore: Float64Array
  log1pScore: Float64Array
  contribution: Float64Array
  interacted: Float64Array
  byIndex: Float64Array
  byLog: Float64Array
}

/**
 * The value of an answer is computed once for all sales that give it: most fields have few different ones.
 * @param residual written by every call: log residual of each sale
 */
export function objectiveOf(t: DesignMatrix, p: Params, spread: number, residual: Float64Array): Objective {
  const perAnswer = () => new Float64Array(t.fieldOf.length)
  const answers: Answered = {
    ...{ score: perAnswer(), logScore: perAnswer(), log1pScore: perAnswer(), contribution: perAnswer() },
    ...{ interacted: perAnswer(), byIndex: perAnswer(), byLog: perAnswer() },
  }
  return (x, g) => {
    g.fill(0)
    const work = unpack(t, p, x, g, answers)
    valueAnswers(work)
    let value = 0
    for (let i = 0; i < t.n; i++) {
      const { index, interactions } = sumsOf(work, i)
      const logIndex = log(index)
      const r = (t.y[i] ?? 0) - work.level - work.power * logIndex - interactions - covariatesOf(work, i)
      residual[i] = r
      const s = spread * (t.asking[i] ? ASKING_SPREAD : 1)
      const z2 = (r / s) ** 2 / DEGREES_OF_FREEDOM
      const weight = t.weight[i] ?? 1
      value += weight * 0.5 * (DEGREES_OF_FREEDOM + 1) * log1p(z2)
      const slope = (-weight * (DEGREES_OF_FREEDOM + 1) * r) / (s * s * DEGREES_OF_FREEDOM * (1 + z2))
      addTo(g, p.power, slope * work.power * logIndex)
      addGradient(work, i, slope, (slope * work.power) / index)
    }
    addAnswerGradients(work)
    addEntryGradients(work)
    return value + addPriors(work)
  }
}

function unpack(t: DesignMatrix, p: Params, x: Float64Array, g: Float64Array, answers: Answered): Work {
  const logs = (from: number, count: number) => x.slice(from, from + count).map(exp)
  const weights = new Float64Array(p.weightN)
  for (let j = 0; j < p.weightN; j++) weights[j] = exp(logWeight(p, x, j))
  const details = logs(p.detail, p.detailN)
  return {
    ...{ t, p, x, g, answers, weights, details },
    level: x[p.level] ?? 0,
    power: exp(x[p.power] ?? 0),
    base: exp(x[p.base] ?? 0),
    scale: logs(p.scale, p.fieldN),
    fieldPower: logs(p.fieldPower, p.fieldN),
    interaction: logs(p.interaction, p.fieldN),
    missing: logs(p.missing, p.fieldN),
    entryValue: entryValues(t, weights, details),
    byEntry: new Float64Array(t.weightAt.length),
  }
}

function valueAnswers(work: Work): void {
  const { t, p, entryValue, scale, fieldPower, interaction, missing, answers } = work
  const { score, logScore, log1pScore, contribution, interacted } = answers
  answers.byIndex.fill(0)
  answers.byLog.fill(0)
  for (let a = 0; a < t.fieldOf.length; a++) {
    const f = t.fieldOf[a] ?? 0
    if (t.known[a] === 0) {
      contribution[a] = missing[f] ?? 0
      log1pScore[a] = t.meanLogScores[f] ?? 0
    } else {
      const raw = scoreOf(t, entryValue, a) / (p.meanScore[f] ?? 1)
      score[a] = raw
      logScore[a] = raw > 0 ? log(raw) : 0
      log1pScore[a] = raw > 0 ? log1p(raw) : 0
      contribution[a] = raw > 0 ? (scale[f] ?? 0) * exp((fieldPower[f] ?? 1) * (logScore[a] ?? 0)) : 0
    }
    interacted[a] = (interaction[f] ?? 0) * (log1pScore[a] ?? 0)
  }
}

/** Weighted amount of each different entry, with its details. */
export function entryValues(t: DesignMatrix, weights: Float64Array, details: Float64Array): Float64Array {
  const values = new Float64Array(t.weightAt.length)
  for (let e = 0; e < values.length; e++) {
    let more = 1
    for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++)
      more += (details[t.detailAt[d] ?? 0] ?? 0) * (t.detailZ[d] ?? 0)
    values[e] = (weights[t.weightAt[e] ?? 0] ?? 0) * (t.x[e] ?? 0) * more
  }
  return values
}

/** Weighted amount of everything an answer holds. */
export function scoreOf({ entries, entryAt }: DesignMatrix, entryValue: Float64Array, answer: number): number {
  let score = 0
  for (let k = entries[answer] ?? 0, end = entries[answer + 1] ?? 0; k < end; k++)
    score += entryValue[entryAt[k] ?? 0] ?? 0
  return score
}

/** Value index of sale `i`, and the sum of its interactions. */
function sumsOf({ t, p, base, answers }: Work, i: number): { index: number; interactions: number } {
  const { contribution, interacted } = answers
  let index = base
  let interactions = 0
  for (let cell = i * p.fieldN, end = cell + p.fieldN; cell < end; cell++) {
    const a = t.answers[cell] ?? 0
    index += contribution[a] ?? 0
    interactions += interacted[a] ?? 0
  }
  return { index, interactions }
}

function covariatesOf({ t, p, x }: Work, i: number): number {
  let total = 0
  for (let m = t.covariates[i] ?? 0, end = t.covariates[i + 1] ?? 0; m < end; m++)
    total += (x[p.covariate + (t.covariateAt[m] ?? 0)] ?? 0) * (t.covariateX[m] ?? 0)
  return total
}

/**
 * Adds the gradient of sale `i`, that of its answers to theirs. @param slope derivative of the objective with respect
 * to its log price @param byIndex with respect to its index
 */
function addGradient({ t, p, g, base, answers }: Work, i: number, slope: number, byIndex: number): void {
  addTo(g, p.level, slope)
  addTo(g, p.base, byIndex * base)
  for (let m = t.covariates[i] ?? 0, end = t.covariates[i + 1] ?? 0; m < end; m++)
    addTo(g, p.covariate + (t.covariateAt[m] ?? 0), slope * (t.covariateX[m] ?? 0))
  for (let cell = i * p.fieldN, end = cell + p.fieldN; cell < end; cell++) {
    const a = t.answers[cell] ?? 0
    addTo(answers.byIndex, a, byIndex)
    addTo(answers.byLog, a, slope)
  }
}

function addAnswerGradients(work: Work): void {
  const { t, p, g, interaction, answers } = work
  for (let a = 0; a < t.fieldOf.length; a++) {
    const f = t.fieldOf[a] ?? 0
    addTo(g, p.interaction + f, (answers.byLog[a] ?? 0) * (answers.interacted[a] ?? 0))
    const contribution = answers.contribution[a] ?? 0
    const byContribution = (answers.byIndex[a] ?? 0) * contribution
    if (t.known[a] === 0) addTo(g, p.missing + f, byContribution)
    else if (contribution > 0)
      addFieldGradient(work, f, a, byContribution, (answers.byLog[a] ?? 0) * (interaction[f] ?? 0))
  }
}

/** @param byContribution derivative with respect to the log of the field's part @param byInteraction with respect to log(1 + score) */
function addFieldGradient(work: Work, f: number, a: number, byContribution: number, byInteraction: number): void {
  const { t, p, g, fieldPower, answers, byEntry } = work
  const power = fieldPower[f] ?? 1
  addTo(g, p.scale + f, byContribution)
  addTo(g, p.fieldPower + f, byContribution * (answers.logScore[a] ?? 0) * power)
  const raw = answers.score[a] ?? 1
  const perScore = ((byContribution * power) / raw + byInteraction / (1 + raw)) / (p.meanScore[f] ?? 1)
  for (let k = t.entries[a] ?? 0, end = t.entries[a + 1] ?? 0; k < end; k++) addTo(byEntry, t.entryAt[k] ?? 0, perScore)
}

/** The derivatives with respect to the logs of weights, the shared term of rarity and details. */
function addEntryGradients({ t, p, g, weights, details, entryValue, byEntry }: Work): void {
  for (let e = 0; e < byEntry.length; e++) {
    const j = t.weightAt[e] ?? 0
    const byLog = (byEntry[e] ?? 0) * (entryValue[e] ?? 0)
    addTo(g, p.weight + j, byLog)
    addTo(g, p.rarity + (p.fieldOf[j] ?? 0), byLog * (p.logRarity[j] ?? 0))
    const own = (byEntry[e] ?? 0) * (weights[j] ?? 0) * (t.x[e] ?? 0)
    for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++) {
      const k = t.detailAt[d] ?? 0
      addTo(g, p.detail + k, own * (details[k] ?? 0) * (t.detailZ[d] ?? 0))
    }
  }
}

const addTo = (to: Float64Array, at: number, amount: number): void => {
  to[at] = (to[at] ?? 0) + amount
}

/** Adds the gradient of the priors. @returns their part of the objective */
function addPriors({ p, x, g }: Work): number {
  let value = 0
  for (let k = 0; k < x.length; k++) {
    const off = (x[k] ?? 0) - (p.priorMean[k] ?? 0)
    const precision = p.priorPrecision[k] ?? 0
    value += 0.5 * precision * off * off
    addTo(g, k, precision * off)
  }
  return value
}
