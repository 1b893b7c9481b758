/**
 * Direction of each value field. By its role more is worth more; only where the sales contradict that significantly is
 * a field reversed (mileage) or a choice without order (a brand) treated as nominal.
 */
import { inverse, Matrix } from 'ml-matrix'
import { sampleRankCorrelation } from 'simple-statistics'
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Field, FormConfig } from '@/contract/form/types'
import { answerKey, answerOf, isFactor, isKnown, isList, isNumber, isPriced, leafOptions } from './encode'
import { type Direction, type Directions, numbersOf } from './feature-layout'
import { clamp, countBelow, quantile, robustSpread, sum } from './numbers'
import type { Observed } from './types'

/** smallest sample that can overrule the config, and the significance it needs (in standard errors) */
const MIN_SALES = 60
const SIGNIFICANCE = 6
/** root mean square (log price) by which options must at least contradict their order */
const MIN_DISORDER = 0.04
/** residuals are clamped to this many standard deviations */
const MAX_RESIDUAL_SPREADS = 2.5
/** robust regression: how often the sales are weighted again by their residuals */
const REWEIGHTINGS = 2
/** maximum of columns in the rough regression; a config may have thousands of options */
const MAX_COLUMNS = 150

interface Column {
  field: Field
  /** by sale; undefined where it is missing */
  x: (number | undefined)[]
}

/** Directions of all fields that are not `up`. */
export function fitDirections(config: FormConfig, sales: readonly Observed[]): Directions {
  const found = new Map<string, Direction>()
  const priced = config.fields.filter(isPriced)
  if (sales.length < MIN_SALES || priced.length === 0) return found
  const columns = priced.map((field) => columnOf(config, field, sales))
  const logs = sales.map(({ priceFen }) => Math.log(priceFen))
  const { slopes, errors, residual, spread } = roughFit(config, columns, sales, logs)
  for (const [k, { field, x }] of columns.entries()) {
    if (isList(field)) continue
    const slope = slopes[k] ?? 0
    const partial = residual.map((r, i) => r + slope * (x[i] ?? 0.5))
    if (field.type === 'select' || field.type === 'cascader') {
      const direction = directionOfChoice(config, field, sales, partial, spread)
      if (direction !== 'up') found.set(field.key, direction)
    } else if (slope < -SIGNIFICANCE * (errors[k] ?? 1) && fallsAlone(x, logs)) found.set(field.key, 'down')
  }
  return found
}

const weightsOf = (sales: readonly Observed[]): number[] => sales.map(({ weight = 1 }) => weight)

/** Ranks between 0 and 1: independent of scale and insensitive to outliers. */
function columnOf(config: FormConfig, field: Field, sales: readonly Observed[]): Column {
  const answers = sales.map((sale) => answerOf(sale.attributes, field.key))
  if (isList(field)) return { field, x: answers.map((answer) => Math.log1p(Array.isArray(answer) ? answer.length : 0)) }
  if (isNumber(field)) {
    const seen = numbersOf(field, sales).map(({ value }) => value)
    const rank = (value: number) => countBelow(seen, value) / Math.max(1, seen.length)
    return { field, x: answers.map((answer) => (typeof answer === 'number' ? rank(answer) : undefined)) }
  }
  if (field.type === 'bool') return { field, x: answers.map((a) => (typeof a === 'boolean' ? Number(a) : undefined)) }
  const places = new Map(ranksOf(config, field).map((path, i, all) => [path, i / Math.max(1, all.length - 1)]))
  return { field, x: answers.map((answer) => places.get(answerKey(answer))) }
}

const ranksOf = (config: FormConfig, field: Field): string[] =>
  leafOptions(optionsOf(config, field)).filter((path) => path !== 'unknown')

/**
 * Linear regression of the log price on ranks, missing answers, factors, time and asking, which is sufficient to find a
 * direction.
 */
function roughFit(config: FormConfig, columns: readonly Column[], sales: readonly Observed[], logs: readonly number[]) {
  const first = Math.min(...sales.map(({ at }) => at))
  const regressors = [
    sales.map(() => 1),
    ...columns.map(({ x }) => x.map((value) => value ?? 0.5)),
    sales.map(({ at }) => (at - first) / 3e10),
    sales.map(({ kind }) => (kind === 'ASKING' ? 1 : 0)),
    ...columns.flatMap(({ x }) => (x.includes(undefined) ? [x.map((value) => (value === undefined ? 1 : 0))] : [])),
    ...config.fields.filter(isFactor).flatMap((field) => {
      const given = sales.map(({ attributes }) => answerKey(answerOf(attributes, field.key)))
      return ranksOf(config, field).map((option) => given.map((answer) => (answer === option ? 1 : 0)))
    }),
  ]
  const rows = new Matrix(regressors.slice(0, MAX_COLUMNS)).transpose()
  const y = Matrix.columnVector(logs)
  const trust = weightsOf(sales)
  let fit = leastSquares(rows, y, trust)
  for (let round = 0; ; round++) {
    const residual = Matrix.sub(y, rows.mmul(fit.beta)).to1DArray()
    const spread = robustSpread(residual, trust)
    if (round === REWEIGHTINGS) {
      const errors = columns.map((_, k) => spread * Math.sqrt(Math.max(0, fit.inverseGram.get(k + 1, k + 1))))
      return { slopes: fit.beta.to1DArray().slice(1), errors, residual, spread }
    }
    fit = leastSquares(
      rows,
      y,
      residual.map((r, i) => (trust[i] ?? 1) * biweight(r, spread)),
    )
  }
}

/** Tukey's biweight: 1 in the middle, 0 beyond 5 spreads, smooth between. */
function biweight(residual: number, spread: number): number {
  const u = residual / (5 * spread)
  return Math.abs(u) >= 1 ? 0 : (1 - u * u) ** 2
}

/** Weighted least squares with a negligible penalty, for columns of zeros. */
function leastSquares(rows: Matrix, y: Matrix, weights: readonly number[]) {
  const weighted = rows
    .clone()
    .mulColumnVector([...weights])
    .transpose()
  const inverseGram = inverse(weighted.mmul(rows).add(Matrix.eye(rows.columns, rows.columns, 1e-3)))
  return { beta: inverseGram.mmul(weighted.mmul(y)), inverseGram }
}

/** The rank correlation with the price alone, without other fields, is significantly negative too. */
function fallsAlone(x: readonly (number | undefined)[], logs: readonly number[]): boolean {
  const pairs = x.flatMap((value, i) => (value === undefined ? [] : [[value, logs[i] ?? 0] as const]))
  if (pairs.length < MIN_SALES) return false
  const correlation = sampleRankCorrelation(
    pairs.map(([value]) => value),
    pairs.map(([, log]) => log),
  )
  return correlation < -SIGNIFICANCE / 2 / Math.sqrt(pairs.length)
}

function directionOfChoice(
  config: FormConfig,
  field: Field,
  sales: readonly Observed[],
  partial: readonly number[],
  spread: number,
): Direction {
  const groups = new Map<string, { n: number; total: number }>()
  const middle = quantile(partial, 0.5, weightsOf(sales))
  for (const [i, sale] of sales.entries()) {
    const answer: Answer | undefined = answerOf(sale.attributes, field.key)
    if (!isKnown(answer)) continue
    // clamped, so that one wrong row cannot determine the mean of its group
    const r = clamp((partial[i] ?? 0) - middle, -MAX_RESIDUAL_SPREADS * spread, MAX_RESIDUAL_SPREADS * spread)
    const group = groups.get(answerKey(answer)) ?? { n: 0, total: 0 }
    const weight = sale.weight ?? 1
    group.n += weight
    group.total += weight * r
    groups.set(answerKey(answer), group)
  }
  const ordered = ranksOf(config, field).flatMap((path) => {
    const group = groups.get(path)
    return group ? [{ n: group.n, mean: group.total / group.n }] : []
  })
  if (!disorder(ordered, spread)) return 'up'
  return disorder([...ordered].reverse(), spread) ? 'free' : 'down'
}

/** Whether group means deviate significantly from increasing order. */
function disorder(groups: readonly Group[], spread: number): boolean {
  const off = sum(
    pooled(groups).flatMap(({ mean, groups: own }) => own.map((group) => group.n * (group.mean - mean) ** 2)),
  )
  const n = sum(groups.map((group) => group.n))
  return (
    off > (SIGNIFICANCE * SIGNIFICANCE + 4 * groups.length) * spread * spread &&
    Math.sqrt(off / Math.max(1, n)) > MIN_DISORDER
  )
}

interface Group {
  n: number
  mean: number
}

/** The closest non-decreasing means: isotonic regression by pooling adjacent violators (Barlow et al. 1972). */
export function pooled(groups: readonly Group[]): (Group & { groups: Group[] })[] {
  const pools: (Group & { groups: Group[] })[] = []
  for (const group of groups) {
    let last = { ...group, groups: [group] }
    for (let before = pools.at(-1); before && before.mean >= last.mean; before = pools.at(-1)) {
      pools.pop()
      const n = before.n + last.n
      const mean = (before.n * before.mean + last.n * last.mean) / n
      last = { n, mean, groups: [...before.groups, ...last.groups] }
    }
    pools.push(last)
  }
  return pools
}
