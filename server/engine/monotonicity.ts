/**
 * Direction of each value field. By its role more is worth more; only where the sales contradict that significantly is
 * a field reversed (mileage) or a choice without order (a brand) treated as nominal.
 */
import { inverse, Matrix } from 'ml-matrix'
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Field, FormConfig } from '@/contract/form/types'
import { answerKey, answerOf, isFactor, isKnown, isList, isNumber, isPriced, leafOptions } from './encode'
import { type Direction, numbersOf } from './feature-layout'
import { biweight, clamp, countBelow, countUpTo, quantile, robustSpread, sum, weightedMean } from './numbers'
import type { Observed } from './types'

/** smallest sample that can overrule the config, and the significance it needs (in standard errors) */
const MIN_SALES = 60
const SIGNIFICANCE = 6
/** root mean square (log price) by which options must at least contradict their order */
const MIN_DISORDER = 0.04
/** residuals are clamped to this many standard deviations */
const MAX_RESIDUAL_SPREADS = 2.5
/** maximum of columns in the rough regression; a config may have thousands of options */
const MAX_COLUMNS = 150

interface Column {
  field: Field
  /** by sale; undefined where it is missing */
  x: (number | undefined)[]
}

/** Directions of all fields that are not `up`. */
export function fitDirections(config: FormConfig, sales: readonly Observed[]): Map<string, Direction> {
  const found = new Map<string, Direction>()
  const priced = config.fields.filter(isPriced)
  if (sales.length < MIN_SALES || priced.length === 0) return found
  const columns = priced.map((field) => columnOf(config, field, sales))
  const { slopes, errors, residual, spread } = roughFit(config, columns, sales)
  for (const [k, { field, x }] of columns.entries()) {
    if (isList(field)) continue
    const slope = slopes[k] ?? 0
    const partial = residual.map((r, i) => r + slope * (x[i] ?? 0.5))
    if (field.type === 'select' || field.type === 'cascader') {
      const direction = directionOfChoice(config, field, sales, partial, spread)
      if (direction !== 'up') found.set(field.key, direction)
    } else if (slope < -SIGNIFICANCE * (errors[k] ?? 1) && fallsAlone(x, sales)) found.set(field.key, 'down')
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
    const rank = (value: number) => (countBelow(seen, value) + countUpTo(seen, value)) / 2 / Math.max(1, seen.length)
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
function roughFit(config: FormConfig, columns: readonly Column[], sales: readonly Observed[]) {
  const regressors: ((i: number) => number)[] = columns.map(
    ({ x }) =>
      (i) =>
        x[i] ?? 0.5,
  )
  for (const { x } of columns) if (x.includes(undefined)) regressors.push((i) => (x[i] === undefined ? 1 : 0))
  for (const field of config.fields.filter(isFactor)) {
    for (const option of ranksOf(config, field).slice(0, 30))
      regressors.push((i) => (answerKey(answerOf(sales[i]?.attributes ?? {}, field.key)) === option ? 1 : 0))
  }
  regressors.length = Math.min(regressors.length, MAX_COLUMNS)
  const first = Math.min(...sales.map(({ at }) => at))
  const rows = sales.map((sale, i) => [
    1,
    ...regressors.map((mark) => mark(i)),
    (sale.at - first) / 3e10,
    sale.kind === 'ASKING' ? 1 : 0,
  ])
  const y = sales.map((sale) => sale.logPrice)
  const trust = weightsOf(sales)
  let weights = trust
  let beta: number[] = []
  let residual = y
  let spread = 1
  let inverseGram = Matrix.zeros(1, 1)
  for (let round = 0; round < 3; round++) {
    ;({ beta, inverseGram } = leastSquares(rows, y, weights))
    residual = y.map((value, i) => value - sum((rows[i] ?? []).map((x, k) => x * (beta[k] ?? 0))))
    spread = robustSpread(residual, trust)
    weights = residual.map((r, i) => (trust[i] ?? 1) * biweight(r, spread))
  }
  const errors = columns.map((_, k) => spread * Math.sqrt(Math.max(0, inverseGram.get(k + 1, k + 1))))
  return { slopes: beta.slice(1), errors, residual, spread }
}

function leastSquares(rows: readonly (readonly number[])[], y: readonly number[], weights: readonly number[]) {
  const p = rows[0]?.length ?? 0
  const products = new Float64Array(p * p)
  const right = new Array<number>(p).fill(0)
  for (const [i, row] of rows.entries()) {
    const w = weights[i] ?? 0
    for (let a = 0; a < p; a++) {
      const wx = w * (row[a] ?? 0)
      if (wx === 0) continue
      right[a] = (right[a] ?? 0) + wx * (y[i] ?? 0)
      for (let b = a; b < p; b++) products[a * p + b] = (products[a * p + b] ?? 0) + wx * (row[b] ?? 0)
    }
  }
  const gram = Matrix.eye(p, p, 1e-3)
  for (let a = 0; a < p; a++)
    for (let b = 0; b < p; b++) gram.set(a, b, gram.get(a, b) + (products[Math.min(a, b) * p + Math.max(a, b)] ?? 0))
  const inverseGram = inverse(gram)
  return { beta: inverseGram.mmul(Matrix.columnVector(right)).to1DArray(), inverseGram }
}

/** The rank correlation with the price alone, without other fields, is significantly negative too. */
function fallsAlone(x: readonly (number | undefined)[], sales: readonly Observed[]): boolean {
  const pairs = x.flatMap((value, i) =>
    value === undefined ? [] : [{ value, log: sales[i]?.logPrice ?? 0, weight: sales[i]?.weight ?? 1 }],
  )
  const order = [...pairs].sort((a, b) => a.log - b.log)
  const weights = order.map(({ weight }) => weight)
  const n = sum(weights)
  const mean = weightedMean(
    order.map(({ value }) => value),
    weights,
  )
  let [below, cross] = [0, 0]
  for (const { value, weight } of order) {
    cross += weight * (value - mean) * (below / n - 0.5)
    below += weight
  }
  const scale = Math.sqrt(sum(order.map(({ value, weight }) => weight * (value - mean) ** 2)) * (n / 12))
  return scale > 0 && cross / scale < -SIGNIFICANCE / 2 / Math.sqrt(n)
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
  const off = sum(pooled(groups).flatMap(({ mean, groups: own }) => own.map((one) => one.n * (one.mean - mean) ** 2)))
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
