/** Negative log posterior of the parameters and its gradient: Student's t errors, Gaussian priors. */

import type { Objective } from './lbfgs'
import { ASKING_SPREAD } from './missing-data-variance'
import { logWeight, type Params } from './params'
import type { Table } from './table'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { exp, log, log1p, sqrt } = Math

/** Degrees of freedom of Student's t: one wrong price in ten has little influence. */
const DEGREES_OF_FREEDOM = 4

/** The parameters exponentiated, and the current row by field: score, its log, log(1 + score), part of the index. */
interface Work {
  t: Table
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
  byWeight: Float64Array
  byDetail: Float64Array
  score: Float64Array
  logScore: Float64Array
  log1pScore: Float64Array
  contribution: Float64Array
}

/**
 * @param residual written by every call: log residual of each evaluated sale
 * @param every evaluate only every n-th sale, with weight n
 */
export function objectiveOf(t: Table, p: Params, spread: number, residual: Float64Array, every = 1): Objective {
  return (x, g) => {
    g.fill(0)
    const work = unpack(t, p, x, g)
    let value = 0
    for (let i = 0; i < t.n; i += every) {
      const index = indexOf(work, i)
      const r = (t.y[i] ?? 0) - work.level - work.power * log(index) - interactionsOf(work) - covariatesOf(work, i)
      residual[i] = r
      const s = sqrt((spread * (t.asking[i] ? ASKING_SPREAD : 1)) ** 2 + (t.missingSd[i] ?? 0) ** 2)
      const z2 = (r / s) ** 2 / DEGREES_OF_FREEDOM
      const weight = every * (t.weight[i] ?? 1)
      value += weight * 0.5 * (DEGREES_OF_FREEDOM + 1) * log1p(z2)
      addGradient(work, i, index, (-weight * (DEGREES_OF_FREEDOM + 1) * r) / (s * s * DEGREES_OF_FREEDOM * (1 + z2)))
    }
    return value + addPriors(work)
  }
}

function unpack(t: Table, p: Params, x: Float64Array, g: Float64Array): Work {
  const logs = (from: number, count: number) => x.slice(from, from + count).map(exp)
  return {
    ...{ t, p, x, g },
    level: x[p.level] ?? 0,
    power: exp(x[p.power] ?? 0),
    base: exp(x[p.base] ?? 0),
    weights: Float64Array.from({ length: p.weightN }, (_, j) => exp(logWeight(p, x, j))),
    details: logs(p.detail, p.detailN),
    scale: logs(p.scale, p.fieldN),
    fieldPower: logs(p.fieldPower, p.fieldN),
    interaction: logs(p.interaction, p.fieldN),
    missing: logs(p.missing, p.fieldN),
    byWeight: new Float64Array(p.weightN),
    byDetail: new Float64Array(p.detailN),
    score: new Float64Array(p.fieldN),
    logScore: new Float64Array(p.fieldN),
    log1pScore: new Float64Array(p.fieldN),
    contribution: new Float64Array(p.fieldN),
  }
}

/** Value index of sale `i`; leaves its parts in `work`. */
function indexOf(work: Work, i: number): number {
  const { t, p, scale, fieldPower, missing, score, logScore, log1pScore, contribution } = work
  let index = work.base
  for (let f = 0; f < p.fieldN; f++) {
    const cell = i * p.fieldN + f
    if (t.known[cell] === 0) {
      contribution[f] = missing[f] ?? 0
      log1pScore[f] = t.meanLogScores[f] ?? 0
    } else {
      const raw = scoreOf(t, work, cell) / (p.meanScore[f] ?? 1)
      score[f] = raw
      logScore[f] = raw > 0 ? log(raw) : 0
      log1pScore[f] = raw > 0 ? log1p(raw) : 0
      contribution[f] = raw > 0 ? (scale[f] ?? 0) * exp((fieldPower[f] ?? 1) * (logScore[f] ?? 0)) : 0
    }
    index += contribution[f] ?? 0
  }
  return index
}

/** Weighted amount of everything a cell (sale and field) holds. */
export function scoreOf(t: Table, { weights, details }: Pick<Work, 'weights' | 'details'>, cell: number): number {
  let score = 0
  for (let e = t.cells[cell] ?? 0, end = t.cells[cell + 1] ?? 0; e < end; e++) {
    let more = 1
    for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++)
      more += (details[t.detailAt[d] ?? 0] ?? 0) * (t.detailZ[d] ?? 0)
    score += (weights[t.weightAt[e] ?? 0] ?? 0) * (t.x[e] ?? 0) * more
  }
  return score
}

function interactionsOf({ p, interaction, log1pScore }: Work): number {
  let total = 0
  for (let f = 0; f < p.fieldN; f++) total += (interaction[f] ?? 0) * (log1pScore[f] ?? 0)
  return total
}

function covariatesOf({ t, p, x }: Work, i: number): number {
  let total = 0
  for (let m = t.covariates[i] ?? 0, end = t.covariates[i + 1] ?? 0; m < end; m++)
    total += (x[p.covariate + (t.covariateAt[m] ?? 0)] ?? 0) * (t.covariateX[m] ?? 0)
  return total
}

/** Adds the gradient of sale `i`. @param slope derivative of the objective with respect to its prediction */
function addGradient(work: Work, i: number, index: number, slope: number): void {
  const { t, p, g, interaction, missing, log1pScore, contribution } = work
  const byIndex = (slope * work.power) / index
  addTo(g, p.level, slope)
  addTo(g, p.power, slope * work.power * log(index))
  addTo(g, p.base, byIndex * work.base)
  for (let m = t.covariates[i] ?? 0, end = t.covariates[i + 1] ?? 0; m < end; m++)
    addTo(g, p.covariate + (t.covariateAt[m] ?? 0), slope * (t.covariateX[m] ?? 0))
  for (let f = 0; f < p.fieldN; f++) {
    const cell = i * p.fieldN + f
    const byInteraction = slope * (interaction[f] ?? 0)
    addTo(g, p.interaction + f, byInteraction * (log1pScore[f] ?? 0))
    if (t.known[cell] === 0) {
      addTo(g, p.missing + f, byIndex * (missing[f] ?? 0))
    } else if ((contribution[f] ?? 0) > 0)
      addFieldGradient(work, f, cell, byIndex * (contribution[f] ?? 0), byInteraction)
  }
}

/** @param byContribution derivative with respect to the log of the field's part @param byInteraction with respect to log(1 + score) */
function addFieldGradient(work: Work, f: number, cell: number, byContribution: number, byInteraction: number): void {
  const { t, p, g, weights, details, fieldPower, score, logScore, byWeight, byDetail } = work
  const power = fieldPower[f] ?? 1
  addTo(g, p.scale + f, byContribution)
  addTo(g, p.fieldPower + f, byContribution * (logScore[f] ?? 0) * power)
  const raw = score[f] ?? 1
  const perScore = ((byContribution * power) / raw + byInteraction / (1 + raw)) / (p.meanScore[f] ?? 1)
  for (let e = t.cells[cell] ?? 0, end = t.cells[cell + 1] ?? 0; e < end; e++) {
    const k = t.weightAt[e] ?? 0
    const own = (weights[k] ?? 0) * (t.x[e] ?? 0) * perScore
    let more = 1
    for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++) {
      const j = t.detailAt[d] ?? 0
      const extra = (details[j] ?? 0) * (t.detailZ[d] ?? 0)
      more += extra
      addTo(byDetail, j, own * extra)
    }
    addTo(byWeight, k, own * more)
  }
}

const addTo = (to: Float64Array, at: number, amount: number): void => {
  to[at] = (to[at] ?? 0) + amount
}

/**
 * Completes the gradient: the shared term of rarity, and the priors. @returns the priors' part of the
 * objective
 */
function addPriors({ p, x, g, byWeight, byDetail }: Work): number {
  g.set(byWeight, p.weight)
  g.set(byDetail, p.detail)
  for (let j = 0; j < p.weightN; j++) {
    addTo(g, p.rarity + (p.fieldOf[j] ?? 0), (byWeight[j] ?? 0) * (p.logRarity[j] ?? 0))
  }
  let value = 0
  for (let k = 0; k < x.length; k++) {
    const off = (x[k] ?? 0) - (p.priorMean[k] ?? 0)
    const precision = p.priorPrecision[k] ?? 0
    value += 0.5 * precision * off * off
    addTo(g, k, precision * off)
  }
  return value
}
