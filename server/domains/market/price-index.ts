/** Weekly index of prices relative to the formula's value of each account, and items that rose or fell more than it. */
import type { Week } from '../../db/columns'
import { DAY, mean, sum } from '../../engine/numbers'
import { isReported, type Owned } from '../models/sales/owner-shares'
import { groupBy } from '../shared/batches'

export interface IndexedSale extends Owned {
  /** ms */
  at: number
  /** log of the price, adjusted to SOLD, over the formula's value of the account, without the market */
  log: number
  weight: number
  /** `field=answer`, and names of items */
  items: readonly string[]
}

export const WEEK = 7 * DAY
const MIN_IN_WEEK = 5
/** standard errors of an 80 % interval */
const Z80 = 1.2816
const round = (value: number): number => Math.round(value * 10) / 10

/**
 * The index of every week: the mean of its sales, so that a change in the mix of accounts sold is not taken for a change of
 * prices. @param until end of the last week, ms
 */
export function weeklyIndex(sales: readonly IndexedSale[], until: number, weeks: number): Week[] {
  const groups = Array.from({ length: weeks }, (_, k) => {
    const at = until - (weeks - k) * WEEK
    return { at, sales: sales.filter((sale) => sale.at >= at && sale.at < at + WEEK) }
  })
  const lists = groups.map((group) => group.sales)
  const effects = lists.map(effectOf)
  const first = effects.find((effect) => effect !== undefined)
  const spread = residualSpread(lists)
  return groups.map(({ at, sales: own }, k) => {
    const effect = effects[k]
    if (!effect || !first) return { at, index: null, low: null, high: null, n: own.length }
    const error = Z80 * spread * Math.sqrt(1 / effect.n + (effect === first ? 0 : 1 / first.n))
    const log = effect.mean - first.mean
    const index = (shift: number) => round(100 * Math.exp(log + shift))
    return { at, index: index(0), low: index(-error), high: index(error), n: own.length }
  })
}

const weightedMean = (sales: readonly IndexedSale[]): number =>
  sum(sales.map(({ weight, log }) => weight * log)) / Math.max(1e-9, sum(sales.map(({ weight }) => weight)))

/** Self-reported sales are no evidence by themselves. */
const verified = (sales: readonly IndexedSale[]) => sales.filter((sale) => !isReported(sale))

const isEnough = (week: readonly IndexedSale[]) => verified(week).length >= MIN_IN_WEEK

function effectOf(sales: readonly IndexedSale[]): { mean: number; n: number } | undefined {
  if (!isEnough(sales)) return undefined
  // number of equally weighted sales that would be as precise (Kish)
  const n = sum(sales.map(({ weight }) => weight)) ** 2 / sum(sales.map(({ weight }) => weight ** 2))
  return { mean: weightedMean(sales), n }
}

function residualSpread(groups: readonly (readonly IndexedSale[])[]): number {
  const residuals = groups.flatMap((group) => {
    if (!isEnough(group)) return []
    const middle = weightedMean(group)
    return verified(group).map(({ log }) => log - middle)
  })
  return Math.sqrt(
    sum(residuals.map((residual) => residual * residual)) / Math.max(1, residuals.length - groups.length - 1),
  )
}

export interface Mover {
  item: string
  /** log price change of accounts with the item, relative to all others */
  change: number
  /** sales with it in the later period */
  n: number
}

const LATER = 28 * DAY
const EARLIER = 84 * DAY
const MIN_WITH_ITEM = 10
const SIGNIFICANT = 2.5

/**
 * Items whose accounts became dearer or cheaper than all others in four weeks, compared with the twelve before. An item
 * has so few sales that self-reported ones are left out.
 * @param limit bounds what one owner can do to an item
 */
export function moversOf(
  all: readonly IndexedSale[],
  until: number,
  limit: (sales: readonly IndexedSale[]) => readonly IndexedSale[],
): Mover[] {
  const sales = verified(all)
  const later = sales.filter(({ at }) => at >= until - LATER)
  const earlier = sales.filter(({ at }) => at < until - LATER && at >= until - LATER - EARLIER)
  const market = weightedMean(later) - weightedMean(earlier)
  const itemsOf = ({ items }: IndexedSale) => new Set(items)
  const earlierByItem = groupBy(earlier, itemsOf)
  return [...groupBy(later, itemsOf)]
    .flatMap(([item, own]): Mover[] => {
      const [now, before] = [limit(own), limit(earlierByItem.get(item) ?? [])]
      if (now.length < MIN_WITH_ITEM || before.length < MIN_WITH_ITEM) return []
      const change = weightedMean(now) - weightedMean(before) - market
      const error = Math.sqrt(variance(now) / now.length + variance(before) / before.length)
      return Math.abs(change) > SIGNIFICANT * error ? [{ item, change, n: now.length }] : []
    })
    .sort((a, b) => b.change - a.change)
}

function variance(sales: readonly IndexedSale[]): number {
  const middle = mean(sales.map(({ log }) => log))
  return sum(sales.map(({ log }) => (log - middle) ** 2)) / Math.max(1, sales.length - 1)
}
