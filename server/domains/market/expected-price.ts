/** Compares sales with the market: the formula of the model in use, fast enough for thousands of rows. */
import type { SaleRow, ScreenedSale } from '../../db/sales'
import { applyHedonic, marketAt } from '../../engine/hedonic'
import { toFen } from '../../engine/numbers'
import type { Model } from '../../engine/types'

/**
 * Expected price of a sale at its time: of an offer, what is usually asked.
 * @returns fen, and the log of the price over it
 */
export function expectedPriceOf(
  { hedonic }: Pick<Model, 'hedonic'>,
  { kind, priceFen, at, attributes }: Pick<SaleRow, 'kind' | 'priceFen' | 'at' | 'attributes'>,
): { marketFen: number; residual: number } {
  const { logValue } = applyHedonic(hedonic, attributes, 'average')
  const log = logValue + marketAt(hedonic.market, at) + (kind === 'ASKING' ? hedonic.ask : 0)
  return { marketFen: Math.max(1, toFen(Math.exp(log))), residual: Math.log(priceFen) - log }
}

/** A price this many times above or below the expectation waits for a decision. */
const HOLD_AT_RATIO = 3

/** The sale beside the market's price, held if it is far from it, whoever sends it. Without a model nothing is compared. */
export function screenSale(model: Pick<Model, 'hedonic'> | undefined, sale: SaleRow): ScreenedSale {
  if (!model) return sale
  const { residual, marketFen } = expectedPriceOf(model, sale)
  const compared = { ...sale, residual: Math.round(residual * 1e4) / 1e4, marketFen }
  return Math.abs(residual) > Math.log(HOLD_AT_RATIO) ? { ...compared, reason: 'OUTLIER' } : compared
}
