/** How far each sale is trusted in training: a weight from 0 to 1 by how it reached us and by the shares of its owner. */
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import type { SaleChannel } from '../../../db/sale-channels'
import { isPriced, itemsIn } from '../../../engine/encode'
import { sum } from '../../../engine/numbers'
import type { Sale } from '../../../engine/types'
import { groupBy } from '../../shared/batches'
import { capShares, isReported, multipleOf, type Owned } from './owner-shares'

export interface TraceableSale extends Sale, Owned {
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
export const isVerified = (sale: Pick<TraceableSale, 'kind' | 'channel' | 'synthetic'>): boolean =>
  sale.kind === 'SOLD' && !sale.synthetic && !isReported(sale)

/** Share of self-reported sales in the weight of any one item: bounds what an organised group can move. */
const MAX_SELF_REPORTED_SHARE = 0.03
/** Weight up to which self-reported sales complete the verified ones of an item: about five people where there are none. */
const MIN_EVIDENCE = 2

/** The weights of a game's sales, in their order. */
export function saleWeights(config: FormConfig, sales: readonly TraceableSale[]): number[] {
  const isAllSynthetic = sales.every(({ synthetic }) => synthetic)
  const weights = sales.map(({ synthetic, channel }) =>
    synthetic && !isAllSynthetic ? SYNTHETIC_WEIGHT : CHANNEL_WEIGHT[channel],
  )
  return capShares(sales, sales.some(isReported) ? limitItems(config, sales, weights) : weights)
}

/** What an account has of these fields, as `field=item`. */
export const itemsOf = (fields: readonly Field[], answers: Answers): string[] =>
  fields.flatMap((field) => itemsIn(answers[field.key], field).map((item) => `${field.key}=${item}`))

/** The weights with the self-reported sales of every item scaled down to at most `MAX_SELF_REPORTED_SHARE` of the item's. */
function limitItems(config: FormConfig, sales: readonly TraceableSale[], weights: readonly number[]): number[] {
  const priced = config.fields.filter(isPriced)
  const weightOf = (places: readonly number[]) => sum(places.map((i) => weights[i] ?? 0))
  const scales = weights.map(() => 1)
  for (const places of groupBy(sales.keys(), (i) => itemsOf(priced, sales[i]?.attributes ?? {})).values()) {
    const reported = places.filter((i) => isReported(sales[i]))
    const own = weightOf(reported)
    const evidence = weightOf(places) - own
    const beside = multipleOf(MAX_SELF_REPORTED_SHARE) * evidence
    const scale = Math.max(MIN_EVIDENCE - evidence, beside) / own
    for (const i of reported) scales[i] = Math.min(scales[i] ?? 1, scale)
  }
  return weights.map((weight, i) => weight * (scales[i] ?? 1))
}
