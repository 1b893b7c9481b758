/** Two models on the same sales, which neither has learned from: paired comparison of their errors. */
import type { FormConfig } from '@/contract/form/types'
import { DAY, mean } from './numbers'
import type { Model, Sale } from './types'
import { priceOfRecord } from './valuate'

/** an error counts as 1 at most: a few nonsensical prices must not decide */
const MAX_ERROR = 1

interface SalesPeriod {
  /** number of days with sales */
  days: number
  /** ms: first and last of the sales; 0 without any */
  from: number
  until: number
}

export interface Comparison extends SalesPeriod {
  /** sales that both models priced */
  n: number
  /** mean errors, shares of the price */
  champion: number
  challenger: number
  /** of the mean difference of both errors on the same sale */
  standardError: number
}

export function salesPeriod(sales: readonly { at: number }[]): SalesPeriod {
  const times = sales.map(({ at }) => at).sort((a, b) => a - b)
  const days = new Set(times.map((at) => Math.floor(at / DAY))).size
  return { days, from: times[0] ?? 0, until: times.at(-1) ?? 0 }
}

/** Prices each sale as of its own date with both models. @param sales that neither has learned from, oldest first */
export function compareModels(
  { champion, challenger }: { champion: Model; challenger: Model },
  config: FormConfig,
  sales: readonly Sale[],
): Comparison {
  const errorOf = (model: Model, { attributes, at, priceFen }: Sale) => {
    const price = priceOfRecord(model, config, attributes, { now: at, source: 'TYPED' })
    return price && Math.min(MAX_ERROR, Math.abs(price.predictFen - priceFen) / priceFen)
  }
  const pairs = sales.flatMap((sale) => {
    const [old, fresh] = [errorOf(champion, sale), errorOf(challenger, sale)]
    return old === undefined || fresh === undefined ? [] : [{ at: sale.at, old, fresh }]
  })
  const differences = pairs.map(({ old, fresh }) => fresh - old)
  const middle = mean(differences)
  const variance = mean(differences.map((d) => (d - middle) ** 2))
  return {
    n: pairs.length,
    ...salesPeriod(pairs),
    champion: mean(pairs.map(({ old }) => old)),
    challenger: mean(pairs.map(({ fresh }) => fresh)),
    standardError: Math.sqrt(variance / Math.max(1, pairs.length - 1)),
  }
}

/** Whether the challenger is worse by more than one standard error of the paired difference. */
export const isChallengerWorse = ({ champion, challenger, standardError }: Comparison): boolean =>
  challenger - champion > standardError
