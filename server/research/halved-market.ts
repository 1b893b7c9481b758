import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import { generateSales } from '../fixtures/synthetic/generate'

/** Sales of a market whose prices halve overnight 40 days before `until`, with the time of it. @param n sales within a year */
export function halvedMarket(config: FormConfig, until: number, seed: number, n = 2_000) {
  const shock = until - 40 * DAY_MS
  const sales = [...generateSales(config, { n, until, seed })].map((sale) => ({
    ...sale,
    id: sale.externalId,
    priceFen: sale.at >= shock ? Math.round(sale.priceFen / 2) : sale.priceFen,
  }))
  return { sales, shock }
}
