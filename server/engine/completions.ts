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
import { applyHedonic, type HedonicValue, hedonicValueOf, isUnanswered } from './hedonic'
import { countBelow, sum } from './numbers'
import type { PackedSales } from './similarity'
import { combined } from './stack'
import type { Hedonic, Model } from './types'

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
  logAt(share: number): number
}

/** Fields of the formula that the form asks for and the account leaves open. */
export function openFields({ hedonic }: Model, config: FormConfig, account: Answers): number[] {
  const asked = new Set(visibleFields(config, account).map(({ key }) => key))
  return hedonic.fields.flatMap((code, f) => (asked.has(code.key) && scoreIn(account, code) === undefined ? [f] : []))
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
  const openFactors = hedonic.factors.filter((factor) => isUnanswered(factor, answerOf(account, factor.key)))
  const upside = sum(openFactors.map(({ effects, worst }) => Math.max(worst, ...effects) - worst))
  const rest = { open: [...open], leastLog, upside }
  if (open.length === 0) return { ...rest, value: own, log: leastLog, usual: [], logAt: () => leastLog }
  const donors = sharesFor(donorsOf(hedonic, packed, open), Math.log(own.index), skipped)
  /** by the mean of the completions between two shares */
  const valueBetween = (low: number, high: number): HedonicValue => {
    const [contributions, interactions] = [[...own.contributions], [...own.interactions]]
    for (const f of open) {
      const part = meanBetween(donors, low, high, (row) => packed.contributions[row * packed.width + f] ?? 0)
      const { interaction = 0, scale = 1, power = 1 } = hedonic.fields[f] ?? {}
      contributions[f] = part
      interactions[f] = interaction * Math.log1p((part / scale) ** (1 / power))
    }
    return hedonicValueOf(hedonic, { contributions, interactions, factors: own.factors })
  }
  const known = new Map<number, number>()
  const logAt = (share: number): number => {
    const found = known.get(share)
    if (found !== undefined) return found
    const [low, high] = [share - WINDOW, share + WINDOW]
    const { logValue } = valueBetween(low, high)
    const place = stack.trees
      ? pointWith(model, point, open, (partOf) => meanBetween(donors, low, high, partOf))
      : point
    // no answer is worth less than none, so that answering with nothing does not lower the price
    const log = Math.max(leastLog, combined(stack, logValue, logValue, place))
    known.set(share, log)
    return log
  }
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
const donorsByOpen = new WeakMap<PackedSales, Map<string, Donors>>()
const MAX_KEPT = 100

function donorsOf({ base }: Hedonic, packed: PackedSales, open: readonly number[]): Donors {
  const kept = donorsByOpen.get(packed) ?? new Map<string, Donors>()
  donorsByOpen.set(packed, kept)
  const found = kept.get(open.join())
  if (found) return found
  const { n, width, contributions, index, weight } = packed
  const first = Math.max(0, n - MAX_DONORS)
  const worth = Float64Array.from({ length: n - first }, (_, k) =>
    sum(open.map((f) => contributions[(first + k) * width + f] ?? 0)),
  )
  const order = Uint32Array.from(worth.keys()).sort((a, b) => (worth[a] ?? 0) - (worth[b] ?? 0))
  const rows = order.map((k) => first + k)
  const logRests = Float64Array.from(order, (k) => Math.log(Math.max(base, (index[first + k] ?? 0) - (worth[k] ?? 0))))
  const donors = { rows, logRests, trust: Float64Array.from(rows, (row) => Math.max(1e-3, weight[row] ?? 1)) }
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(open.join(), donors)
  return donors
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

/** The features of the account, those of open fields as the mean of the sales that complete it. */
function pointWith(
  model: Model,
  point: Point,
  open: readonly number[],
  mean: (partOf: (row: number) => number) => number,
): Point {
  const { hedonic, sales } = model
  const known = featuresBySale.get(model) ?? new Map<number, Float64Array>()
  featuresBySale.set(model, known)
  const featuresOf = (row: number) => {
    const found = known.get(row) ?? featureVector(hedonic, sales[row]?.attributes ?? {}, 'average').x
    known.set(row, found)
    return found
  }
  const filled: Point = { x: point.x.slice(), unanswered: point.unanswered.slice() }
  const columns = columnsOf(hedonic)
  for (const f of open) {
    const { first, count } = columns[f] ?? { first: 0, count: 0 }
    for (let place = first; place < first + count; place++) {
      filled.x[place] = mean((row) => featuresOf(row)[place] ?? Number.NaN)
      filled.unanswered[place] = 0
    }
  }
  return filled
}
