/** How well a model still fits: its errors on sales it has not seen, and how far the accounts sold have changed. */
import type { FormConfig } from '@/contract/form/types'
import { itemsIn } from '../../engine/encode'
import { quantile, share, sum } from '../../engine/numbers'
import type { Model, Sale } from '../../engine/types'
import { priceOfRecord } from '../../engine/valuate'
import { mapInTurns } from '../shared/batches'

/** Errors on later sales, each priced as of its own date. @returns n: how many were priced; coverage: share within the 80 % range */
export async function fitOn(model: Model, config: FormConfig, sales: readonly Sale[]) {
  const priced = await mapInTurns(sales, ({ attributes, at, priceFen }) => {
    const price = priceOfRecord(model, config, attributes, { now: at, source: 'TYPED' })
    return price ? [{ sold: priceFen, ...price }] : []
  })
  const errors = priced.flat().map(({ sold, predictFen }) => Math.abs(predictFen - sold) / sold)
  const coverage = share(priced.flat(), ({ sold, lowFen, highFen }) => sold >= lowFen && sold <= highFen)
  return { n: errors.length, medianError: quantile(errors, 0.5), coverage }
}

/** Share of items and options among the sales that the model has never seen. */
export function unknownShare({ hedonic }: Model, config: FormConfig, sales: readonly Sale[]): number {
  const seen = new Map([
    ...hedonic.fields.flatMap((code) => (code.kind === 'list' ? [[code.key, code.items] as const] : [])),
    ...hedonic.factors.flatMap((code) => (code.kind !== 'number' ? [[code.key, code.answers] as const] : [])),
  ])
  const found = config.fields.flatMap((field) => {
    const known = seen.get(field.key)
    const items = known ? sales.flatMap(({ attributes }) => itemsIn(attributes[field.key], field)) : []
    return items.map((item) => known?.includes(item))
  })
  return share(found, (isKnown) => !isKnown)
}

const BINS = 10
/** added to every bin, which keeps the logarithm of empty ones finite */
const PSEUDOCOUNT = 0.5

/**
 * Population stability index of the prices: Σ (actual − expected) · ln(actual / expected) over deciles of the sales the
 * model learned from, less what two samples of one population of these sizes have on average (Yurdakul 2018): with 50
 * sales that is 0.18. Below 0.1 is stable, above 0.25 another population.
 */
export function stability(model: Pick<Model, 'percentiles' | 'sampleN'>, sales: readonly Sale[]): number {
  if (sales.length === 0) return 0
  const edges = Array.from({ length: BINS - 1 }, (_, k) => model.percentiles[((k + 1) * 100) / BINS] ?? 0)
  const counts = new Array<number>(BINS).fill(PSEUDOCOUNT)
  for (const { priceFen } of sales) {
    const bin = edges.filter((edge) => Math.log(priceFen) > edge).length
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const total = sum(counts)
  const index = sum(counts.map((count) => (count / total - 1 / BINS) * Math.log((count / total) * BINS)))
  return Math.max(0, index - (BINS - 1) * (1 / sales.length + 1 / Math.max(1, model.sampleN)))
}
