/** How far each sale is trusted in training: a weight from 0 to 1 by how it reached us and by the shares of its owner. */
import type { FormConfig } from '@/contract/form/types'
import type { SaleChannel } from '../../db/sale-channels'
import { isPriced, itemsIn } from '../../engine/encode'
import type { Sale } from '../../engine/types'
import { capShares, type Owned, SELF_REPORTED } from './owner-shares'

export interface TraceableSale extends Sale, Owned {
  /** made by the generator */
  synthetic: boolean
  /** ms: when it was first listed */
  listedAt?: number
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

/** Share of self-reported sales in the weight of any one item: bounds what an organised group can move. */
const MAX_SELF_REPORTED_SHARE = 0.03
/** Weight up to which self-reported sales complete the verified ones of an item: about five people where there are none. */
const MIN_EVIDENCE = 2
/** The weights of a game's sales, in their order. */
export function saleWeights(config: FormConfig, sales: readonly TraceableSale[]): number[] {
  const syntheticWeight = sales.some(({ synthetic }) => !synthetic) ? SYNTHETIC_WEIGHT : 1
  const weights = sales.map(({ synthetic, channel }) => (synthetic ? syntheticWeight : CHANNEL_WEIGHT[channel]))
  limitItems(config, sales, weights)
  return capShares(sales, weights)
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
