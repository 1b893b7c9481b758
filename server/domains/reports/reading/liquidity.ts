/** How fast an account sells, by the sales of its game that recorded their time to sell. */
import type { Report } from '@/contract/types'
import type { SellTime } from '../../../db/columns'
import { medianDays } from '../../models/sales/survival'

/** longest median days to sell at the reference price */
const MAX_DAYS = { FAST: 7, NORMAL: 30 } as const

/**
 * Median days to sell at the quick-sale price and at the suggested listing price; the level is that of the reference price.
 * @returns undefined if fewer than half were observed to sell at one of them
 */
export function liquidityOf(sellTime: SellTime, price: Report['price']): Report['liquidity'] {
  const { predictFen, quickFen, listFen } = price
  const daysAt = (fen: number) => medianDays(sellTime, Math.log(fen / predictFen))
  const [quick, reference, list] = [daysAt(quickFen), daysAt(predictFen), daysAt(listFen)]
  if (quick === undefined || reference === undefined || list === undefined) return undefined
  const level = reference <= MAX_DAYS.FAST ? 'FAST' : reference <= MAX_DAYS.NORMAL ? 'NORMAL' : 'SLOW'
  return { level, days: [quick, list] }
}
