/** How much prices move when nothing about the accounts and their market changes. */
import type { FormConfig } from '@/contract/form/types'
import { fnv1a, mixed, quantile } from '../engine/numbers'
import { train } from '../engine/train'
import type { Sale } from '../engine/types'
import { priceOfRecord } from '../engine/valuate'

/** number of accounts whose prices are compared, and the share of the sales that is left out */
const MOVED_ACCOUNTS = 200
const LEFT_OUT = 100

/**
 * Median change of the prices of fixed accounts when nothing but the ids of the sales changes, which decide folds and samples, and
 * when one sale in a hundred is left out.
 */
export function movement(config: FormConfig, sales: readonly Sale[]): { otherIds: number; fewerSales: number } {
  const now = Math.max(...sales.map(({ at }) => at))
  const hash = ({ id }: Sale) => mixed(fnv1a(id))
  const accounts = [...sales].sort((a, b) => hash(a) - hash(b)).slice(0, MOVED_ACCOUNTS)
  const pricesOf = (learned: readonly Sale[]) => {
    const model = train(config, learned, { now })
    return accounts.map(
      ({ attributes }) => priceOfRecord(model, config, attributes, { now, source: 'TYPED' })?.predictFen,
    )
  }
  const before = pricesOf(sales)
  const changeTo = (learned: readonly Sale[]) => {
    const logs = pricesOf(learned).map((fen, i) => Math.abs(Math.log((fen ?? 1) / (before[i] ?? 1))))
    return quantile(logs, 0.5)
  }
  return {
    otherIds: changeTo(sales.map((sale) => ({ ...sale, id: `other ${sale.id}` }))),
    fewerSales: changeTo(sales.filter((sale) => hash(sale) % LEFT_OUT !== 0)),
  }
}
