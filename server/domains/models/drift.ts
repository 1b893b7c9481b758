/** How well a model still fits: its errors on sales it has not seen, and how far the accounts sold have changed. */
import type { FormConfig } from '@/contract/form/types'
import { answerOf, isKnown } from '../../engine/encode'
import { quantile, share, sum } from '../../engine/numbers'
import type { Model, Sale } from '../../engine/types'
import { priceOfRecord } from '../../engine/valuate'
import { mapInTurns } from '../shared/batches'

export interface Fit {
  /** sales that were priced */
  n: number
  medianError: number
  /** share within the 80 % range */
  coverage: number
}

/** Errors on later sales, each priced as of its own date. */
export async function fitOn(model: Model, config: FormConfig, sales: readonly Sale[]): Promise<Fit> {
  const priced = await mapInTurns(sales, ({ attributes, at, priceFen }) => {
    const price = priceOfRecord(model, config, attributes, { now: at, source: 'TYPED' })
    return price ? [{ sold: priceFen, ...price }] : []
  })
  const errors = priced.flat().map(({ sold, predictFen }) => Math.abs(predictFen - sold) / sold)
  const coverage = share(priced.flat(), ({ sold, lowFen, highFen }) => sold >= lowFen && sold <= highFen)
  return { n: errors.length, medianError: quantile(errors, 0.5), coverage }
}

/** Share of items and options among the sales that the model has never seen. */
export function unknownShare({ hedonic }: Model, sales: readonly Sale[]): number {
  let [all, unknown] = [0, 0]
  for (const { attributes } of sales) {
    for (const code of hedonic.fields) {
      const answer = answerOf(attributes, code.key)
      if (code.kind !== 'list' || !Array.isArray(answer)) continue
      for (const entry of answer) {
        all += 1
        if (!code.items.includes(typeof entry === 'string' ? entry : entry.v)) unknown += 1
      }
    }
    for (const code of hedonic.factors) {
      const answer = answerOf(attributes, code.key)
      if (code.kind !== 'choice' || !isKnown(answer)) continue
      all += 1
      if (!code.answers.includes(Array.isArray(answer) ? answer.join('/') : String(answer))) unknown += 1
    }
  }
  return all === 0 ? 0 : unknown / all
}

const BINS = 10
/** added to every bin, which keeps the logarithm of empty ones finite */
const PSEUDOCOUNT = 0.5

/**
 * Population stability index of the prices: Σ (actual − expected) · ln(actual / expected) over deciles of the sales the
 * model learned from, less what two samples of one population of these sizes have on average (Yurdakul 2018): with 50
 * sales that is 0.18. Below 0.1 is stable, above 0.25 another population.
 */
export function stability(
  { percentiles, sampleN }: Pick<Model, 'percentiles' | 'sampleN'>,
  sales: readonly Sale[],
): number {
  if (sales.length === 0) return 0
  const edges = Array.from({ length: BINS - 1 }, (_, k) => percentiles[((k + 1) * 100) / BINS] ?? 0)
  const counts = new Array<number>(BINS).fill(PSEUDOCOUNT)
  for (const { priceFen } of sales) {
    const bin = edges.filter((edge) => Math.log(priceFen) > edge).length
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  const total = sum(counts)
  const index = sum(counts.map((count) => (count / total - 1 / BINS) * Math.log((count / total) * BINS)))
  return Math.max(0, index - (BINS - 1) * (1 / sales.length + 1 / Math.max(1, sampleN)))
}
