import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../../db/database'
import type { SaleRow } from '../../../db/sales'
import type { Model } from '../../../engine/types'
import { hasModel, type ModelRepository } from '../../models/repository'
import { expectedPriceOf } from '../expected-price'
import { screenSale } from '../screening'

/**
 * Finds prices of a wrong unit or currency in an import. Only a model of real sales is applied to them: an import is how
 * real sales replace generated ones, whose prices may be wrong themselves.
 */
export function implausiblePrice(db: Db, models: ModelRepository) {
  const found = new Map<string, Promise<Model | undefined>>()
  const realModel = async (config: FormConfig) => {
    if (!(await hasModel(db, config.gameId))) return undefined
    const active = await models.active(config, 0)
    return active?.synthetic ? undefined : active?.model
  }
  return async (sale: SaleRow, config: FormConfig): Promise<string | undefined> => {
    const reading = found.get(sale.gameId) ?? realModel(config)
    found.set(sale.gameId, reading)
    const model = await reading
    const screened = model && screenSale(expectedPriceOf(model, sale))
    return typeof screened === 'object' ? screened.refused : undefined
  }
}
