/** The formula's parameters as one vector, the prior of each, and the conversion back to a `Hedonic`. */
import type { FormConfig } from '@/contract/form/types'
import { knotCountOf, sizeOfCode } from './encode'
import type { Layout } from './feature-layout'
import { sum } from './numbers'
import { type Columns, firstsOf, type Table, YEAR } from './table'
import type { FactorCode, FieldCode, Hedonic, Shape } from './types'

/** Offsets into the parameter vector. Parameters are logs of what they stand for, except level and multipliers. */
export interface Params {
  level: number
  power: number
  base: number
  scale: number
  bend: number
  /** by field: slope of an item's log weight on its log rarity */
  rarity: number
  /** by heading of a list: common term in the log weights of its items */
  heading: number
  /** by field: interaction with the rest of the account, see `FieldCode` */
  lift: number
  missing: number
  weight: number
  detail: number
  multiplier: number
  fieldN: number
  weightN: number
  detailN: number
  /** by weight: rarity of the item (log of mean over own frequency), its field, its heading or -1 */
  rare: Float64Array
  owner: Int32Array
  under: Int32Array
  /** by field: mean score, by which scores are divided so that they are about 1 */
  norm: Float64Array
  centre: Float64Array
  precision: Float64Array
}

/** prior mean of log(asking price ÷ sale price): accounts sell at 0.85 of the asking price */
const ASK_PRIOR = -Math.log(0.85)
const FREE = 1e-6

/** Prior standard deviations. */
const PRIOR_SD = {
  power: 0.7,
  base: 1.5,
  scale: 0.8,
  lift: 1,
  missing: 1.5,
  item: 0.7,
  rarity: 0.4,
  heading: 0.5,
  curve: 1,
  step: 0.6,
  detail: 0.8,
  factor: 0.2,
  market: 0.04,
  drift: 0.3,
  ask: 0.1,
} as const
/** Prior mean of the log weight of hinges (convex terms): diminishing returns unless the sales show otherwise. */
const HINGE = -1.5
/** Prior mean of the log interaction: two things together are worth little more than their sum. */
const LIFT = Math.log(0.15)
/** Prior of a field's log power. Levels and flags are shaped by their weights alone, so their power is fixed at 1. */
const BEND: Readonly<Record<Shape['kind'], { centre: number; sd: number }>> = {
  number: { centre: 0, sd: 0.4 },
  list: { centre: Math.log(0.85), sd: 0.3 },
  level: { centre: 0, sd: 1e-3 },
  flag: { centre: 0, sd: 1e-3 },
}

export function paramsOf(layout: Layout, table: Table): Params {
  const fieldN = layout.fields.length
  const sizes = layout.fields.map(({ shape }) => sizeOfCode(shape))
  const weightN = sum(sizes.map(({ weights }) => weights))
  const detailN = sum(sizes.map(({ details }) => details))
  const scale = 3
  const bend = scale + fieldN
  const rarity = bend + fieldN
  const { under, headingN } = headingsOf(layout, weightN)
  const heading = rarity + fieldN
  const lift = heading + headingN
  const missing = lift + fieldN
  const weight = missing + 2 * fieldN
  const detail = weight + weightN
  const multiplier = detail + detailN
  const total = multiplier + table.columns.count
  const params: Params = {
    level: 0,
    power: 1,
    base: 2,
    ...{ scale, bend, rarity, heading, lift, missing, weight, detail, multiplier, fieldN, weightN, detailN, under },
    ...raritiesOf(layout, table, weightN),
    norm: normsOf(layout, table),
    centre: new Float64Array(total),
    precision: new Float64Array(total).fill(FREE),
  }
  believeFields(params, layout)
  believeMultipliers(params, layout, table)
  return params
}

/** Index of the heading of each weight; -1 where it has none or its list has only one heading. */
function headingsOf(layout: Layout, weightN: number): { under: Int32Array; headingN: number } {
  const under = new Int32Array(weightN).fill(-1)
  const firsts = firstsOf(layout)
  let headingN = 0
  for (const [f, { headings = [] }] of layout.fields.entries()) {
    const known = [...new Set(headings.flatMap((heading) => heading ?? []))].sort()
    if (known.length < 2) continue
    for (const [k, heading] of headings.entries())
      if (heading !== undefined) under[(firsts[f]?.weight ?? 0) + k] = headingN + known.indexOf(heading)
    headingN += known.length
  }
  return { under, headingN }
}

function raritiesOf(layout: Layout, table: Table, weightN: number): Pick<Params, 'rare' | 'owner'> {
  const counts = new Float64Array(weightN)
  for (const at of table.at) counts[at] = (counts[at] ?? 0) + 1
  const rare = new Float64Array(weightN)
  const owner = new Int32Array(weightN)
  const firsts = firstsOf(layout)
  for (const [f, { shape }] of layout.fields.entries()) {
    const { weight } = firsts[f] ?? { weight: 0 }
    owner.fill(f, weight, weight + sizeOfCode(shape).weights)
    if (shape.kind !== 'list') continue
    const sold = [...counts.subarray(weight, weight + shape.items.length)].filter((count) => count > 0)
    const mean = sum(sold) / Math.max(1, sold.length)
    // an unsold item counts as rare as the rarest sold one: the data do not show how much rarer it is
    const least = sold.reduce((a, b) => Math.min(a, b), mean)
    for (let k = 0; k <= shape.items.length; k++)
      rare[weight + k] = Math.log((mean + 1) / (Math.max(least, counts[weight + k] ?? 0) + 1))
  }
  return { rare, owner }
}

/** Mean unweighted score of each field over the sales where it is not empty. */
function normsOf(layout: Layout, table: Table): Float64Array {
  const fields = layout.fields.length
  return Float64Array.from(layout.fields, (_, f) => {
    let total = 0
    let n = 0
    for (let i = 0; i < table.n; i++) {
      const from = table.cells[i * fields + f] ?? 0
      const to = table.cells[i * fields + f + 1] ?? 0
      if (from === to) continue
      n++
      for (let e = from; e < to; e++) total += table.x[e] ?? 0
    }
    return n > 0 && total > 0 ? total / n : 1
  })
}

function believe(params: Params, at: number, count: number, centre: number, sd: number): void {
  params.centre.fill(centre, at, at + count)
  params.precision.fill(1 / (sd * sd), at, at + count)
}

function believeFields(params: Params, layout: Layout): void {
  const { fieldN } = params
  const share = -Math.log(Math.max(1, fieldN))
  believe(params, params.power, 1, Math.log(1.3), PRIOR_SD.power)
  believe(params, params.base, 1, Math.log(0.1), PRIOR_SD.base)
  believe(params, params.scale, fieldN, share, PRIOR_SD.scale)
  believe(params, params.rarity, fieldN, 0, PRIOR_SD.rarity)
  believe(params, params.heading, params.lift - params.heading, 0, PRIOR_SD.heading)
  believe(params, params.lift, fieldN, LIFT, PRIOR_SD.lift)
  believe(params, params.missing, 2 * fieldN, share - 0.7, PRIOR_SD.missing)
  believe(params, params.detail, params.detailN, Math.log(0.3), PRIOR_SD.detail)
  const firsts = firstsOf(layout)
  for (const [f, { shape }] of layout.fields.entries()) {
    const { centre, sd } = BEND[shape.kind]
    believe(params, params.bend + f, 1, centre, sd)
    const spread = shape.kind === 'list' ? PRIOR_SD.item : shape.kind === 'number' ? PRIOR_SD.curve : PRIOR_SD.step
    const first = params.weight + (firsts[f]?.weight ?? 0)
    const { weights } = sizeOfCode(shape)
    believe(params, first, weights, 0, spread)
    const hinges = knotCountOf(shape)
    believe(params, first + weights - hinges, hinges, HINGE, spread)
  }
}

function believeMultipliers(params: Params, layout: Layout, { columns }: Table): void {
  const at = params.multiplier
  for (const [i] of layout.factors.entries()) {
    const { first, count } = columns.factors[i] ?? { first: 0, count: 0 }
    believe(params, at + first, count, 0, PRIOR_SD.factor)
  }
  believe(params, at + columns.market, columns.ask - columns.market, 0, PRIOR_SD.market)
  believe(params, at + columns.ask, 1, ASK_PRIOR, PRIOR_SD.ask)
  believe(params, at + columns.drift, 1, 0, PRIOR_SD.drift)
}

/**
 * The formula for a parameter vector. Factor effects become relative to the plain answer, the market to its average.
 */
export function hedonicOf(
  config: FormConfig,
  layout: Layout,
  table: Table,
  params: Params,
  theta: Float64Array,
  spread: number,
): Hedonic {
  const { columns } = table
  const value = (k: number) => theta[k] ?? 0
  const factors = layout.factors.map((factor, i) => {
    const { first, count } = columns.factors[i] ?? { first: 0, count: 0 }
    const effects = Array.from({ length: count }, (_, k) => value(params.multiplier + first + k))
    return factorCode(config, factor, effects, table.gaps[layout.fields.length + i] ?? 0)
  })
  const drift = value(params.multiplier + columns.drift) / YEAR
  const { path, step } = marketPath(columns, drift, (k) => value(params.multiplier + k))
  const usual = sum(path.slice(1).map((to, k) => (to + (path[k] ?? 0)) / 2)) / Math.max(1, path.length - 1)
  return {
    scale: table.middle,
    level: value(params.level) + usual + sum(factors.map(({ plain }) => plain)),
    power: Math.exp(value(params.power)),
    base: Math.exp(value(params.base)),
    fields: fieldCodes(layout, table, params, theta),
    factors: factors.map(({ code }) => code),
    market: {
      start: columns.knots[0] ?? 0,
      step,
      values: path.map((to) => to - usual),
      drift,
    },
    ask: Math.max(0, value(params.multiplier + columns.ask)),
    spread: short(spread),
  }
}

/** Log market level at each knot relative to the first: each knot's own step plus the long-term drift. */
function marketPath(columns: Columns, drift: number, value: (k: number) => number) {
  const step = (columns.knots[1] ?? 0) - (columns.knots[0] ?? 0)
  const path = [0]
  for (let k = columns.market; k < columns.ask; k++) path.push((path.at(-1) ?? 0) + value(k) + drift * step)
  return { path, step }
}

/** Log of weight `j`: its own parameter plus the terms for rarity and heading. */
export const logWeight = (params: Params, theta: Float64Array, j: number): number =>
  (theta[params.weight + j] ?? 0) +
  (theta[params.rarity + (params.owner[j] ?? 0)] ?? 0) * (params.rare[j] ?? 0) +
  ((params.under[j] ?? -1) < 0 ? 0 : (theta[params.heading + (params.under[j] ?? 0)] ?? 0))

const short = (x: number): number => Number(x.toPrecision(6))

export function fieldCodes(layout: Layout, table: Table, params: Params, theta: Float64Array): FieldCode[] {
  const logs = (from: number, count: number, by: number) =>
    Array.from({ length: count }, (_, k) => short(Math.exp(theta[from + k] ?? 0) / by))
  const firsts = firstsOf(layout)
  return layout.fields.map(({ key, shape }, f) => {
    const size = sizeOfCode(shape)
    const { weight, detail } = firsts[f] ?? { weight: 0, detail: 0 }
    const [constant = 0, slope = 0] = logs(params.missing + 2 * f, 2, 1)
    const [lift = 0] = logs(params.lift + f, 1, 1)
    return {
      ...shape,
      key,
      scale: short(Math.exp(theta[params.scale + f] ?? 0)),
      power: short(Math.exp(theta[params.bend + f] ?? 0)),
      weights: Array.from({ length: size.weights }, (_, k) =>
        short(Math.exp(logWeight(params, theta, weight + k)) / (params.norm[f] ?? 1)),
      ),
      details: logs(params.detail + detail, size.details, 1),
      lift,
      missing: {
        part: [constant, slope],
        alike: (table.alike[f] ?? []).map(short),
        lift: short(lift * (table.logs[f] ?? 0)),
      },
      mean: short(table.means[f] ?? 0),
      gap: short(table.gaps[f] ?? 0),
    }
  })
}

/** Effects relative to the config's first option, the reference level: the base is then the price of the plain case. */
function factorCode(
  config: FormConfig,
  factor: Layout['factors'][number],
  effects: readonly number[],
  gap: number,
): { code: FactorCode; plain: number } {
  const known = effects.slice(0, -1)
  const average = sum(known) / Math.max(1, known.length)
  const field = config.fields.find(({ key }) => key === factor.key)
  const first = field?.options?.[0]?.v
  const place = factor.kind === 'choice' && first !== undefined ? factor.answers.indexOf(first) : -1
  const plain = place >= 0 ? (known[place] ?? 0) : average
  const unknown = (effects.at(-1) ?? average) - plain
  const relative = known.map((effect) => short(effect - plain))
  const worst = relative.reduce((a, b) => Math.min(a, b), short(unknown))
  const code = { ...factor, effects: relative, unknown: short(unknown), worst, gap: short(gap) }
  return { code, plain }
}
