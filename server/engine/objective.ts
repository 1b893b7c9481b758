/** Negative log posterior of the parameters and its gradient: Student's t errors, Gaussian priors. */

import type { DesignMatrix } from './design-matrix'
import type { Objective } from './lbfgs'
import { logWeight, type Params } from './params'

/** bound once: looking up a global is slow under jest, where each test file has its own realm */
const { exp, log } = Math

/** residual spread of listings relative to sales */
const ASKING_SPREAD = 1.3
/** Degrees of freedom of Student's t: one wrong price in ten has little influence. */
const DEGREES_OF_FREEDOM = 4

/** The parameters exponentiated, and what they make of the answers. */
interface Work {
  t: DesignMatrix
  p: Params
  /** gradient */
  g: Float64Array
  weights: Float64Array
  details: Float64Array
  scale: Float64Array
  fieldPower: Float64Array
  interaction: Float64Array
  missing: Float64Array
  /** by different entry: its weighted amount with details, and the derivative with respect to it */
  entryValue: Float64Array
  byEntry: Float64Array
  /** by distinct answer: score, its log in a list, part of the index, interaction (log), and the derivatives with respect to both */
  score: Float64Array
  logScore: Float64Array
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
  const { answers, y, asking, weight: trust, covariates, covariateAt, covariateX } = t
  const [perAnswer, perEntry] = [() => new Float64Array(t.fieldOf.length), () => new Float64Array(t.weightAt.length)]
  const buffers = {
    ...{ score: perAnswer(), logScore: perAnswer(), contribution: perAnswer(), interacted: perAnswer() },
    ...{ byIndex: perAnswer(), byLog: perAnswer(), entryValue: perEntry(), byEntry: perEntry() },
  }
  return (x, g) => {
    g.fill(0)
    const logs = (from: number, count: number) => x.slice(from, from + count).map(exp)
    const weights = new Float64Array(p.weightN)
    for (let j = 0; j < p.weightN; j++) weights[j] = exp(logWeight(p, x, j))
    const work: Work = {
      ...{ t, p, g, weights, details: logs(p.detail, p.detailN), scale: logs(p.scale, p.fieldN) },
      fieldPower: Float64Array.from(p.isList, (isList, f) => (isList === 1 ? exp(x[p.fieldPower + f] ?? 0) : 1)),
      ...{ interaction: logs(p.interaction, p.fieldN), missing: logs(p.missing, p.fieldN), ...buffers },
    }
    valueAnswers(work)
    const { contribution, interacted, byIndex, byLog } = work
    const [level, power, base] = [x[p.level] ?? 0, exp(x[p.power] ?? 0), exp(x[p.base] ?? 0)]
    let value = 0
    for (let i = 0, first = 0; i < t.n; i++, first += p.fieldN) {
      let [index, interactions] = [base, 0]
      for (let cell = first; cell < first + p.fieldN; cell++) {
        const a = answers[cell] ?? 0
        index += contribution[a] ?? 0
        interactions += interacted[a] ?? 0
      }
      const logIndex = log(index)
      const [from, end] = [covariates[i] ?? 0, covariates[i + 1] ?? 0]
      let factors = 0
      for (let m = from; m < end; m++) factors += (x[p.covariate + (covariateAt[m] ?? 0)] ?? 0) * (covariateX[m] ?? 0)
      const r = (y[i] ?? 0) - level - power * logIndex - interactions - factors
      residual[i] = r
      const s = spread * (asking[i] ? ASKING_SPREAD : 1)
      const z2 = (r / s) ** 2 / DEGREES_OF_FREEDOM
      const weight = trust[i] ?? 1
      value += weight * 0.5 * (DEGREES_OF_FREEDOM + 1) * log(1 + z2)
      const slope = (-weight * (DEGREES_OF_FREEDOM + 1) * r) / (s * s * DEGREES_OF_FREEDOM * (1 + z2))
      const perIndex = (slope * power) / index
      addTo(g, p.level, slope)
      addTo(g, p.power, slope * power * logIndex)
      addTo(g, p.base, perIndex * base)
      for (let m = from; m < end; m++) addTo(g, p.covariate + (covariateAt[m] ?? 0), slope * (covariateX[m] ?? 0))
      for (let cell = first; cell < first + p.fieldN; cell++) {
        addTo(byIndex, answers[cell] ?? 0, perIndex)
        addTo(byLog, answers[cell] ?? 0, slope)
      }
    }
    addAnswerGradients(work)
    addEntryGradients(work)
    return value + addPriors(p, x, g)
  }
}

function valueAnswers({ t, p, ...work }: Work): void {
  const { weights, details, scale, fieldPower, interaction, missing } = work
  const { entryValue, score, logScore, contribution, interacted } = work
  work.byIndex.fill(0)
  work.byLog.fill(0)
  work.byEntry.fill(0)
  for (let e = 0; e < entryValue.length; e++) {
    let more = 1
    for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++)
      more += (details[t.detailAt[d] ?? 0] ?? 0) * (t.detailZ[d] ?? 0)
    entryValue[e] = (weights[t.weightAt[e] ?? 0] ?? 0) * (t.x[e] ?? 0) * more
  }
  for (let a = 0; a < t.fieldOf.length; a++) {
    const f = t.fieldOf[a] ?? 0
    let total = 0
    for (let k = t.entries[a] ?? 0, end = t.entries[a + 1] ?? 0; k < end; k++)
      total += entryValue[t.entryAt[k] ?? 0] ?? 0
    const raw = total / (p.meanScore[f] ?? 1)
    let powered = raw
    if (p.isList[f] === 1 && raw > 0) {
      logScore[a] = log(raw)
      powered = exp((fieldPower[f] ?? 1) * (logScore[a] ?? 0))
    }
    score[a] = raw
    interacted[a] = (interaction[f] ?? 0) * log(1 + raw)
    contribution[a] = t.known[a] === 0 ? (missing[f] ?? 0) : (scale[f] ?? 0) * powered
  }
}

function addAnswerGradients({ t, p, g, fieldPower, interaction, byEntry, ...answers }: Work): void {
  const { score, logScore, contribution, interacted, byIndex, byLog } = answers
  for (let a = 0; a < t.fieldOf.length; a++) {
    const f = t.fieldOf[a] ?? 0
    const byContribution = (byIndex[a] ?? 0) * (contribution[a] ?? 0)
    const raw = score[a] ?? 0
    if (t.known[a] === 0) addTo(g, p.missing + f, byContribution)
    else if (raw > 0) {
      const byPower = byContribution * (fieldPower[f] ?? 1)
      addTo(g, p.scale + f, byContribution)
      addTo(g, p.fieldPower + f, byPower * (logScore[a] ?? 0))
      addTo(g, p.interaction + f, (byLog[a] ?? 0) * (interacted[a] ?? 0))
      const byInteraction = ((byLog[a] ?? 0) * (interaction[f] ?? 0)) / (1 + raw)
      const perScore = (byPower / raw + byInteraction) / (p.meanScore[f] ?? 1)
      for (let k = t.entries[a] ?? 0, end = t.entries[a + 1] ?? 0; k < end; k++)
        addTo(byEntry, t.entryAt[k] ?? 0, perScore)
    }
  }
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

const addTo = (to: Float64Array, index: number, amount: number): void => {
  to[index] = (to[index] ?? 0) + amount
}

/** Adds the gradient of the priors. @returns their part of the objective */
function addPriors(p: Params, x: Float64Array, g: Float64Array): number {
  let value = 0
  for (let k = 0; k < x.length; k++) {
    const off = (x[k] ?? 0) - (p.priorMean[k] ?? 0)
    const precision = p.priorPrecision[k] ?? 0
    value += 0.5 * precision * off * off
    addTo(g, k, precision * off)
  }
  return value
}
