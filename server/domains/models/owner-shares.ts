/** Limits what one owner of sales can do to a figure: the same in models, index, time to sell, statistics and accuracy. */

import type { SaleChannel } from '../../db/sale-channels'
import { quantile, sum } from '../../engine/numbers'

/** Channels of people whose sale nobody has verified. */
export const SELF_REPORTED: readonly SaleChannel[] = ['FOLLOW_UP', 'LISTING']

/** Whose sale it is. What is generated or imported, and what staff record, is the operator's own. */
export interface Owned {
  channel: SaleChannel
  /** id of the partner that sent it */
  partner?: string | undefined
  /** keyed hash of the person who reported it */
  reporter?: string | undefined
  /** keyed hash of the device it was reported from */
  device?: string | undefined
}

/** Largest shares of a figure's weight. */
const MAX_SHARE = { person: 0.01, partner: 0.5, selfReported: 0.3 } as const
/** weight of others below which they are too few to limit a partner */
const ENOUGH = 10
/** owners that a figure needs which rests on partners or self-reports alone */
const MIN_OWNERS = 3
/** sales that a partner, or self-reports, and the others must have for their levels to be compared */
const MIN_LEVEL = 10

/** What is compared of the owners: log values of the sales, and the difference of their medians from which on one is left out. */
export interface Level {
  values: readonly (number | undefined)[]
  most: number
}

/**
 * The weights, limited by owner. An owner whose level differs from that of the others is left out, then a person or a device
 * has one hundredth, self-reports together 30 %, and a partner half where others have enough.
 */
export function capShares(sales: readonly Owned[], given: readonly number[], level?: Level): number[] {
  const weights = [...given]
  if (level) leaveOut(sales, weights, level)
  if (!hasEnoughOwners(sales, weights)) return weights.map(() => 0)
  limitPeople(sales, weights, ({ reporter }) => reporter)
  limitPeople(sales, weights, ({ device }) => device)
  limitGroup(sales, weights, isReported, { share: MAX_SHARE.selfReported, enough: 0 })
  for (const partner of partnersIn(sales))
    limitGroup(sales, weights, (sale) => sale.partner === partner, { share: MAX_SHARE.partner, enough: ENOUGH })
  return weights
}

const isReported = ({ channel }: Owned) => SELF_REPORTED.includes(channel)
const partnersIn = (sales: readonly Owned[]) => new Set(sales.flatMap(({ partner }) => partner ?? []))

/** Leaves out partners, and self-reports as a whole, whose median differs too much from that of all others. */
function leaveOut(sales: readonly Owned[], weights: number[], { values, most }: Level): void {
  const median = (isIn: (sale: Owned) => boolean) => {
    const known = sales.flatMap((sale, i) => (weights[i] && isIn(sale) ? (values[i] ?? []) : []))
    return known.length < MIN_LEVEL ? undefined : quantile(known, 0.5)
  }
  const groups = [...partnersIn(sales)].map((partner) => (sale: Owned) => sale.partner === partner)
  const apart = [...groups, isReported].filter((isIn) => {
    const [own, others] = [median(isIn), median((sale) => !isIn(sale))]
    return own !== undefined && others !== undefined && Math.abs(own - others) > most
  })
  for (const [i, sale] of sales.entries()) if (apart.some((isIn) => isIn(sale))) weights[i] = 0
}

function hasEnoughOwners(sales: readonly Owned[], weights: readonly number[]): boolean {
  const owners = new Set<string>()
  for (const [i, sale] of sales.entries()) {
    if (!weights[i]) continue
    if (sale.channel !== 'PARTNER' && !isReported(sale)) return true
    owners.add(sale.partner ?? sale.reporter ?? '')
  }
  return owners.size >= MIN_OWNERS
}

/** Scales a group down to a share of the weight, where others have `enough`. */
function limitGroup(
  sales: readonly Owned[],
  weights: number[],
  isIn: (sale: Owned) => boolean,
  { share, enough }: { share: number; enough: number },
): void {
  const totalOf = (inside: boolean) => sum(sales.flatMap((sale, i) => (isIn(sale) === inside ? (weights[i] ?? 0) : [])))
  const [own, others] = [totalOf(true), totalOf(false)]
  const allowed = (share / (1 - share)) * others
  if (own <= allowed || others <= enough) return
  for (const [i, sale] of sales.entries()) if (isIn(sale)) weights[i] = (weights[i] ?? 0) * (allowed / own)
}

/** Scales the sales of every person, or device, down to `MAX_SHARE.person`. */
function limitPeople(sales: readonly Owned[], weights: number[], hashOf: (sale: Owned) => string | undefined): void {
  const totals = new Map<string, number>()
  for (const [i, sale] of sales.entries()) {
    const hash = hashOf(sale)
    if (hash !== undefined) totals.set(hash, (totals.get(hash) ?? 0) + (weights[i] ?? 0))
  }
  const limit = personLimit([...totals.values()], sum(weights))
  for (const [i, sale] of sales.entries()) {
    const own = totals.get(hashOf(sale) ?? '') ?? 0
    if (own > limit) weights[i] = (weights[i] ?? 0) * (limit / own)
  }
}

/**
 * The weight that is `MAX_SHARE.person` of the total once every person with more has been reduced to it.
 * @param totals weight by person @param all weight of the figure
 */
function personLimit(totals: readonly number[], all: number): number {
  const largest = [...totals].sort((a, b) => b - a)
  let [rest, limit] = [all, MAX_SHARE.person * all]
  for (const [k, own] of largest.entries()) {
    if (own <= limit) break
    rest -= own
    // all the weight is that of fewer than 100 people: all get the same limit
    if (rest <= 1e-9 * all) return own
    limit = (MAX_SHARE.person * rest) / (1 - MAX_SHARE.person * (k + 1))
  }
  return limit
}

/** An evenly spaced part of the list that holds each entry as often as its weight says: for figures without weights. */
export function thinned<T>(list: readonly T[], weights: readonly number[]): T[] {
  const most = Math.max(0, ...weights)
  let [sumSoFar, taken] = [0, 0]
  return list.filter((_, i) => {
    sumSoFar += (weights[i] ?? 0) / Math.max(1e-9, most)
    if (sumSoFar < taken + 1 - 1e-9) return false
    taken += 1
    return true
  })
}
