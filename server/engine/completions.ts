/**
 * What is left open in an account is taken as it is usual: as in sales whose answers to the same questions are worth as much (hot-deck
 * imputation, Andridge and Little 2010). Each of them completes the account once; the prices of these completions give the
 * usual level and how far the account may be from it. Multipliers without an answer are not completed: they count as the worst.
 */
import { visibleFields } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { answerOf, scoreIn } from './encode'
import { columnsOf, featureVector } from './features'
import type { Point } from './gradient-boosting'
import { applyHedonic, type HedonicValue, isUnanswered } from './hedonic'
import { sum } from './numbers'
import type { PackedSales } from './similarity'
import { combined } from './stack'
import type { Model } from './types'

/** the newest sales complete an account, with weights that fall with the log ratio of what is answered */
const MAX_DONORS = 1_500
const BANDWIDTH = 0.15
/** a percentile is the mean of the completions within this share of the weights around it */
const WINDOW = 0.1

/** An account with the usual answers in place of those left open. */
export interface Completed {
  /** it is the record of a sale, of which nothing is assumed */
  isRecord?: boolean
  /** indices of the open fields in the formula */
  open: number[]
  /** position among the sales: the mean of the completions */
  value: HedonicValue
  /** log value before comparables */
  log: number
  /** log value with the open fields counted as nothing */
  leastLog: number
  /** what the best answers to the multipliers without one would add (log): they count as the worst */
  upside: number
  /** what the usual answer to each open field adds to the index */
  usual: number[]
  /** log value at a share of the completions */
  at(share: number): number
}

/** Fields of the formula that the form asks for and the account leaves open. */
export function openFields({ hedonic }: Model, config: FormConfig, account: Answers): number[] {
  const asked = new Set(visibleFields(config, account).map(({ key }) => key))
  return hedonic.fields.flatMap((code, f) => (asked.has(code.key) && scoreIn(account, code) === undefined ? [f] : []))
}

/** The account in the record of a sale: what it lacks is no property of the account and is not completed. */
export function recorded({ hedonic, stack }: Model, record: Answers): Completed {
  const value = applyHedonic(hedonic, record, 'average')
  const point = featureVector(hedonic, hedonic, record, 'average')
  const log = combined(stack, value.logValue, value.logValue, point)
  return { isRecord: true, open: [], value, log, leastLog: log, upside: 0, usual: [], at: () => log }
}

/** @param skipped index of a sale that completes nothing: the account itself, in calibration */
export function completed(
  model: Model,
  packed: PackedSales,
  account: Answers,
  open: readonly number[],
  skipped?: number,
): Completed {
  const { hedonic, stack } = model
  const own = applyHedonic(hedonic, account, 'worst')
  const point = featureVector(hedonic, hedonic, account, 'worst')
  const leastLog = combined(stack, own.logValue, own.logValue, point)
  const openFactors = hedonic.factors.filter((factor) => isUnanswered(factor, answerOf(account, factor.key)))
  const upside = sum(openFactors.map(({ effects, worst }) => Math.max(worst, ...effects) - worst))
  const rest = { open: [...open], leastLog, upside }
  if (open.length === 0) return { ...rest, value: own, log: leastLog, usual: [], at: () => leastLog }
  const completions = completionsOf(model, packed, own, open, skipped)
  const filled = (weights: readonly number[]): HedonicValue => {
    const whole = sum(weights)
    const contributions = [...own.contributions]
    for (const f of open) {
      const parts = completions.map(
        ({ row }, k) => (weights[k] ?? 0) * (packed.contributions[row * packed.width + f] ?? 0),
      )
      contributions[f] = whole > 0 ? sum(parts) / whole : 0
    }
    return completedBy(model, own, open, contributions)
  }
  const known = new Map<number, number>()
  const at = (share: number): number => {
    const found = known.get(share)
    if (found !== undefined) return found
    const weights = completions.map(({ from, to }) => overlap(from, to, share - WINDOW, share + WINDOW))
    const { logValue } = filled(weights)
    const rows = completions.map(({ row }) => row)
    const place = stack.trees ? pointWith(model, point, open, rows, weights) : point
    // no answer is worth less than none, so that answering with nothing does not lower the price
    const log = Math.max(leastLog, combined(stack, logValue, logValue, place))
    known.set(share, log)
    return log
  }
  const value = filled(completions.map(({ from, to }) => to - from))
  return {
    ...rest,
    value,
    log: at(model.conformal.accounts.level),
    usual: open.map((f) => value.contributions[f] ?? 0),
    at,
  }
}

const overlap = (from: number, to: number, low: number, high: number): number =>
  Math.max(0, Math.min(to, high) - Math.max(from, low))

/** The account's value when the open fields contribute as much to the index. */
function completedBy(
  { hedonic }: Model,
  own: HedonicValue,
  open: readonly number[],
  contributions: number[],
): HedonicValue {
  const interactions = [...own.interactions]
  for (const f of open) {
    const code = hedonic.fields[f]
    const score = code ? ((contributions[f] ?? 0) / code.scale) ** (1 / code.power) : 0
    interactions[f] = (code?.interaction ?? 0) * Math.log1p(score)
  }
  const index = hedonic.base + sum(contributions)
  const logTerms = sum(interactions) + sum(own.factors.map(({ effect }) => effect))
  const logValue = hedonic.scale + hedonic.level + hedonic.power * Math.log(index) + logTerms
  return { ...own, contributions, interactions, index, logTerms, logValue }
}

/** A sale that completes the account, and its part of all weights in the order of what the open fields are worth in it. */
interface Completion {
  row: number
  from: number
  to: number
}

/**
 * Sales by what their answers to the open fields are worth. Their weights depend on the account only by the total of what it answers and change
 * smoothly with it, so that a better answer hardly ever exchanges its completions for poorer ones.
 */
function completionsOf(
  { hedonic }: Model,
  { n, width, contributions, weight }: PackedSales,
  own: HedonicValue,
  open: readonly number[],
  skipped: number | undefined,
): Completion[] {
  const isOpen = own.contributions.map((_, f) => open.includes(f))
  const answered = hedonic.base + sum(own.contributions.filter((_, f) => !isOpen[f]))
  const first = Math.max(0, n - MAX_DONORS)
  const donors = Array.from({ length: n - first }, (_, k) => {
    const row = first + k
    let [there, worth] = [hedonic.base, 0]
    for (let f = 0; f < width; f++) {
      const part = contributions[row * width + f] ?? 0
      if (isOpen[f]) worth += part
      else there += part
    }
    return { row, worth, apart: Math.abs(Math.log(there / answered)) }
  }).filter(({ row }) => row !== skipped)
  const nearest = donors.reduce((least, { apart }) => Math.min(least, apart), Number.POSITIVE_INFINITY)
  const weights = donors.map(
    ({ row, apart }) => Math.exp((nearest - apart) / BANDWIDTH) * Math.max(1e-3, weight[row] ?? 1),
  )
  const whole = sum(weights)
  let below = 0
  return [...donors.keys()]
    .sort((a, b) => (donors[a]?.worth ?? 0) - (donors[b]?.worth ?? 0))
    .map((k) => {
      const from = below
      below += (weights[k] ?? 0) / whole
      return { row: donors[k]?.row ?? 0, from, to: below }
    })
}

const featuresBySale = new WeakMap<Model, Map<number, Float64Array>>()

/** The features of the account, those of open fields as the mean of the sales that complete it. */
function pointWith(
  model: Model,
  point: Point,
  open: readonly number[],
  rows: readonly number[],
  weights: readonly number[],
): Point {
  const { hedonic, sales } = model
  const known = featuresBySale.get(model) ?? new Map<number, Float64Array>()
  featuresBySale.set(model, known)
  const featuresOf = (row: number) => {
    const found = known.get(row) ?? featureVector(hedonic, hedonic, sales[row]?.attributes ?? {}, 'average').x
    known.set(row, found)
    return found
  }
  const columns = columnsOf(hedonic)
  const places = open.flatMap((f) => {
    const { first, count } = columns[f] ?? { first: 0, count: 0 }
    return Array.from({ length: count }, (_, k) => first + k)
  })
  const totals = places.map(() => ({ weight: 0, total: 0 }))
  for (const [k, row] of rows.entries()) {
    const weight = weights[k] ?? 0
    if (weight === 0) continue
    const x = featuresOf(row)
    for (const [p, place] of places.entries()) {
      const [own, value = Number.NaN] = [totals[p], x[place]]
      if (!own || Number.isNaN(value)) continue
      own.weight += weight
      own.total += weight * value
    }
  }
  const filled: Point = { x: point.x.slice(), unanswered: point.unanswered.slice() }
  for (const [p, place] of places.entries()) {
    const { weight, total } = totals[p] ?? { weight: 0, total: 0 }
    filled.x[place] = weight > 0 ? total / weight : Number.NaN
    filled.unanswered[place] = 0
  }
  return filled
}
