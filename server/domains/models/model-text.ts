/**
 * Text format of a model: one line with everything but the sales, then lines of some sales each, so that megabytes can
 * be parsed without blocking other requests.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { Model, StoredSale } from '../../engine/types'
import { batchesOf } from '../shared/batches'

export function writeModel({ sales, ...rest }: Model): string {
  return [rest, ...batchesOf(sales)].map((part) => JSON.stringify(part)).join('\n')
}

/** Throws on text that `writeModel` did not produce. */
export async function readModel(text: string): Promise<Model> {
  const end = text.indexOf('\n')
  const model: Model = { ...(JSON.parse(end < 0 ? text : text.slice(0, end)) as Omit<Model, 'sales'>), sales: [] }
  for (let from = end; from >= 0; ) {
    const next = text.indexOf('\n', from + 1)
    const slice = JSON.parse(text.slice(from + 1, next < 0 ? undefined : next)) as StoredSale[]
    for (const sale of slice) model.sales.push(sale)
    from = next
    await turn()
  }
  return model
}
