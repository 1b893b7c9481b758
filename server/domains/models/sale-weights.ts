/** How far each sale is trusted in training: a weight from 0 to 1 by how it reached us and by the shares of its owner. */
import type { FormConfig } from '@/contract/form/types'
import { DAY_MS } from '@/contract/time'
import type { SaleChannel } from '../../db/sale-channels'
import { isPriced, itemsIn } from '../../engine/encode'
import type { Sale } from '../../engine/types'
import { capShares, type Owned, SELF_REPORTED } from './owner-shares'

export interface TraceableSale extends Sale, Owned {
  /** who delivered it: an import, a partner, a form of ours */
  source: string
  /** made by the generator */
  synthetic: boolean
  /** log of the price over the market's expectation on arrival */
  residual?: number | undefined
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

/** Whether it is a real sold price that its reporter could not easily invent. */
export const isVerified = ({
  kind,
  channel,
  synthetic,
}: Pick<TraceableSale, 'kind' | 'channel' | 'synthetic'>): boolean =>
  kind === 'SOLD' && !synthetic && !SELF_REPORTED.includes(channel)

/** log residual at which the weight of a self-reported sale is halved */
const DISAGREEMENT = 0.35
/** Share of self-reported sales in the weight of any one item: bounds what an organised group can move. */
const MAX_SELF_REPORTED_SHARE = 0.03
/** Weight up to which self-reported sales complete the verified ones of an item: about five people where there are none. */
const MIN_EVIDENCE = 2
/** Sales of one account in two sources within a period of so many ms, and a band of so much log price, are one. */
const DUPLICATE = { period: 45 * DAY_MS, band: 0.03 } as const

/** The weights of a game's sales, in their order. */
export function saleWeights(config: FormConfig, sales: readonly TraceableSale[]): number[] {
  const mixed = sales.some(({ synthetic }) => !synthetic)
  const weights = sales.map((sale) => ownWeight(sale, mixed))
  dropDuplicates(sales, weights)
  limitItems(config, sales, weights)
  return capShares(sales, weights)
}

function ownWeight({ synthetic, channel, residual }: TraceableSale, mixed: boolean): number {
  if (synthetic) return mixed ? SYNTHETIC_WEIGHT : 1
  const trust = CHANNEL_WEIGHT[channel]
  return SELF_REPORTED.includes(channel) && residual !== undefined
    ? trust / (1 + (residual / DISAGREEMENT) ** 2)
    : trust
}

/**
 * Of the records of one sale, or of one listing, only the most trusted counts. Sources other than users have an id of their own
 * for each sale, so that within one of them only exact copies are the same: where accounts have few answers, many equal ones
 * are sold at nearly the same price.
 */
function dropDuplicates(sales: readonly TraceableSale[], weights: number[]): void {
  const sourceOf = new Map<string, string>()
  const copies = new Set<string>()
  const order = [...sales.keys()].sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0) || a - b)
  for (const i of order) {
    const sale = sales[i]
    if (!sale || sale.fingerprint === undefined || sale.synthetic) continue
    const { kind, fingerprint, at, priceFen, source, channel } = sale
    const period = Math.floor(at / DUPLICATE.period)
    const key = [kind, fingerprint, period, Math.round(Math.log(priceFen) / DUPLICATE.band)].join(' ')
    const copy = [kind, fingerprint, source, at, priceFen].join(' ')
    const isSame = sourceOf.has(key) && (sourceOf.get(key) !== source || SELF_REPORTED.includes(channel))
    if (isSame || copies.has(copy)) weights[i] = 0
    else {
      sourceOf.set(key, source)
      copies.add(copy)
    }
  }
}

/** Weight of self-reported sales that is `MAX_SELF_REPORTED_SHARE` of the total beside this weight of others. */
const allowedBeside = (others: number): number => (MAX_SELF_REPORTED_SHARE / (1 - MAX_SELF_REPORTED_SHARE)) * others

/** Scales the self-reported sales of an item down to at most `MAX_SELF_REPORTED_SHARE` of the item's weight. */
function limitItems(config: FormConfig, sales: readonly TraceableSale[], weights: number[]): void {
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
