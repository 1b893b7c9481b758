/**
 * What is left open in an account is taken as it is usual: as in sales whose answers to the same questions are worth as much (hot-deck
 * imputation, Andridge and Little 2010). Each of them completes the account once; the prices of these completions give the
 * usual level and how far the account may be from it. Multipliers without an answer are not completed, except lists: they count as the worst.
 */
import { LRUCache } from 'lru-cache'
import { visibleFields } from '@/contract/form/answers'
import type { Answers, FormConfig } from '@/contract/form/types'
import { answerOf, isAnswered } from './encode'
import { columnsOf, featureVector } from './features'
import type { Point } from './gradient-boosting'
import { applyHedonic, basisOf, type HedonicValue, hedonicValueOf } from './hedonic'
import { countBelow, remembered, sum } from './numbers'
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
  /** indices of the open fields, and lists among the multipliers, in the formula: those of the index first */
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
  logAt(share: number): number
}

/** Fields of the formula that the form asks for, the account leaves open and sales complete. */
export function openFields({ hedonic }: Model, config: FormConfig, account: Answers): number[] {
  const asked = new Set(visibleFields(config, account).map(({ key }) => key))
  return [...hedonic.fields, ...hedonic.factors].flatMap((code, f) => {
    const answer = answerOf(account, code.key)
    const isOpen = 'scale' in code ? !isAnswered(code, answer) : code.kind === 'list' && !basisOf(code, answer)
    return isOpen && asked.has(code.key) ? [f] : []
  })
}

/** The account in the record of a sale: what it lacks is no property of the account and is not completed. */
export function recorded({ hedonic, stack }: Model, record: Answers): Completed {
  const value = applyHedonic(hedonic, record, 'average')
  const point = featureVector(hedonic, record, 'average')
  const log = combined(stack, value.logValue, value.logValue, point)
  return { isRecord: true, open: [], value, log, leastLog: log, upside: 0, usual: [], logAt: () => log }
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
  const point = featureVector(hedonic, account, 'worst')
  const leastLog = combined(stack, own.logValue, own.logValue, point)
  const openFactors = hedonic.factors.filter(
    (code) => code.kind !== 'list' && !basisOf(code, answerOf(account, code.key)),
  )
  const upside = sum(openFactors.map(({ effects, worst }) => Math.max(worst, ...effects) - worst))
  const rest = { open: [...open], leastLog, upside }
  if (open.length === 0) return { ...rest, value: own, log: leastLog, usual: [], logAt: () => leastLog }
  const donors = sharesFor(donorsOf(model, packed, open), Math.log(own.index), skipped)
  /** by the mean of the completions between two shares */
  const valueBetween = (low: number, high: number): HedonicValue => {
    const [contributions, interactions] = [[...own.contributions], [...own.interactions]]
    const factors = [...own.factors]
    for (const f of open) {
      const list = factors[f - hedonic.fields.length]
      if (list) {
        factors[f - hedonic.fields.length] = {
          ...list,
          effect: meanBetween(donors, low, high, effectsOf(model, f)) || 0,
        }
        continue
      }
      const part = meanBetween(donors, low, high, (row) => packed.contributions[row * packed.width + f] ?? 0)
      const { interaction = 0, scale = 1, power = 1 } = hedonic.fields[f] ?? {}
      contributions[f] = part
      interactions[f] = interaction * Math.log1p((part / scale) ** (1 / power))
    }
    return hedonicValueOf(hedonic, { contributions, interactions, factors })
  }
  const logIn = (share: number): number => {
    const [low, high] = [share - WINDOW, share + WINDOW]
    const { logValue } = valueBetween(low, high)
    const place = stack.trees
      ? pointWith(model, point, open, (partOf) => meanBetween(donors, low, high, partOf))
      : point
    const usual = combined(stack, logValue, logValue, place)
    // no answer to a field is worth less than none, so that answering with nothing does not lower the price
    return open.some((f) => f >= hedonic.fields.length) ? usual : Math.max(leastLog, usual)
  }
  const known = new Map<number, number>()
  const logAt = (share: number): number => remembered(known, share, () => logIn(share))
  const value = valueBetween(0, 1)
  return {
    ...rest,
    value,
    log: logAt(model.conformal.accounts.level),
    usual: open.map((f) => value.contributions[f] ?? 0),
    logAt,
  }
}

/** Sales in the order of what the open fields are worth in them. */
interface Donors {
  rows: Uint32Array
  /** log of what the other fields are worth */
  logRests: Float64Array
  trust: Float64Array
}

/** by the open fields: training hides the same ones in hundreds of accounts */
const donorsByOpen = new WeakMap<PackedSales, LRUCache<string, Donors>>()
const MAX_KEPT = 100

function donorsOf(model: Model, packed: PackedSales, open: readonly number[]): Donors {
  const kept = remembered(donorsByOpen, packed, () => new LRUCache<string, Donors>({ max: MAX_KEPT }))
  return remembered<string, Donors>(kept, open.join(), () => donorsFor(model, packed, open))
}

function donorsFor(model: Model, packed: PackedSales, open: readonly number[]): Donors {
  const { n, width, contributions, index, weight } = packed
  const first = Math.max(0, n - MAX_DONORS)
  const { base, power } = model.hedonic
  const worth = Float64Array.from({ length: n - first }, (_, k) =>
    sum(open.map((f) => (f < width ? (contributions[(first + k) * width + f] ?? 0) : 0))),
  )
  const effects = open.filter((f) => f >= width).map((f) => effectsOf(model, f))
  const all = worth.map((part, k) => {
    const log = sum(effects.map((effectIn) => effectIn(first + k) || 0))
    return part + ((index[first + k] ?? 0) * log) / power
  })
  const order = Uint32Array.from(all.keys()).sort((a, b) => (all[a] ?? 0) - (all[b] ?? 0))
  const rows = order.map((k) => first + k)
  const logRests = Float64Array.from(order, (k) => Math.log(Math.max(base, (index[first + k] ?? 0) - (worth[k] ?? 0))))
  return { rows, logRests, trust: Float64Array.from(rows, (row) => Math.max(1e-3, weight[row] ?? 1)) }
}

/** Sales in that order, and the share of all weights up to each of them. */
interface Shares extends Pick<Donors, 'rows'> {
  shares: Float64Array
}

/**
 * The weights of the sales for an account. They depend on it only by the total of what it answers and change smoothly with it, so
 * that a better answer hardly ever exchanges its completions for poorer ones.
 */
function sharesFor({ rows, logRests, trust }: Donors, logAnswered: number, skipped: number | undefined): Shares {
  const apart = logRests.map((logRest, k) =>
    rows[k] === skipped ? Number.POSITIVE_INFINITY : Math.abs(logRest - logAnswered),
  )
  const nearest = apart.reduce((least, distance) => Math.min(least, distance), Number.POSITIVE_INFINITY)
  let below = 0
  const shares = apart.map((distance, k) => {
    below += Math.exp((nearest - distance) / BANDWIDTH) * (trust[k] ?? 1)
    return below
  })
  return { rows, shares: shares.map((share) => share / below) }
}

/** Mean of what the sales between two shares of the weights have; NaN for none. */
function meanBetween({ rows, shares }: Shares, low: number, high: number, partOf: (row: number) => number): number {
  let [total, weight] = [0, 0]
  for (let k = countBelow(shares, low); k < rows.length; k++) {
    const from = k > 0 ? (shares[k - 1] ?? 0) : 0
    if (from >= high) break
    const value = partOf(rows[k] ?? 0)
    if (Number.isNaN(value)) continue
    const own = Math.min(high, shares[k] ?? 1) - Math.max(low, from)
    total += own * value
    weight += own
  }
  return total / weight
}

const featuresBySale = new WeakMap<Model, Map<number, Float64Array>>()

/** Features of a sale, computed once. */
function featuresOf(model: Model, row: number): Float64Array {
  const known = remembered(featuresBySale, model, () => new Map<number, Float64Array>())
  return remembered(known, row, () => featureVector(model.hedonic, model.sales[row]?.attributes ?? {}, 'average').x)
}

/** Log effects of a list in the sales, which are its first feature; NaN where they lack it. */
function effectsOf(model: Model, f: number): (row: number) => number {
  const { first = 0 } = columnsOf(model.hedonic)[f] ?? {}
  return (row) => featuresOf(model, row)[first] ?? Number.NaN
}

/** The features of the account, those of open fields as the mean of the sales that complete it. */
function pointWith(
  model: Model,
  point: Point,
  open: readonly number[],
  mean: (partOf: (row: number) => number) => number,
): Point {
  const filled: Point = { x: point.x.slice(), unanswered: point.unanswered.slice() }
  const columns = columnsOf(model.hedonic)
  for (const f of open) {
    const { first, count } = columns[f] ?? { first: 0, count: 0 }
    for (let place = first; place < first + count; place++) {
      filled.x[place] = mean((row) => featuresOf(model, row)[place] ?? Number.NaN)
      filled.unanswered[place] = 0
    }
  }
  return filled
}
