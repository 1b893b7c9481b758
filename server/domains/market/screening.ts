/** Screens single prices against the market, whoever sends them. */
import type { ExpectedPrice } from './expected-price'

/** A price this many times above or below the expectation has a wrong unit or currency, and is refused. */
const WRONG_UNIT = 30
/** A price this many times off is possible, but waits for a decision. */
const HOLD_AT_RATIO = 3

/** As stored with a sale. */
export const roundedResidual = ({ residual }: ExpectedPrice): number => Math.round(residual * 1e4) / 1e4

/** Whether a price is so far from the expected one that staff must see it. */
export const isOutlier = ({ residual }: ExpectedPrice): boolean => Math.abs(residual) > Math.log(HOLD_AT_RATIO)

export type ScreeningResult = 'USUAL' | 'OUTLIER' | { refused: string }

/** Screens one sale by its distance from the expectation. */
export function screenSale(expected: ExpectedPrice): ScreeningResult {
  const distance = Math.abs(expected.residual)
  if (distance > Math.log(WRONG_UNIT)) {
    const times = Math.round(Math.exp(distance))
    return { refused: `priceFen 与同类账号的成交价相差约 ${times} 倍，请核对单位（分）与币种` }
  }
  return isOutlier(expected) ? 'OUTLIER' : 'USUAL'
}
