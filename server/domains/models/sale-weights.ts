/**
 * How far each sale is trusted in training: a weight from 0 to 1 by how it reached us, how well it agreed with the
 * market on arrival, how much one person reports, and the share of an item's weight that self-reported sales contribute.
 */
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { SaleChannel } from '../../db/sale-channels'
import { isPriced, itemsIn } from '../../engine/encode'
import { sum } from '../../engine/numbers'
import type { Sale } from '../../engine/types'
import { SameSales } from './same-sales'

export interface TraceableSale extends Sale {
  channel: SaleChannel
  /** who delivered it: an import, a partner, a form of ours */
  source: string
  /** made by the generator */
  synthetic: boolean
  /** log of the price over the market's expectation on arrival */
  residual?: number | undefined
  /** keyed hash of the person who reported it */
  reporter?: string | undefined
  /** keyed hash of the device it was reported from */
  device?: string | undefined
  /** hash of the account's priced answers */
  fingerprint?: string | undefined
}

/** Trust in the sales of a channel. Operators vouch for imports, appraisers for what they saw sold. */
const CHANNEL_WEIGHT: Record<SaleChannel, number> = {
  IMPORT: 1,
  APPRAISER: 1,
  PARTNER: 0.8,
  FOLLOW_UP: 0.4,
  LISTING: 0.3,
}
/** Weight of synthetic sales while a game also has real ones. */
const SYNTHETIC_WEIGHT = 0.25
/** Channels of people whose sale nobody has verified. */
export const SELF_REPORTED: readonly SaleChannel[] = ['FOLLOW_UP', 'LISTING']

/** Whether it is a real sold price that its reporter could not easily invent. */
export const isVerified = ({
  kind,
  channel,
  synthetic,
}: Pick<TraceableSale, 'kind' | 'channel' | 'synthetic'>): boolean =>
  kind === 'SOLD' && !synthetic && !SELF_REPORTED.includes(channel)

/** log residual at which the weight of a self-reported sale is halved */
const DISAGREEMENT = 0.35
/** Largest share of a game's total weight for one person, and for one device regardless of who uses it. */
const MAX_PERSON_SHARE = 0.01
/** Share of self-reported sales in the weight of any one item: bounds what an organised group can move. */
const MAX_SELF_REPORTED_SHARE = 0.03
/** Weight up to which self-reported sales complete the verified ones of an item: about five people where there are none. */
const MIN_EVIDENCE = 2
/** The same account sold within this time (x) at nearly the same price (y, log) is one sale in two sources, or reported by two people. */
const DUPLICATE = { x: 45 * DAY_MS, y: 0.03 } as const

/** The weights of a game's sales, in their order. */
export function saleWeights(config: FormConfig, sales: readonly TraceableSale[]): number[] {
  const mixed = sales.some(({ synthetic }) => !synthetic)
  const weights = sales.map((sale) => ownWeight(sale, mixed))
  dropDuplicates(sales, weights)
  limitShares(sales, weights, ({ reporter }) => reporter)
  limitShares(sales, weights, ({ device }) => device)
  limitSelfReported(config, sales, weights)
  return weights
}

function ownWeight({ synthetic, channel, residual }: TraceableSale, mixed: boolean): number {
  if (synthetic) return mixed ? SYNTHETIC_WEIGHT : 1
  const trust = CHANNEL_WEIGHT[channel]
  return SELF_REPORTED.includes(channel) && residual !== undefined
    ? trust / (1 + (residual / DISAGREEMENT) ** 2)
    : trust
}

/** Of the records of one sale, or of one listing, only the most trusted counts. */
function dropDuplicates(sales: readonly TraceableSale[], weights: number[]): void {
  const groups = new Map<string, number[]>()
  for (const [i, { fingerprint, kind, synthetic }] of sales.entries()) {
    if (fingerprint === undefined || synthetic) continue
    const key = `${kind} ${fingerprint}`
    const group = groups.get(key)
    if (group) group.push(i)
    else groups.set(key, [i])
  }
  for (const group of groups.values()) {
    const counts = createDuplicateCheck()
    for (const i of group.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)) {
      const sale = sales[i]
      if (sale && weights[i] && !counts(sale)) weights[i] = 0
    }
  }
}

/**
 * Sources other than users have an id of their own for each sale, so that only exact copies are duplicates within one:
 * where accounts have few answers, many equal ones are sold at nearly the same price.
 * @returns whether a sale counts; to be asked for those of one account, the most trusted first
 */
function createDuplicateCheck(): (sale: TraceableSale) => boolean {
  const copies = new Set<string>()
  const countedBySource = new Map<string, SameSales>()
  return (sale) => {
    const { source, at, priceFen } = sale
    const isOfUser = SELF_REPORTED.includes(sale.channel)
    const copy = `${at} ${priceFen} ${source}`
    if (!isOfUser && copies.has(copy)) return false
    const log = Math.log(priceFen)
    for (const [other, counted] of countedBySource)
      if ((isOfUser || other !== source) && counted.has(at, log)) return false
    copies.add(copy)
    const own = countedBySource.get(source) ?? new SameSales(DUPLICATE)
    own.add(at, log)
    countedBySource.set(source, own)
    return true
  }
}

/** Scales the sales of every person, or device, down to `MAX_PERSON_SHARE` of the game. */
function limitShares(
  sales: readonly TraceableSale[],
  weights: number[],
  hashOf: (sale: TraceableSale) => string | undefined,
): void {
  const totals = new Map<string, number>()
  for (const [i, sale] of sales.entries()) {
    const hash = hashOf(sale)
    if (hash !== undefined) totals.set(hash, (totals.get(hash) ?? 0) + (weights[i] ?? 0))
  }
  const limit = shareLimit([...totals.values()], sum(weights))
  for (const [i, sale] of sales.entries()) {
    const own = totals.get(hashOf(sale) ?? '') ?? 0
    if (own > limit) weights[i] = (weights[i] ?? 0) * (limit / own)
  }
}

/**
 * The weight that is `MAX_PERSON_SHARE` of the total once every person with more has been reduced to it.
 * @param totals weight by person @param all weight of the game
 */
function shareLimit(totals: readonly number[], all: number): number {
  const largest = [...totals].sort((a, b) => b - a)
  let [rest, limit] = [all, MAX_PERSON_SHARE * all]
  for (const [k, own] of largest.entries()) {
    if (own <= limit) break
    rest -= own
    // all the weight is that of fewer than 100 people: all get the same limit
    if (rest <= 1e-9 * all) return own
    limit = (MAX_PERSON_SHARE * rest) / (1 - MAX_PERSON_SHARE * (k + 1))
  }
  return limit
}

/** Weight of self-reported sales that is `MAX_SELF_REPORTED_SHARE` of the total beside this weight of others. */
const allowedBeside = (others: number): number => (MAX_SELF_REPORTED_SHARE / (1 - MAX_SELF_REPORTED_SHARE)) * others

/** Scales the self-reported sales of an item down to at most `MAX_SELF_REPORTED_SHARE` of the item's weight. */
function limitSelfReported(config: FormConfig, sales: readonly TraceableSale[], weights: number[]): void {
  const priced = config.fields.filter(isPriced)
  const itemsOf = ({ attributes }: Sale) =>
    priced.flatMap((field) => itemsIn(attributes[field.key], field).map((item) => `${field.key}=${item}`))
  const items = sales.map((sale) => (SELF_REPORTED.includes(sale.channel) ? itemsOf(sale) : undefined))
  const [verified, selfReported] = [new Map<string, number>(), new Map<string, number>()]
  const add = (totals: Map<string, number>, item: string, i: number) =>
    totals.set(item, (totals.get(item) ?? 0) + (weights[i] ?? 0))
  for (const [i, own] of items.entries()) for (const item of own ?? []) add(selfReported, item, i)
  if (selfReported.size === 0) return
  for (const [i, sale] of sales.entries())
    if (!items[i]) for (const item of itemsOf(sale)) if (selfReported.has(item)) add(verified, item, i)
  for (const [i, own] of items.entries()) {
    if (!own) continue
    const scales = own.map((item) => {
      const evidence = verified.get(item) ?? 0
      const allowed = Math.max(MIN_EVIDENCE - evidence, allowedBeside(evidence))
      return Math.min(1, allowed / Math.max(allowed, selfReported.get(item) ?? 0))
    })
    weights[i] = (weights[i] ?? 0) * Math.min(1, ...scales)
  }
}

/**
 * Scales the self-reported sales among these down to `MAX_SELF_REPORTED_SHARE` of their weight: for short periods, in
 * which a share of all the game's sales could dominate.
 */
export function limitSelfReportedOf(sales: readonly { weight: number; selfReported: boolean }[]): number[] {
  const totalOf = (reported: boolean) =>
    sum(sales.flatMap(({ weight, selfReported }) => (selfReported === reported ? weight : 0)))
  const allowed = allowedBeside(totalOf(false))
  const scale = Math.min(1, allowed / Math.max(1e-9, totalOf(true)))
  return sales.map(({ weight, selfReported }) => (selfReported ? scale * weight : weight))
}
