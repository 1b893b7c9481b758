/**
 * Screens incoming sales against the market: implausible single prices, and sources whose prices are shifted as a whole,
 * for example because a partner reports asking prices as sold.
 */
import { quantile, robustSpread } from '../../engine/numbers'
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
export const MIN_FOR_SHIFT = 20
/** Number of a source's newest sales that are compared with the market. */
export const SHIFT_WINDOW_SALES = 300
/** Shifts below this (log) are tolerated: sources differ, and the market moves between trainings. */
const TOLERATED = 0.06
/** A shift downwards is suspicious only when large: no usual mistake causes a small one. */
const TOLERATED_DOWN = 0.25
/** Standard errors of the median that a shift must exceed. */
const SIGNIFICANT = 3

/** Number of the newest among them that are also compared alone: a partner that was honest may begin to send others. */
const NEWEST_SALES = 50

/**
 * Median log residual of a source's sales, all given or the newest, when it is too far from 0 to be chance; undefined
 * otherwise.
 * @param residuals oldest first
 * @param askingPremium log of asking over sale price: half of it is the usual sign of asking prices sent as sold
 */
export const shiftOf = (residuals: readonly number[], askingPremium: number): number | undefined =>
  significantShift(residuals, askingPremium) ?? significantShift(residuals.slice(-NEWEST_SALES), askingPremium)

/**
 * How many of the newest sales of a source belong to its shift as `shiftOf` finds it; 0 without one. They begin where most
 * of the sales since then, and the fewest before, lie beyond half of the shift (a change point by signs).
 */
export function shiftedCount(residuals: readonly number[], askingPremium: number): number {
  const shift = shiftOf(residuals, askingPremium)
  if (shift === undefined) return 0
  let [sum, best, count] = [0, 0, 0]
  for (const [i, residual] of [...residuals].reverse().entries()) {
    sum += residual / shift > 0.5 ? 1 : -1
    if (sum > best) [best, count] = [sum, i + 1]
  }
  return count
}

function significantShift(residuals: readonly number[], askingPremium: number): number | undefined {
  if (residuals.length < MIN_FOR_SHIFT) return undefined
  const middle = quantile(residuals, 0.5)
  const error = (1.25 * robustSpread([...residuals])) / Math.sqrt(residuals.length)
  const limit = middle > 0 ? Math.max(TOLERATED, askingPremium / 2) : TOLERATED_DOWN
  return Math.abs(middle) > Math.max(limit, SIGNIFICANT * error) ? middle : undefined
}
