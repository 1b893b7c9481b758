/** Negative log posterior of the parameters and its gradient: Student's t errors, Gaussian priors. */

import type { Objective } from './lbfgs'
import { ASKING_SPREAD } from './missing-data-variance'
import { logWeight, type Params } from './params'
import type { Table } from './table'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { exp, log, log1p, sqrt } = Math

/** Degrees of freedom of Student's t: one wrong price in ten has little influence. */
const FREEDOM = 4

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
  bend: Float64Array
  lift: Float64Array
  missing: Float64Array
  byWeight: Float64Array
  byDetail: Float64Array
  score: Float64Array
  logs: Float64Array
  more: Float64Array
  part: Float64Array
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
      const r = (t.y[i] ?? 0) - work.level - work.power * log(index) - liftsOf(work) - multipliersOf(work, i)
      residual[i] = r
      const s = sqrt((spread * (t.asking[i] ? ASKING_SPREAD : 1)) ** 2 + (t.gap[i] ?? 0) ** 2)
      const z2 = (r / s) ** 2 / FREEDOM
      value += every * 0.5 * (FREEDOM + 1) * log1p(z2)
      descend(work, i, index, (-every * (FREEDOM + 1) * r) / (s * s * FREEDOM * (1 + z2)))
    }
    return value + believed(work)
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
    bend: logs(p.bend, p.fieldN),
    lift: logs(p.lift, p.fieldN),
    missing: logs(p.missing, 2 * p.fieldN),
    byWeight: new Float64Array(p.weightN),
    byDetail: new Float64Array(p.detailN),
    score: new Float64Array(p.fieldN),
    logs: new Float64Array(p.fieldN),
    more: new Float64Array(p.fieldN),
    part: new Float64Array(p.fieldN),
  }
}

/** Value index of sale `i`; leaves its parts in `work`. */
function indexOf(work: Work, i: number): number {
  const { t, p, scale, bend, missing, score, logs, more, part } = work
  let index = work.base
  for (let f = 0; f < p.fieldN; f++) {
    const cell = i * p.fieldN + f
    if (t.known[cell] === 0) {
      part[f] = (missing[2 * f] ?? 0) + (missing[2 * f + 1] ?? 0) * (t.usual[cell] ?? 1)
      more[f] = t.logs[f] ?? 0
    } else {
      const raw = scoreOf(t, work, cell) / (p.norm[f] ?? 1)
      score[f] = raw
      logs[f] = raw > 0 ? log(raw) : 0
      more[f] = raw > 0 ? log1p(raw) : 0
      part[f] = raw > 0 ? (scale[f] ?? 0) * exp((bend[f] ?? 1) * (logs[f] ?? 0)) : 0
    }
    index += part[f] ?? 0
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
    score += (weights[t.at[e] ?? 0] ?? 0) * (t.x[e] ?? 0) * more
  }
  return score
}

function liftsOf({ p, lift, more }: Work): number {
  let total = 0
  for (let f = 0; f < p.fieldN; f++) total += (lift[f] ?? 0) * (more[f] ?? 0)
  return total
}

function multipliersOf({ t, p, x }: Work, i: number): number {
  let total = 0
  for (let m = t.multipliers[i] ?? 0, end = t.multipliers[i + 1] ?? 0; m < end; m++)
    total += (x[p.multiplier + (t.multiplierAt[m] ?? 0)] ?? 0) * (t.multiplierX[m] ?? 0)
  return total
}

/** Adds the gradient of sale `i`. @param slope derivative of the objective with respect to its prediction */
function descend(work: Work, i: number, index: number, slope: number): void {
  const { t, p, g, lift, missing, more, part } = work
  const byIndex = (slope * work.power) / index
  plus(g, p.level, slope)
  plus(g, p.power, slope * work.power * log(index))
  plus(g, p.base, byIndex * work.base)
  for (let m = t.multipliers[i] ?? 0, end = t.multipliers[i + 1] ?? 0; m < end; m++)
    plus(g, p.multiplier + (t.multiplierAt[m] ?? 0), slope * (t.multiplierX[m] ?? 0))
  for (let f = 0; f < p.fieldN; f++) {
    const cell = i * p.fieldN + f
    const lifted = slope * (lift[f] ?? 0)
    plus(g, p.lift + f, lifted * (more[f] ?? 0))
    if (t.known[cell] === 0) {
      plus(g, p.missing + 2 * f, byIndex * (missing[2 * f] ?? 0))
      plus(g, p.missing + 2 * f + 1, byIndex * (missing[2 * f + 1] ?? 0) * (t.usual[cell] ?? 1))
    } else if ((part[f] ?? 0) > 0) descendField(work, f, cell, byIndex * (part[f] ?? 0), lifted)
  }
}

/** @param whole derivative with respect to the log of the field's part @param lifted with respect to log(1 + score) */
function descendField(work: Work, f: number, cell: number, whole: number, lifted: number): void {
  const { t, p, g, weights, details, bend, score, logs, byWeight, byDetail } = work
  const power = bend[f] ?? 1
  plus(g, p.scale + f, whole)
  plus(g, p.bend + f, whole * (logs[f] ?? 0) * power)
  const raw = score[f] ?? 1
  const perScore = ((whole * power) / raw + lifted / (1 + raw)) / (p.norm[f] ?? 1)
  for (let e = t.cells[cell] ?? 0, end = t.cells[cell + 1] ?? 0; e < end; e++) {
    const k = t.at[e] ?? 0
    const own = (weights[k] ?? 0) * (t.x[e] ?? 0) * perScore
    let more = 1
    for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++) {
      const j = t.detailAt[d] ?? 0
      const extra = (details[j] ?? 0) * (t.detailZ[d] ?? 0)
      more += extra
      plus(byDetail, j, own * extra)
    }
    plus(byWeight, k, own * more)
  }
}

const plus = (to: Float64Array, at: number, amount: number): void => {
  to[at] = (to[at] ?? 0) + amount
}

/**
 * Completes the gradient: shared terms of rarity and heading, and the priors. @returns the priors' part of the
 * objective
 */
function believed({ p, x, g, byWeight, byDetail }: Work): number {
  g.set(byWeight, p.weight)
  g.set(byDetail, p.detail)
  for (let j = 0; j < p.weightN; j++) {
    plus(g, p.rarity + (p.owner[j] ?? 0), (byWeight[j] ?? 0) * (p.rare[j] ?? 0))
    const heading = p.under[j] ?? -1
    if (heading >= 0) plus(g, p.heading + heading, byWeight[j] ?? 0)
  }
  let value = 0
  for (let k = 0; k < x.length; k++) {
    const off = (x[k] ?? 0) - (p.centre[k] ?? 0)
    const precision = p.precision[k] ?? 0
    value += 0.5 * precision * off * off
    plus(g, k, precision * off)
  }
  return value
}
