import type { FormConfig } from '@/contract/form/types'
import type { MarketStatistics } from '../../db/columns'
import type { Model } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import { titleOf } from '../games/answers'

/** place among the sales by price: an account that is worth something, but not exceptional */
const PRICE_QUANTILE = 0.75
/** sales from that place on that are tried until one is valued with high confidence */
const TRIES = 5

/**
 * The model's valuation of an account that was sold, without that sale among its comparables. Home shows it for games none
 * of whose reports may be shown. undefined: no account near the place is valued with confidence.
 */
export function exampleOf(model: Model, config: FormConfig, now: number): MarketStatistics['example'] {
  const sold = model.sales.filter(({ kind }) => kind === 'SOLD').sort((a, b) => a.priceFen - b.priceFen)
  const first = Math.floor(PRICE_QUANTILE * sold.length)
  for (const { id, attributes } of sold.slice(first, first + TRIES)) {
    const valued = valuate(model, config, attributes, { now, source: 'TYPED', without: [id] })
    if (!valued.ok || valued.confidence.level !== 'HIGH') continue
    const { ok: _, ...example } = valued
    return { title: titleOf(config, attributes), ...example }
  }
  return undefined
}
