/** Screens single prices against the market, whoever sends them. */
import type { SaleRow, ScreenedSale } from '../../db/sales'
import type { Model } from '../../engine/types'
import { expectedPriceOf } from './expected-price'

/** A price this many times above or below the expectation has a wrong unit or currency, and is refused. */
const WRONG_UNIT = 30
/** A price this many times off is possible, but waits for a decision. */
const HOLD_AT_RATIO = 3

/** The sale beside the market's price, held if it is far from it, or why it is refused. Without a model nothing is compared. */
export function screenSale(model: Pick<Model, 'hedonic'> | undefined, sale: SaleRow): ScreenedSale | string {
  if (!model) return sale
  const { residual, marketFen } = expectedPriceOf(model, sale)
  const times = Math.exp(Math.abs(residual))
  if (times > WRONG_UNIT) return `priceFen 与同类账号的成交价相差约 ${Math.round(times)} 倍，请核对单位（分）与币种`
  const compared = { ...sale, residual: Math.round(residual * 1e4) / 1e4, marketFen }
  return times > HOLD_AT_RATIO ? { ...compared, reason: 'OUTLIER' } : compared
}
