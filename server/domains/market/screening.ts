/**
 * Screens incoming sales against the market: implausible single prices, and sources whose prices are shifted as a whole
 * (for example because a partner reports asking prices as sold), at one price level, or spread too widely.
 */
import { percentOfLog, quantile, robustSpread, winsorisedMean } from '../../engine/numbers'
import type { ExpectedPrice } from './expected-price'

/** A price this many times above or below the expectation has a wrong unit or currency, and is refused. */
const WRONG_UNIT = 30
/** A price this many times off is possible, but waits for a decision. */
const HOLD_AT_RATIO = 5
/**
 * Standard deviations beyond which a price waits too: records with many missing answers may differ by more than `HOLD_AT_RATIO`.
 */
const DEVIATIONS = 5

/** As stored with a sale. */
export const roundedResidual = ({ residual }: ExpectedPrice): number => Math.round(residual * 1e4) / 1e4

export type ScreeningResult = 'USUAL' | 'OUTLIER' | { refused: string }

/** Screens one sale by its distance from the expectation. */
export function screenSale({ residual, spread }: ExpectedPrice): ScreeningResult {
  const distance = Math.abs(residual)
  if (distance > Math.log(WRONG_UNIT)) {
    const times = Math.round(Math.exp(distance))
    return { refused: `priceFen 与同类账号的成交价相差约 ${times} 倍，请核对单位（分）与币种` }
  }
  return distance > Math.max(Math.log(HOLD_AT_RATIO), DEVIATIONS * spread) ? 'OUTLIER' : 'USUAL'
}

/** Fewer sales do not show whether a source is shifted. */
const MIN_FOR_SHIFT = 20
/** Number of a source's newest sales that are compared with the market. */
export const SHIFT_WINDOW_SALES = 300
/** Shifts below this (log) are tolerated: sources differ, and the market moves between trainings. */
const TOLERATED = 0.06
/** A shift downwards is tolerated farther: no usual mistake causes a small one, and platforms with higher fees sell for less. */
const TOLERATED_DOWN = 0.16
/** Standard errors that a shift must exceed. */
const SIGNIFICANT = 3

/** Number of the newest among them that are also compared alone: a partner that was honest may begin to send others. */
const NEWEST_SALES = 50

/** Quarters of a source's sales by expected price, each compared alone: one may be raised and the others lowered. */
const LEVELS = 4
/**
 * A quarter may lie farther from the market than the whole source: the formula itself is less exact at one price level. Four
 * are tested again with every call, so each needs more sales and must exceed chance by more.
 */
const LEVEL = { sales: 30, tolerated: 0.12, significant: 4 } as const
/** Sales from which the spread of a source's prices is compared, and how many times that of the market it may be. */
const SPREAD = { sales: 60, times: 3 } as const

/** A sold price of a source, compared with the market. */
export interface ComparedPrice {
  /** log of the price over the expectation */
  residual: number
  /** log of the expected price */
  level: number
  /** expected size of the residual */
  spread: number
}

/** How the prices of a source differ from the market: all of them, those of a quarter by expected price, or by their spread. */
type Shift =
  | { part: 'ALL'; log: number }
  | { part: 'LEVEL'; log: number; quarter: number; from: number; until: number }
  | { part: 'SPREAD'; times: number }

/**
 * What is wrong with a source's sales as a whole: the median residual of all given or of the newest, the mean residual of
 * a quarter by expected price, or the spread of all; undefined when nothing is beyond chance and its tolerance.
 * @param prices oldest first
 * @param askingPremium log of asking over sale price: half of it is the usual sign of asking prices sent as sold
 */
export const shiftOf = (prices: readonly ComparedPrice[], askingPremium: number): Shift | undefined =>
  medianShift(prices, askingPremium) ??
  medianShift(prices.slice(-NEWEST_SALES), askingPremium) ??
  levelShift(prices, askingPremium) ??
  excessSpread(prices)

/**
 * How many of the newest sales of a source belong to its shift; all of them where only the spread is too large. They begin
 * where most of the sales since then, and the fewest before, lie beyond half of the shift (a change point by signs).
 */
export function shiftedCount(prices: readonly ComparedPrice[], shift: Shift): number {
  if (shift.part === 'SPREAD') return prices.length
  const isOfPart = ({ level }: ComparedPrice) => shift.part === 'ALL' || (level >= shift.from && level <= shift.until)
  let [sum, best, count] = [0, 0, 0]
  for (const [i, price] of [...prices].reverse().entries()) {
    if (!isOfPart(price)) continue
    sum += price.residual / shift.log > 0.5 ? 1 : -1
    if (sum > best) [best, count] = [sum, i + 1]
  }
  return count
}

function medianShift(prices: readonly ComparedPrice[], askingPremium: number): Shift | undefined {
  if (prices.length < MIN_FOR_SHIFT) return undefined
  const residuals = prices.map(({ residual }) => residual)
  const middle = quantile(residuals, 0.5)
  const error = (1.25 * robustSpread(residuals)) / Math.sqrt(residuals.length)
  const limit = middle > 0 ? Math.max(TOLERATED, askingPremium / 2) : TOLERATED_DOWN
  return Math.abs(middle) > Math.max(limit, SIGNIFICANT * error) ? { part: 'ALL', log: middle } : undefined
}

/** The quarter that differs most. A mean, because a median would not see that fewer than half of a quarter are raised. */
function levelShift(prices: readonly ComparedPrice[], askingPremium: number): Shift | undefined {
  const levels = prices.map(({ level }) => level)
  if (prices.length < LEVELS * LEVEL.sales) return undefined
  const found = Array.from({ length: LEVELS }, (_, quarter) => {
    const [from, until] = [quantile(levels, quarter / LEVELS), quantile(levels, (quarter + 1) / LEVELS)]
    const own = prices.filter(({ level }) => level >= from && level <= until)
    const { mean: log, error } = winsorisedMean(own)
    const limit = log > 0 ? Math.max(LEVEL.tolerated, askingPremium / 2) : TOLERATED_DOWN
    const isShifted = Math.abs(log) > Math.max(limit, LEVEL.significant * error)
    return isShifted ? [{ part: 'LEVEL' as const, log, quarter, from, until }] : []
  }).flat()
  return found.sort((a, b) => Math.abs(b.log) - Math.abs(a.log))[0]
}

/** Interquartile range of the residuals over that of the market: honest prices have longer tails, not a wider middle. */
function excessSpread(prices: readonly ComparedPrice[]): Shift | undefined {
  if (prices.length < SPREAD.sales) return undefined
  const standardised = prices.map(({ residual, spread }) => residual / spread)
  const times = (quantile(standardised, 0.75) - quantile(standardised, 0.25)) / NORMAL_IQR
  return times > SPREAD.times ? { part: 'SPREAD', times } : undefined
}

const QUARTERS = ['最便宜的四分之一', '较便宜的四分之一', '较贵的四分之一', '最贵的四分之一'] as const
/** Name of a quarter by expected price, the cheapest first. */
export const quarterText = (quarter: number): string => QUARTERS[quarter] ?? ''

/** `高 23.4%` */
export const deviationText = (log: number): string => `${log > 0 ? '高' : '低'} ${percentOfLog(log)}`

/** For staff. */
export function shiftText(shift: Shift): string {
  if (shift.part === 'SPREAD') return `价格比行情分散 ${shift.times.toFixed(1)} 倍`
  return `${shift.part === 'ALL' ? '整体' : quarterText(shift.quarter)}${deviationText(shift.log)}`
}

/** interquartile range of a normal distribution, in standard deviations */
const NORMAL_IQR = 1.349
