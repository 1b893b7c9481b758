/** The formula's parameters as one vector, the prior of each, and the conversion back to a `Hedonic`. */
import type { FormConfig } from '@/contract/form/types'
import { type DesignMatrix, firstsOf, YEAR } from './design-matrix'
import { sizeOfCode } from './encode'
import type { Layout } from './feature-layout'
import { sum } from './numbers'
import type { FactorCode, FieldCode, Hedonic, Multiplier } from './types'

/** Offsets into the parameter vector. Parameters are logs of what they stand for, except level and multipliers. */
export interface Params {
  level: number
  power: number
  base: number
  scale: number
  fieldPower: number
  /** by field: slope of an item's log weight on its log rarity */
  rarity: number
  /** by field: interaction with the rest of the account, see `FieldCode` */
  interaction: number
  missing: number
  weight: number
  detail: number
  covariate: number
  fieldN: number
  weightN: number
  detailN: number
  /** by weight: rarity of the item (log of mean over own frequency), its field */
  logRarity: Float64Array
  fieldOf: Int32Array
  /** by field: whether its score has a power, and its mean score, by which scores are divided so that they are about 1 */
  isList: Uint8Array
  meanScore: Float64Array
  priorMean: Float64Array
  priorPrecision: Float64Array
}

/** prior mean of log(asking price ÷ sale price): accounts sell at 0.85 of the asking price */
const ASK_PRIOR_MEAN = -Math.log(0.85)
const FLAT_PRIOR_PRECISION = 1e-6

/** Prior standard deviations. */
const PRIOR_SD = {
  power: 0.7,
  base: 1.5,
  scale: 0.8,
  missing: 1.5,
  item: 0.7,
  rarity: 0.4,
  interaction: 1,
  curve: 1,
  step: 0.6,
  detail: 0.8,
  factor: 0.2,
  market: 0.04,
  drift: 0.3,
  ask: 0.1,
} as const
/** Prior mean of the log interaction: two fields together are worth little more than their sum. */
const INTERACTION_PRIOR_MEAN = Math.log(0.15)
/** Prior of a list's log power; other fields are shaped by their weights alone. */
const LIST_POWER_PRIOR = { mean: Math.log(0.85), sd: 0.3 }

export function paramsOf(layout: Layout, table: DesignMatrix): Params {
  const fieldN = layout.fields.length
  const sizes = layout.fields.map(({ encoding }) => sizeOfCode(encoding))
  const weightN = sum(sizes.map(({ weights }) => weights))
  const detailN = sum(sizes.map(({ details }) => details))
  const scale = 3
  const fieldPower = scale + fieldN
  const rarity = fieldPower + fieldN
  const interaction = rarity + fieldN
  const missing = interaction + fieldN
  const weight = missing + fieldN
  const detail = weight + weightN
  const covariate = detail + detailN
  const total = covariate + table.columns.count
  const params: Params = {
    level: 0,
    power: 1,
    base: 2,
    ...{ scale, fieldPower, rarity, interaction, missing, weight, detail, covariate, fieldN, weightN, detailN },
    ...raritiesOf(layout, table, weightN),
    isList: Uint8Array.from(layout.fields, ({ encoding }) => (encoding.kind === 'list' ? 1 : 0)),
    meanScore: meanScoresOf(layout, table),
    priorMean: new Float64Array(total),
    priorPrecision: new Float64Array(total).fill(FLAT_PRIOR_PRECISION),
  }
  setFieldPriors(params, layout)
  setCovariatePriors(params, layout, table)
  return params
}

function raritiesOf(layout: Layout, table: DesignMatrix, weightN: number): Pick<Params, 'logRarity' | 'fieldOf'> {
  const counts = new Float64Array(weightN)
  for (const [a, weight] of table.answerWeight.entries())
    for (const e of table.entryAt.subarray(table.entries[a], table.entries[a + 1])) {
      const item = table.weightAt[e] ?? 0
      counts[item] = (counts[item] ?? 0) + weight
    }
  const logRarity = new Float64Array(weightN)
  const fieldOf = new Int32Array(weightN)
  const firsts = firstsOf(layout)
  for (const [f, { encoding }] of layout.fields.entries()) {
    const { weight } = firsts[f] ?? { weight: 0 }
    fieldOf.fill(f, weight, weight + sizeOfCode(encoding).weights)
    if (encoding.kind !== 'list') continue
    const sold = [...counts.subarray(weight, weight + encoding.items.length)].filter((count) => count > 0)
    const mean = sum(sold) / Math.max(1, sold.length)
    // an unsold item counts as rare as the rarest sold one: the data do not show how much rarer it is
    const least = sold.reduce((a, b) => Math.min(a, b), mean)
    for (let k = 0; k <= encoding.items.length; k++)
      logRarity[weight + k] = Math.log((mean + 1) / (Math.max(least, counts[weight + k] ?? 0) + 1))
  }
  return { logRarity, fieldOf }
}

/** Mean unweighted score of each field over the sales where it is not empty. */
function meanScoresOf(layout: Layout, table: DesignMatrix): Float64Array {
  const totals = layout.fields.map(() => ({ total: 0, n: 0 }))
  for (const [a, weight] of table.answerWeight.entries()) {
    const own = totals[table.fieldOf[a] ?? 0]
    const held = table.entryAt.subarray(table.entries[a], table.entries[a + 1])
    if (!own || held.length === 0) continue
    own.n += weight
    for (const e of held) own.total += weight * (table.x[e] ?? 0)
  }
  return Float64Array.from(totals, ({ total, n }) => (n > 0 && total > 0 ? total / n : 1))
}

function setPrior(params: Params, first: number, count: number, mean: number, sd: number): void {
  params.priorMean.fill(mean, first, first + count)
  params.priorPrecision.fill(1 / (sd * sd), first, first + count)
}

function setFieldPriors(params: Params, layout: Layout): void {
  const { fieldN } = params
  const share = -Math.log(Math.max(1, fieldN))
  setPrior(params, params.power, 1, Math.log(1.3), PRIOR_SD.power)
  setPrior(params, params.base, 1, Math.log(0.1), PRIOR_SD.base)
  setPrior(params, params.scale, fieldN, share, PRIOR_SD.scale)
  setPrior(params, params.rarity, fieldN, 0, PRIOR_SD.rarity)
  setPrior(params, params.interaction, fieldN, INTERACTION_PRIOR_MEAN, PRIOR_SD.interaction)
  setPrior(params, params.missing, fieldN, share, PRIOR_SD.missing)
  setPrior(params, params.detail, params.detailN, Math.log(0.3), PRIOR_SD.detail)
  const firsts = firstsOf(layout)
  for (const [f, { encoding }] of layout.fields.entries()) {
    const { mean, sd } = LIST_POWER_PRIOR
    if (encoding.kind === 'list') setPrior(params, params.fieldPower + f, 1, mean, sd)
    const spread =
      encoding.kind === 'list' ? PRIOR_SD.item : encoding.kind === 'number' ? PRIOR_SD.curve : PRIOR_SD.step
    const first = params.weight + (firsts[f]?.weight ?? 0)
    setPrior(params, first, sizeOfCode(encoding).weights, 0, spread)
  }
}

function setCovariatePriors(params: Params, layout: Layout, { columns }: DesignMatrix): void {
  const start = params.covariate
  for (const [i] of layout.factors.entries()) {
    const { first, count } = columns.factors[i] ?? { first: 0, count: 0 }
    setPrior(params, start + first, count, 0, PRIOR_SD.factor)
  }
  setPrior(params, start + columns.market, columns.ask - columns.market, 0, PRIOR_SD.market)
  setPrior(params, start + columns.ask, 1, ASK_PRIOR_MEAN, PRIOR_SD.ask)
  setPrior(params, start + columns.drift, 1, 0, PRIOR_SD.drift)
}

/**
 * The formula for a parameter vector. Factor effects become relative to the plain answer, the market to its average.
 */
export function hedonicOf(
  config: FormConfig,
  layout: Layout,
  table: DesignMatrix,
  params: Params,
  theta: Float64Array,
): Hedonic {
  const { columns } = table
  const value = (k: number) => theta[k] ?? 0
  const factors = layout.factors.map((factor, i) => {
    const { first, count } = columns.factors[i] ?? { first: 0, count: 0 }
    const effects = Array.from({ length: count }, (_, k) => value(params.covariate + first + k))
    return factorCode(config, factor, effects)
  })
  const drift = value(params.covariate + columns.drift) / YEAR
  const { path, step } = marketPath(layout.knots, drift, (k) => value(params.covariate + columns.market + k))
  const meanMarket = sum(path.slice(1).map((to, k) => (to + (path[k] ?? 0)) / 2)) / Math.max(1, path.length - 1)
  return {
    level: table.middle + value(params.level) + meanMarket + sum(factors.map(({ reference }) => reference)),
    power: Math.exp(value(params.power)),
    base: Math.exp(value(params.base)),
    fields: fieldCodes(layout, params, theta),
    factors: factors.map(({ code }) => code),
    market: {
      start: layout.knots[0] ?? 0,
      step,
      values: path.map((to) => to - meanMarket),
      drift,
    },
    ask: Math.max(0, value(params.covariate + columns.ask)),
  }
}

/** Log market level at each knot relative to the first: each knot's own step plus the long-term drift. */
function marketPath([start = 0, next = 0, ...more]: readonly number[], drift: number, value: (k: number) => number) {
  const step = next - start
  const path = [0]
  for (let k = 0; k <= more.length; k++) path.push((path.at(-1) ?? 0) + value(k) + drift * step)
  return { path, step }
}

/** Log of weight `j`: its own parameter plus the term for rarity. */
export const logWeight = (params: Params, theta: Float64Array, j: number): number =>
  (theta[params.weight + j] ?? 0) + (theta[params.rarity + (params.fieldOf[j] ?? 0)] ?? 0) * (params.logRarity[j] ?? 0)

const rounded = (x: number): number => Number(x.toPrecision(6))

function fieldCodes(layout: Layout, params: Params, theta: Float64Array): FieldCode[] {
  const logs = (from: number, count: number, by: number) =>
    Array.from({ length: count }, (_, k) => rounded(Math.exp(theta[from + k] ?? 0) / by))
  const firsts = firstsOf(layout)
  return layout.fields.map(({ key, encoding }, f) => {
    const size = sizeOfCode(encoding)
    const { weight, detail } = firsts[f] ?? { weight: 0, detail: 0 }
    const [missing = 0] = logs(params.missing + f, 1, 1)
    const [interaction = 0] = logs(params.interaction + f, 1, 1)
    return {
      ...encoding,
      key,
      scale: rounded(Math.exp(theta[params.scale + f] ?? 0)),
      power: rounded(Math.exp(theta[params.fieldPower + f] ?? 0)),
      weights: Array.from({ length: size.weights }, (_, k) =>
        rounded(Math.exp(logWeight(params, theta, weight + k)) / (params.meanScore[f] ?? 1)),
      ),
      details: logs(params.detail + detail, size.details, 1),
      interaction,
      missing,
    }
  })
}

/** Effects relative to the config's first option, the reference level: the base is then the price of the plain case. */
function factorCode(
  config: FormConfig,
  factor: Multiplier,
  effects: readonly number[],
): { code: FactorCode; reference: number } {
  const known = effects.slice(0, -1)
  const average = sum(known) / Math.max(1, known.length)
  const field = config.fields.find(({ key }) => key === factor.key)
  const first = field?.options?.[0]?.v
  const place = factor.kind === 'choice' && first !== undefined ? factor.answers.indexOf(first) : -1
  // the base of a list is an empty one
  const reference = factor.kind === 'list' ? 0 : (known[place] ?? average)
  const unknown = (effects.at(-1) ?? average) - reference
  const relative = known.map((effect) => rounded(effect - reference))
  const worst = factor.kind === 'list' ? 0 : relative.reduce((a, b) => Math.min(a, b), rounded(unknown))
  const code = { ...factor, effects: relative, unknown: rounded(unknown), worst }
  return { code, reference }
}
