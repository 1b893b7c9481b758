/**
 * Weekly price index by time dummies beside the formula's value of each account, and items that rose or fell relative
 * to it.
 */
import type { Week } from '../../db/columns'
import { clamp, DAY, mean, sum } from '../../engine/numbers'
import { groupBy } from '../shared/batches'

export interface IndexedSale {
  /** ms */
  at: number
  /** log price, adjusted to SOLD */
  log: number
  /** the formula's log value of the account, without the market */
  value: number
  weight: number
  /** reported by its seller without proof: no evidence by itself */
  selfReported: boolean
  /** `field=answer`, and names of items */
  items: readonly string[]
}

export const WEEK = 7 * DAY
const MIN_IN_WEEK = 5
/** standard errors of an 80 % interval */
const Z80 = 1.2816
const round = (value: number): number => Math.round(value * 10) / 10

/**
 * Least squares of the log price on the formula's value and one dummy a week. The value's coefficient is estimated
 * within weeks, so that a change in the mix of accounts sold is not taken for a change of prices.
 * @param until end of the last week, ms
 */
export function weeklyIndex(sales: readonly IndexedSale[], until: number, weeks: number): Week[] {
  const groups = Array.from({ length: weeks }, (_, k) => {
    const at = until - (weeks - k) * WEEK
    return { at, sales: sales.filter((sale) => sale.at >= at && sale.at < at + WEEK) }
  })
  const lists = groups.map((group) => group.sales)
  const slope = withinSlope(lists)
  const effects = lists.map((list) => effectOf(list, slope))
  const first = effects.find((effect) => effect !== undefined)
  const spread = residualSpread(lists, slope)
  return groups.map(({ at, sales: own }, k) => {
    const effect = effects[k]
    if (!effect || !first) return { at, index: null, low: null, high: null, n: own.length }
    const error = Z80 * spread * Math.sqrt(1 / effect.n + (effect === first ? 0 : 1 / first.n))
    const log = effect.mean - first.mean
    const index = (shift: number) => round(100 * Math.exp(log + shift))
    return { at, index: index(0), low: index(-error), high: index(error), n: own.length }
  })
}

const weighted = (sales: readonly IndexedSale[], of: (sale: IndexedSale) => number): number =>
  sum(sales.map((sale) => sale.weight * of(sale))) / Math.max(1e-9, sum(sales.map(({ weight }) => weight)))

const isEnough = (week: readonly IndexedSale[]) =>
  week.filter(({ selfReported }) => !selfReported).length >= MIN_IN_WEEK

function withinSlope(groups: readonly (readonly IndexedSale[])[]): number {
  let [above, below] = [0, 0]
  for (const group of groups) {
    const [x, y] = [weighted(group, ({ value }) => value), weighted(group, ({ log }) => log)]
    for (const { log, value, weight } of group) {
      above += weight * (value - x) * (log - y)
      below += weight * (value - x) ** 2
    }
  }
  // a strong prior, because the coefficient is close to 1 and a few sales must not change it much
  return below > 0 ? clamp(above / below, 0.7, 1.3) : 1
}

function effectOf(sales: readonly IndexedSale[], slope: number): { mean: number; n: number } | undefined {
  if (!isEnough(sales)) return undefined
  // number of equally weighted sales that would be as precise (Kish)
  const n = sum(sales.map(({ weight }) => weight)) ** 2 / sum(sales.map(({ weight }) => weight ** 2))
  return { mean: weighted(sales, ({ log, value }) => log - slope * value), n }
}

function residualSpread(groups: readonly (readonly IndexedSale[])[], slope: number): number {
  const residuals = groups.flatMap((group) => {
    if (!isEnough(group)) return []
    const middle = weighted(group, ({ log, value }) => log - slope * value)
    const own = group.filter(({ selfReported }) => !selfReported)
    return own.map(({ log, value }) => log - slope * value - middle)
  })
  return Math.sqrt(sum(residuals.map((one) => one * one)) / Math.max(1, residuals.length - groups.length - 1))
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
export function moversOf<S extends IndexedSale>(
  all: readonly S[],
  until: number,
  limit: (sales: readonly S[]) => readonly S[],
): Mover[] {
  const sales = all.filter(({ selfReported }) => !selfReported)
  const later = sales.filter(({ at }) => at >= until - LATER)
  const earlier = sales.filter(({ at }) => at < until - LATER && at >= until - LATER - EARLIER)
  const slope = withinSlope([later, earlier])
  const residualOf = (sale: IndexedSale) => sale.log - slope * sale.value
  const market = weighted(later, residualOf) - weighted(earlier, residualOf)
  const itemsOf = ({ items }: S) => new Set(items)
  const earlierByItem = groupBy(earlier, itemsOf)
  return [...groupBy(later, itemsOf)]
    .flatMap(([item, own]): Mover[] => {
      const [now, before] = [limit(own), limit(earlierByItem.get(item) ?? [])]
      if (now.length < MIN_WITH_ITEM || before.length < MIN_WITH_ITEM) return []
      const change = weighted(now, residualOf) - weighted(before, residualOf) - market
      const error = Math.sqrt(
        variance(now.map(residualOf)) / now.length + variance(before.map(residualOf)) / before.length,
      )
      return Math.abs(change) > SIGNIFICANT * error ? [{ item, change, n: now.length }] : []
    })
    .sort((a, b) => b.change - a.change)
}

function variance(values: readonly number[]): number {
  const middle = mean(values)
  return sum(values.map((value) => (value - middle) ** 2)) / Math.max(1, values.length - 1)
}
