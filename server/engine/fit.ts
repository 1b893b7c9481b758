/** Fitting the price formula (see `Hedonic`): the most likely one under fat-tailed errors and mild prior beliefs. */
import type { FormConfig } from '@/contract/form/types'
import { richness } from './hedonic'
import { minimise, rescaled } from './lbfgs'
import { clamp, quantile, robustSpread, sum } from './numbers'
import { orient } from './orient'
import { fieldCodes, hedonicOf, logWeight, type Params, paramsOf } from './params'
import { type Layout, layoutOf } from './shapes'
import { type Table, tableOf } from './table'
import type { FieldCode, Hedonic, Observed } from './types'

export interface FitOptions {
  /** rounds of the minimiser in each stage */
  rounds: readonly number[]
}

const DEFAULT_FIT: FitOptions = { rounds: [30, 40, 60, 80] }
/** for the formulas that are only tested with */
export const QUICK_FIT: FitOptions = { rounds: [30, 40, 60] }

/** Student's t with 4 degrees of freedom: one wrong price in ten does not move it much. */
const FREEDOM = 4
/** sales' worth of error that one shrunken unknown hides */
const TAKEN = 0.3
/** log error the first stage reckons with */
const FIRST_SPREAD = 0.3
/** offers scatter more than sales */
const ASKING_SPREAD = 1.3

/** Fits the formula; throws on no sales at all. */
export function fitHedonic(config: FormConfig, sales: readonly Observed[], options: FitOptions = DEFAULT_FIT): Hedonic {
  if (sales.length === 0) throw new Error('a formula needs at least one sale')
  const accounts = sales.map((sale) => sale.attributes)
  const layout = layoutOf(config, accounts, orient(config, sales))
  const table = tableOf(layout, sales)
  const params = paramsOf(layout, table)
  const unit = params.precision.map((precision) => Math.min(1, 1 / Math.sqrt(precision)))
  let place: Float64Array = new Float64Array(unit.length)
  let theta: Float64Array = params.centre
  const residual = new Float64Array(table.n)
  let spread = Math.min(FIRST_SPREAD, robustSpread([...table.y]))
  // what is fitted looks better than it is: every unknown takes a part of a sale
  const honest = Math.sqrt(table.n / Math.max(table.n / 3, table.n - TAKEN * theta.length))
  for (const rounds of options.rounds) {
    const f = rescaled((x, g) => objective(table, params, spread, x, g, residual), params.centre, unit)
    place = minimise(f.objective, place, rounds)
    theta = f.toX(place)
    objective(table, params, spread, theta, new Float64Array(theta.length), residual)
    spread = clamp(honest * robustSpread([...residual].filter((_, i) => !table.asking[i])), 0.01, spread)
    enrich(table, params, layout, theta)
  }
  return hedonicOf(config, layout, table, params, theta)
}

/** What each field is worth, how rich each account is by that, and what modest accounts have, as of `theta`. */
function enrich(table: Table, params: Params, layout: Layout, theta: Float64Array): void {
  const codes = fieldCodes(layout, table, params, theta)
  const rows = Array.from({ length: table.n }, (_, i) =>
    codes.map((code, f) =>
      table.known[i * codes.length + f] === 0 ? undefined : partAt(table, params, code, theta, i * codes.length + f, f),
    ),
  )
  const answered = codes.map((_, f) =>
    rows.flatMap((parts, i) => (parts[f] === undefined ? [] : [{ i, part: parts[f] }])),
  )
  table.means = answered.map((cells) => sum(cells.map(({ part }) => part)) / Math.max(1, cells.length))
  const fields = codes.map((code, f) => ({ ...code, mean: table.means[f] ?? 0 }))
  for (const [i, parts] of rows.entries()) table.rich[i] = richness(fields, parts)
  table.modest = answered.map((cells) => modestOf(cells.map(({ i, part }) => ({ rich: table.rich[i] ?? 1, part }))))
}

const RICH_BINS = 5
/** a little under the middle: a blank is no good news */
const MODEST = 0.4

function modestOf(cells: readonly { rich: number; part: number }[]): FieldCode['modest'] {
  const order = [...cells].sort((a, b) => a.rich - b.rich)
  const bins = Math.max(1, Math.min(RICH_BINS, Math.floor(order.length / 20)))
  const modest: FieldCode['modest'] = { rich: [], part: [] }
  for (let k = 0; k < bins; k++) {
    const bin = order.slice(Math.floor((k * order.length) / bins), Math.floor(((k + 1) * order.length) / bins))
    const rich = quantile(
      bin.map((cell) => cell.rich),
      0.5,
    )
    if (k > 0 && rich <= (modest.rich.at(-1) ?? 0)) continue
    modest.rich.push(rich)
    // richer accounts never have less: a better rest must not lower what a blank counts for
    modest.part.push(
      Math.max(
        modest.part.at(-1) ?? 0,
        quantile(
          bin.map((cell) => cell.part),
          MODEST,
        ),
      ),
    )
  }
  return modest
}

function partAt(t: Table, p: Params, code: FieldCode, theta: Float64Array, cell: number, f: number): number {
  let score = 0
  for (let e = t.cells[cell] ?? 0, end = t.cells[cell + 1] ?? 0; e < end; e++) {
    let more = 1
    for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++)
      more += Math.exp(theta[p.detail + (t.detailAt[d] ?? 0)] ?? 0) * (t.detailZ[d] ?? 0)
    score += Math.exp(logWeight(p, theta, t.at[e] ?? 0)) * (t.x[e] ?? 0) * more
  }
  score /= p.norm[f] ?? 1
  return score > 0 ? code.scale * score ** code.power : 0
}

/** Log posterior, negated; gradient into `g`, residuals into `out`. */
function objective(t: Table, p: Params, spread: number, x: Float64Array, g: Float64Array, out: Float64Array): number {
  const weights = new Float64Array(p.weightN)
  for (let j = 0; j < p.weightN; j++) weights[j] = Math.exp(logWeight(p, x, j))
  const details = new Float64Array(p.detailN)
  for (let j = 0; j < p.detailN; j++) details[j] = Math.exp(x[p.detail + j] ?? 0)
  const F = p.fieldN
  const scale = new Float64Array(F)
  const bend = new Float64Array(F)
  const m0 = new Float64Array(F)
  const m1 = new Float64Array(F)
  for (let f = 0; f < F; f++) {
    scale[f] = Math.exp(x[p.scale + f] ?? 0)
    bend[f] = Math.exp(x[p.bend + f] ?? 0)
    m0[f] = Math.exp(x[p.missing + 2 * f] ?? 0)
    m1[f] = Math.exp(x[p.missing + 2 * f + 1] ?? 0)
  }
  const power = Math.exp(x[p.power] ?? 0)
  const base = Math.exp(x[p.base] ?? 0)
  let value = 0
  g.fill(0)
  const byWeight = new Float64Array(p.weightN)
  const byDetail = new Float64Array(p.detailN)
  const part = new Float64Array(F)
  const raw = new Float64Array(F)
  const logs = new Float64Array(F)
  for (let i = 0; i < t.n; i++) {
    let index = base
    const rich = t.rich[i] ?? 1
    for (let f = 0; f < F; f++) {
      const cell = i * F + f
      if (t.known[cell] === 0) {
        part[f] = (m0[f] ?? 0) + (m1[f] ?? 0) * rich
      } else {
        let score = 0
        for (let e = t.cells[cell] ?? 0, end = t.cells[cell + 1] ?? 0; e < end; e++) {
          let more = 1
          for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++)
            more += (details[t.detailAt[d] ?? 0] ?? 0) * (t.detailZ[d] ?? 0)
          score += (weights[t.at[e] ?? 0] ?? 0) * (t.x[e] ?? 0) * more
        }
        score /= p.norm[f] ?? 1
        raw[f] = score
        logs[f] = score > 0 ? Math.log(score) : 0
        part[f] = score > 0 ? (scale[f] ?? 0) * Math.exp((bend[f] ?? 1) * (logs[f] ?? 0)) : 0
      }
      index += part[f] ?? 0
    }
    const log = Math.log(index)
    let predicted = (x[p.level] ?? 0) + power * log
    for (let m = t.multipliers[i] ?? 0, end = t.multipliers[i + 1] ?? 0; m < end; m++)
      predicted += (x[p.multiplier + (t.multiplierAt[m] ?? 0)] ?? 0) * (t.multiplierX[m] ?? 0)
    const r = (t.y[i] ?? 0) - predicted
    out[i] = r
    const s = spread * (t.asking[i] ? ASKING_SPREAD : 1)
    const z2 = (r / s) ** 2 / FREEDOM
    value += 0.5 * (FREEDOM + 1) * Math.log1p(z2)
    // derivative by the prediction
    const slope = (-(FREEDOM + 1) * (r / (s * s * FREEDOM))) / (1 + z2)
    g[p.level] = (g[p.level] ?? 0) + slope
    g[p.power] = (g[p.power] ?? 0) + slope * power * log
    const byIndex = (slope * power) / index
    g[p.base] = (g[p.base] ?? 0) + byIndex * base
    for (let m = t.multipliers[i] ?? 0, end = t.multipliers[i + 1] ?? 0; m < end; m++) {
      const k = p.multiplier + (t.multiplierAt[m] ?? 0)
      g[k] = (g[k] ?? 0) + slope * (t.multiplierX[m] ?? 0)
    }
    for (let f = 0; f < F; f++) {
      const cell = i * F + f
      if (t.known[cell] === 0) {
        const k = p.missing + 2 * f
        g[k] = (g[k] ?? 0) + byIndex * (m0[f] ?? 0)
        g[k + 1] = (g[k + 1] ?? 0) + byIndex * (m1[f] ?? 0) * rich
        continue
      }
      const score = raw[f] ?? 0
      if (score <= 0 || (part[f] ?? 0) === 0) continue
      const whole = byIndex * (part[f] ?? 0)
      g[p.scale + f] = (g[p.scale + f] ?? 0) + whole
      g[p.bend + f] = (g[p.bend + f] ?? 0) + whole * (logs[f] ?? 0) * (bend[f] ?? 1)
      const perScore = (whole * (bend[f] ?? 1)) / (score * (p.norm[f] ?? 1))
      for (let e = t.cells[cell] ?? 0, end = t.cells[cell + 1] ?? 0; e < end; e++) {
        const k = t.at[e] ?? 0
        const w = (weights[k] ?? 0) * (t.x[e] ?? 0) * perScore
        let more = 1
        for (let d = t.details[e] ?? 0, last = t.details[e + 1] ?? 0; d < last; d++) {
          const j = t.detailAt[d] ?? 0
          const extra = (details[j] ?? 0) * (t.detailZ[d] ?? 0)
          more += extra
          byDetail[j] = (byDetail[j] ?? 0) + w * extra
        }
        byWeight[k] = (byWeight[k] ?? 0) + w * more
      }
    }
  }
  g.set(byWeight, p.weight)
  g.set(byDetail, p.detail)
  for (let j = 0; j < p.weightN; j++) {
    const k = p.rarity + (p.owner[j] ?? 0)
    g[k] = (g[k] ?? 0) + (g[p.weight + j] ?? 0) * (p.rare[j] ?? 0)
  }
  for (let k = 0; k < x.length; k++) {
    const off = (x[k] ?? 0) - (p.centre[k] ?? 0)
    const precision = p.precision[k] ?? 0
    value += 0.5 * precision * off * off
    g[k] = (g[k] ?? 0) + precision * off
  }
  return value
}
