/** The price interval: split conformal prediction on held-out log residuals, normalised by their expected size. */
import { hatBasis } from './hedonic'
import { clamp, mean, quantile, sum } from './numbers'
import { MAX_LOSS } from './rolling-origin'
import type { Conformal } from './types'

/** One held-out sale and its residual. */
export interface HeldOut {
  /** its place among the sales */
  row: number
  residual: number
  /** of the sale */
  weight: number
  /** predicted log price: errors may be larger or smaller for cheap accounts than for expensive ones */
  logPrice: number
}

const COVERAGE = 0.8
/** shrinkage of the median error towards 0: with this many sales it counts half */
const BIAS_SHRINKAGE = 250
/** groups of the estimated price with their own size; with this many sales a group's own size counts half */
const GROUPS = 4
const GROUP_SHRINKAGE = 20
const GROUP_ROUNDS = 4
const MAX_LOG_FACTOR = 2
/** minimum of held-out sales for sizes by group */
const MIN_HELD_OUT_FOR_GROUPS = 100
const MIN_SIZE = 0.01
/** with fewer held-out sales the quantiles are too noisy, and a wide fixed interval is used */
const MIN_HELD_OUT = 20
const FALLBACK: Conformal = {
  coverage: COVERAGE,
  bias: 0,
  p10: -1.28,
  p25: -0.67,
  p75: 0.67,
  p90: 1.28,
  size: Math.log(0.4),
  accounts: { level: 0.5, error: { down: 1, up: 1 }, gaps: [] },
  levels: { logPrices: [0], logFactors: [0] },
  n: 0,
}

/**
 * Turns residuals into those of a model of all sales, which knows more than one that holds sales out. By Akaike's final prediction error
 * (1970), p parameters make the squared error σ²(1 − p/n) on the n sales learned from and σ²(1 + p/n) on others; both kinds
 * of errors are known here, and p/n follows.
 * @param known residuals of the held-out sales by the model of all @param share of the sales from which the others learned
 */
export function errorsOfAll(heldOut: readonly HeldOut[], known: readonly number[], share: number) {
  const errorOf = (residuals: readonly number[]) =>
    sum(heldOut.map(({ weight }, i) => weight * Math.min(MAX_LOSS, Math.abs(residuals[i] ?? 0))))
  const ratio = (errorOf(heldOut.map(({ residual }) => residual)) / Math.max(1e-9, errorOf(known))) ** 2
  const parameters = Math.max(0, (ratio - 1) / (ratio + 1 / share))
  return (own: readonly HeldOut[], learned: number): HeldOut[] => {
    const factor = Math.sqrt((1 + parameters) / (1 + parameters / learned))
    return own.map((sale) => ({ ...sale, residual: factor * sale.residual }))
  }
}

/**
 * Weighted quantiles with the finite-sample correction of split conformal: the outer ones move outwards by one rank.
 */
export function calibrate(heldOut: readonly HeldOut[]): Conformal {
  if (heldOut.length < MIN_HELD_OUT) return { ...FALLBACK, n: heldOut.length }
  const residuals = heldOut.map(({ residual }) => residual)
  const weights = heldOut.map(({ weight }) => weight)
  const n = sum(weights)
  const bias = (quantile(residuals, 0.5, weights) * n) / (n + BIAS_SHRINKAGE)
  const errors = residuals.map((residual) => Math.abs(residual - bias))
  const size = Math.log(Math.max(MIN_SIZE, quantile(errors, COVERAGE, weights)))
  const levels = levelsFor(heldOut, errors, size)
  const scores = heldOut.map((sale) => (sale.residual - bias) / expectedSizeOf({ size, levels }, sale.logPrice))
  const outer = Math.min(1, ((1 + COVERAGE) / 2) * (1 + 1 / heldOut.length))
  return {
    coverage: COVERAGE,
    bias,
    p10: -quantile(
      scores.map((score) => -score),
      outer,
      weights,
    ),
    p25: quantile(scores, 0.25, weights),
    p75: quantile(scores, 0.75, weights),
    p90: quantile(scores, outer, weights),
    size,
    accounts: FALLBACK.accounts,
    levels,
    n: heldOut.length,
  }
}

/** step of the tracked ends, and what their movement is by chance (log), times the root of the number of sales */
const TRACKING_STEP = 0.05
const TRACKING_NOISE = 1.25
const MAX_TRACKED = Math.log(2.5)

/**
 * The ends moved outwards to where they would have covered the last sales (adaptive conformal inference, Gibbs and Candès 2021, by
 * the quantile instead of its level): after each sale an end moves outwards if the price was beyond it and inwards if not,
 * so that in the long run a tenth is beyond each. Random folds cannot show that prices drift, and their ranges then are too
 * narrow; inwards an end moves because the model of the past lags behind, which that of all sales does less. The mean over the
 * later half counts as far as it exceeds chance.
 * @param later sales in order of time, with the residuals of a model that knows earlier sales only
 */
export function followed(conformal: Conformal, later: readonly HeldOut[]): Conformal {
  const beyond = (1 - COVERAGE) / 2
  const factorOf = (end: number) => {
    let log = 0
    const path = later.map((sale) => {
      const score = (sale.residual - conformal.bias) / expectedSizeOf(conformal, sale.logPrice)
      const isBeyond = end > 0 ? score > end * Math.exp(log) : score < end * Math.exp(log)
      log = clamp(log + TRACKING_STEP * ((isBeyond ? 1 : 0) - beyond), -MAX_TRACKED, MAX_TRACKED)
      return log
    })
    const moved = mean(path.slice(Math.floor(path.length / 2)))
    return Math.exp(Math.max(0, moved - TRACKING_NOISE / Math.sqrt(later.length)))
  }
  if (conformal.p10 >= 0 || conformal.p90 <= 0) return conformal
  const [low, high] = [factorOf(conformal.p10), factorOf(conformal.p90)]
  const { p10, p25, p75, p90 } = conformal
  return { ...conformal, p10: low * p10, p25: low * p25, p75: high * p75, p90: high * p90 }
}

/**
 * Group-conditional (Mondrian) calibration: the size of the errors in each quarter of the estimated price relative to
 * all, shrunk towards 1, so that cheap and expensive accounts are covered as often as the others (Vovk et al. 2003).
 */
function levelsFor(
  heldOut: readonly HeldOut[],
  errors: readonly number[],
  size: Conformal['size'],
): Conformal['levels'] {
  if (heldOut.length < MIN_HELD_OUT_FOR_GROUPS) return FALLBACK.levels
  const logPricesOf = (rows: readonly number[]) => rows.map((i) => heldOut[i]?.logPrice ?? 0)
  const weightsOf = (rows: readonly number[]) => rows.map((i) => heldOut[i]?.weight ?? 1)
  const order = [...heldOut.keys()].sort((a, b) => (heldOut[a]?.logPrice ?? 0) - (heldOut[b]?.logPrice ?? 0))
  const all = sum(weightsOf(order))
  const groups: number[][] = Array.from({ length: GROUPS }, () => [])
  let below = 0
  for (const i of order) {
    groups[Math.min(GROUPS - 1, Math.floor((GROUPS * below) / all))]?.push(i)
    below += heldOut[i]?.weight ?? 1
  }
  const logPrices = groups.map((rows) => quantile(logPricesOf(rows), 0.5, weightsOf(rows)))
  let logFactors = groups.map(() => 0)
  // factors are interpolated between groups, so that those of one depend on the others'
  for (let round = 0; round < GROUP_ROUNDS; round++) {
    const levels = { logPrices, logFactors }
    const scores = heldOut.map((sale, i) => (errors[i] ?? 0) / expectedSizeOf({ size, levels }, sale.logPrice))
    logFactors = groups.map((rows, k) => {
      const own = quantile(
        rows.map((i) => scores[i] ?? 0),
        COVERAGE,
        weightsOf(rows),
      )
      return clamp((logFactors[k] ?? 0) + Math.log(Math.max(MIN_SIZE, own)), -MAX_LOG_FACTOR, MAX_LOG_FACTOR)
    })
  }
  return {
    logPrices,
    logFactors: logFactors.map((factor, k) => {
      const n = sum(weightsOf(groups[k] ?? []))
      return (factor * n) / (n + GROUP_SHRINKAGE)
    }),
  }
}

/** Expected size of the log error at an estimated log price. */
export function expectedSizeOf({ size, levels }: Pick<Conformal, 'size' | 'levels'>, logPrice: number): number {
  return Math.exp(
    size + sum(hatBasis(levels.logPrices, logPrice).map(({ index, x }) => x * (levels.logFactors[index] ?? 0))),
  )
}

/** What an end of a range depends on besides its quantile. */
export interface Estimated {
  /** log price without market */
  logPrice: number
  /** number of open fields; undefined for the record of a sale, where they are missing */
  open: number | undefined
  /** log distance to the outer completions, and what open multipliers may add */
  gap: number
}

/**
 * Log price of an end. Between the price levels it is linear and never falls, so that a dearer account has no lower end. What is
 * not known of an account is added to the usual error as independent, and a factor makes up for what that misses.
 * @param score quantile of the error in expected sizes
 */
export function endOf(conformal: Conformal, score: number, { logPrice, open, gap }: Estimated): number {
  const { levels, accounts } = conformal
  const side = score < 0 ? 'down' : 'up'
  const usual = open === undefined ? 1 : accounts.error[side]
  const ends = levels.logPrices.map((level) => level + usual * score * expectedSizeOf(conformal, level))
  if (score < 0) for (let k = 1; k < ends.length; k++) ends[k] = Math.max(ends[k] ?? 0, ends[k - 1] ?? 0)
  else for (let k = ends.length - 2; k >= 0; k--) ends[k] = Math.min(ends[k] ?? 0, ends[k + 1] ?? 0)
  const inside = clamp(logPrice, levels.logPrices[0] ?? 0, levels.logPrices.at(-1) ?? 0)
  const error = sum(hatBasis(levels.logPrices, inside).map(({ index, x }) => x * (ends[index] ?? 0))) - inside
  const counts = accounts.gaps.map((group) => group.open)
  const factor =
    counts.length === 0 || !open
      ? 1
      : sum(hatBasis(counts, open).map(({ index, x }) => x * (accounts.gaps[index]?.[side] ?? 1)))
  return logPrice + Math.sign(score) * factor * Math.hypot(error, gap)
}

/** The lowest level with the ratio wanted, linear between the candidates, so that a few more sales do not make it jump. */
function levelFor(ratioAt: (level: number) => number): number {
  const ratios = LEVELS.map(ratioAt)
  const first = ratios.findIndex((ratio) => ratio >= LEAST_RATIO)
  const [below = 0, above = 0] = [ratios[first - 1], ratios[first]]
  if (first <= 0) return LEVELS.at(first) ?? 0.5
  const way = (LEAST_RATIO - below) / (above - below)
  return (LEVELS[first - 1] ?? 0.5) + way * ((LEVELS[first] ?? 0.5) - (LEVELS[first - 1] ?? 0.5))
}

/** A complete account, or the same with answers hidden on purpose. */
export interface Hidden {
  /** number of open fields, and whether all are open that may be */
  open: number
  isLeast: boolean
  weight: number
  /** log price, and its estimate at a share of the completions */
  log: number
  logAt(share: number): number
  /** what open multipliers may add (log) */
  upside: number
  /** the ends of a record's error (log) */
  low: number
  high: number
}

/** groups of open fields, each number of answers that training hides in its own, and the least number of accounts in one */
const OPEN_GROUPS = [1, 2, 3, 5]
const MIN_HIDDEN = 40
/** candidates of the level, and the least median of estimate ÷ price where only what must be answered is */
const LEVELS = [0.1, 0.2, 0.3, 0.4, 0.5]
const LEAST_RATIO = 0.8
/** number of complete accounts with which their own errors count half */
const COMPLETE_SHRINKAGE = 50

/**
 * The least factors with which each end leaves out a tenth of the prices: of complete accounts, whose errors are smaller than
 * those of records that lack something, and by number of open fields.
 */
export function accountsFor(hidden: readonly Hidden[]): Conformal['accounts'] {
  const quantileOf = (share: number) => (own: readonly Hidden[], of: (account: Hidden) => number) =>
    quantile(
      own.map(of),
      share,
      own.map(({ weight }) => weight),
    )
  const [middle, tenth] = [quantileOf(0.5), quantileOf((1 + COVERAGE) / 2)]
  const least = hidden.filter(({ isLeast, open }) => isLeast && open > 0)
  const level =
    least.length > 0 ? levelFor((share) => Math.exp(-middle(least, ({ log, logAt }) => log - logAt(share)))) : 0.5
  const residualOf = ({ log, logAt }: Hidden) => log - logAt(level)
  // upwards an end is composed of the error and what open multipliers may add
  const errorUp = (account: Hidden) => {
    const residual = residualOf(account)
    return Math.sqrt(Math.max(0, residual * Math.abs(residual) - account.upside ** 2))
  }
  const complete = hidden.filter(({ open }) => open === 0)
  const shrunk = (factor: number) =>
    Math.max(MIN_SIZE, factor) ** (complete.length / (complete.length + COMPLETE_SHRINKAGE))
  const error = {
    down: shrunk(tenth(complete, (account) => residualOf(account) / account.low)),
    up: shrunk(tenth(complete, (account) => errorUp(account) / account.high)),
  }
  const gapDown = ({ logAt }: Hidden) => logAt(0.1) - logAt(level)
  const gapUp = ({ logAt, upside }: Hidden) => Math.max(0, logAt(0.9) - logAt(level)) + upside
  const gaps = OPEN_GROUPS.flatMap((from, k) => {
    const own = hidden.filter(({ open }) => open >= from && open < (OPEN_GROUPS[k + 1] ?? Number.POSITIVE_INFINITY))
    if (own.length < MIN_HIDDEN) return []
    return {
      open: mean(own.map(({ open }) => open)),
      down: tenth(own, (account) => -residualOf(account) / Math.hypot(error.down * account.low, gapDown(account))),
      up: tenth(own, (account) => residualOf(account) / Math.hypot(error.up * account.high, gapUp(account))),
    }
  })
  return { level, error, gaps }
}
