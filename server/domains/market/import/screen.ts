import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../../db/database'
import { type HeldSale, holdSales, insertSales, knownSales, type SaleRow, saleKey } from '../../../db/sales'
import type { Model } from '../../../engine/types'
import { hasModel, type ModelRepository } from '../../models/repository'
import { expectedPriceOf } from '../expected-price'
import { roundedResidual, screenSale } from '../screening'

/**
 * Compares the rows of an import with the market: a price of a wrong unit or currency is refused with a reason, another
 * outlier is to be held. Only a model of real sales is applied to them: an import is how real sales replace generated
 * ones, whose prices may be wrong themselves.
 */
export function importScreen(db: Db, models: ModelRepository) {
  const found = new Map<string, Promise<Model | undefined>>()
  const realModel = async (config: FormConfig) => {
    if (!(await hasModel(db, config.gameId))) return undefined
    const active = await models.active(config, 0)
    return active?.synthetic ? undefined : active?.model
  }
  return async (sale: SaleRow, config: FormConfig): Promise<SaleRow | HeldSale | string> => {
    const reading = found.get(sale.gameId) ?? realModel(config)
    found.set(sale.gameId, reading)
    const model = await reading
    if (!model) return sale
    const expected = expectedPriceOf(model, sale)
    const screened = screenSale(expected)
    if (typeof screened === 'object') return screened.refused
    const compared = { ...sale, residual: roundedResidual(expected) }
    return screened === 'OUTLIER' ? { ...compared, reason: screened, marketFen: expected.marketFen } : compared
  }
}

/** Stores a batch, and holds those to be held. Rows that are stored or held already are not changed. */
export async function storeImported(db: Db, batch: readonly (SaleRow | HeldSale)[], now: number) {
  const known = await knownSales(db, batch)
  const fresh = batch.filter((sale) => !known.has(saleKey(sale)))
  const isHeld = (sale: SaleRow | HeldSale): sale is HeldSale => 'reason' in sale
  const stored = fresh.filter((sale) => !isHeld(sale))
  return { added: await insertSales(db, stored), held: await holdSales(db, fresh.filter(isHeld), now) }
}
