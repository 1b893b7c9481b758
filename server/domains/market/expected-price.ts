/** Expected price of a sale: the formula of the model in use, fast enough for thousands of rows. */
import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../db/database'
import type { SaleRow } from '../../db/sales'
import { applyHedonic, marketAt } from '../../engine/hedonic'
import { toFen } from '../../engine/numbers'
import type { Model } from '../../engine/types'
import { type ActiveModel, hasModel, isModelPending, type ModelRepository } from '../models/repository'

export interface ExpectedPrice {
  /** fen */
  marketFen: number
  /** log of the price over the expectation */
  residual: number
}

type PricedAccount = Pick<SaleRow, 'kind' | 'priceFen' | 'at' | 'attributes'>

/** Compares a sale with the formula at the time of the sale. */
export function expectedPriceOf(
  { hedonic }: Pick<Model, 'hedonic'>,
  { kind, priceFen, at, attributes }: PricedAccount,
): ExpectedPrice {
  const { logValue } = applyHedonic(hedonic, attributes, 'average')
  const askingPremium = kind === 'ASKING' ? hedonic.ask : 0
  const log = logValue + marketAt(hedonic.market, at) + askingPremium
  return {
    marketFen: Math.max(1, toFen(Math.exp(log))),
    residual: Math.log(priceFen) - log,
  }
}

/** The model in use, or undefined without one; never starts or awaits a training. */
export async function modelInUse(
  db: Db,
  models: ModelRepository,
  config: FormConfig,
): Promise<ActiveModel | undefined> {
  if (!(await hasModel(db, config.gameId))) return undefined
  try {
    return await models.active(config, 0)
  } catch (e) {
    if (isModelPending(e)) return undefined
    throw e
  }
}
