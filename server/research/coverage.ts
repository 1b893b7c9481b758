/** How often ranges contain the prices that were paid. */
import { share } from '../engine/numbers'
import type { Valued } from '../engine/types'

/** A range, with the price paid. */
export type Priced = Pick<Valued['price'], 'predictFen' | 'lowFen' | 'highFen'> & { paidFen: number }

const shareCovered = (priced: readonly Priced[]): number =>
  share(priced, ({ paidFen, lowFen, highFen }) => paidFen >= lowFen && paidFen <= highFen)

/** Share of the prices inside their range: of all, and in each quarter of the estimated price. */
export function coverageOf(priced: readonly Priced[]): { coverage: number; quarters: number[] } {
  const byPrice = [...priced].sort((a, b) => a.predictFen - b.predictFen)
  const quarters = [0, 1, 2, 3].map((k) =>
    shareCovered(byPrice.slice((k * priced.length) / 4, ((k + 1) * priced.length) / 4)),
  )
  return { coverage: shareCovered(priced), quarters }
}
