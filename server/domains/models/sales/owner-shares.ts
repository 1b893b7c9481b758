/** Limits what one owner of sales can do to a figure: the same in models, index, time to sell, statistics and accuracy. */

import type { SaleChannel } from '../../../db/sale-channels'
import { quantile, sum } from '../../../engine/numbers'
import { groupBy } from '../../shared/batches'

/** Channels of people whose sale nobody has verified. */
export const SELF_REPORTED: readonly SaleChannel[] = ['FOLLOW_UP', 'LISTING']

/**
 * Whose sale it is: the id of a partner, or keyed hashes of a person and of the device. What is generated or imported, and what
 * staff record, is the operator's own.
 */
export interface Owned {
  channel: SaleChannel
  partner?: string | undefined
  reporter?: string | undefined
  device?: string | undefined
}

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
 * The weights, by default equal, limited by owner. An owner whose level differs from that of the others is left out, then a
 * partner has half of the verified weight where others have enough, self-reports together 30 %, and a person or a device one
 * hundredth. In this order no limit undoes one before it.
 */
export function capShares(sales: readonly Owned[], given: readonly number[] = [], level?: Level): number[] {
  const weights = sales.map((_, i) => given[i] ?? 1)
  const partners = placesBy(sales, 'partner')
  const reported = [...sales.keys()].filter((i) => isReported(sales[i]))
  if (level) leaveOut(weights, [...partners, reported], level)
  if (!hasEnoughOwners(sales, weights)) return weights.map(() => 0)
  const verified = [...sales.keys()].filter((i) => !isReported(sales[i]))
  for (const own of partners) {
    const others = totalOf(weights, verified) - totalOf(weights, own)
    if (others > ENOUGH) scaleDown(weights, own, multipleOf(MAX_SHARE.partner) * others)
  }
  const beside = totalOf(weights, verified)
  if (beside > 0) scaleDown(weights, reported, multipleOf(MAX_SHARE.selfReported) * beside)
  for (const mark of ['reporter', 'device'] as const) limitPeople(weights, placesBy(sales, mark))
  return weights
}

export const isReported = (sale: Pick<Owned, 'channel'> | undefined): boolean =>
  sale !== undefined && SELF_REPORTED.includes(sale.channel)

/** Leaves out groups whose median differs too much from that of all others. */
function leaveOut(weights: number[], groups: readonly (readonly number[])[], { values, most }: Level): void {
  const median = (places: Iterable<number>) => {
    const known = [...places].flatMap((i) => (weights[i] ? (values[i] ?? []) : []))
    return known.length < MIN_LEVEL ? undefined : quantile(known, 0.5)
  }
  const apart = groups.filter((group) => {
    const inside = new Set(group)
    const [own, others] = [median(group), median([...weights.keys()].filter((i) => !inside.has(i)))]
    return own !== undefined && others !== undefined && Math.abs(own - others) > most
  })
  for (const i of apart.flat()) weights[i] = 0
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

/** The weight of a group as a multiple of that of all others, by its share of both. */
export const multipleOf = (share: number): number => share / (1 - share)

const totalOf = (weights: readonly number[], places: readonly number[]): number =>
  sum(places.map((i) => weights[i] ?? 0))

function scaleDown(weights: number[], places: readonly number[], most: number): void {
  const total = totalOf(weights, places)
  if (total > most) for (const i of places) weights[i] = ((weights[i] ?? 0) * most) / total
}

/** The places of sales by one of their marks: their partner, person or device. What staff record is not its person's. */
function placesBy(sales: readonly Owned[], mark: 'partner' | 'reporter' | 'device'): number[][] {
  const marksOf = (i: number) =>
    sales[i]?.channel === 'APPRAISER' ? [] : [sales[i]?.[mark]].filter((owner) => owner !== undefined)
  return [...groupBy(sales.keys(), marksOf).values()]
}

function limitPeople(weights: number[], people: readonly (readonly number[])[]): void {
  const totals = people.map((places) => totalOf(weights, places))
  const limit = personLimit(totals, sum(weights))
  for (const places of people) scaleDown(weights, places, limit)
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
