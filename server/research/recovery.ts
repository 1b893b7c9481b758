/** How fast the engine follows a market in which all prices change at once. */
import type { FormConfig } from '@/contract/form/types'
import { fitOn } from '../domains/models/drift'
import { DAY } from '../engine/numbers'
import { train } from '../engine/train'
import type { Sale } from '../engine/types'

/** a model has recovered when its median error is within so many times that of before */
const RECOVERED = 1.2
const TWO_WEEKS = 14 * DAY

/**
 * Median error of the next two weeks' sales around a sudden change of all prices at `shock` (ms): by a model trained two
 * weeks before it, and by one trained one, two and more days after it, until the error is within 1.2 times the former or
 * for `most` days. With a recovery, the length of `after` is its number of days.
 */
export async function recovery(
  config: FormConfig,
  sales: readonly Sale[],
  shock: number,
  most = 21,
): Promise<{ before: number; after: number[]; recovered: boolean }> {
  const errorOf = async (now: number) => {
    const model = train(
      config,
      sales.filter(({ at }) => at < now),
      { now },
    )
    const next = sales.filter(({ kind, at }) => kind === 'SOLD' && at >= now && at < now + TWO_WEEKS)
    return (await fitOn(model, config, next)).medianError
  }
  const before = await errorOf(shock - TWO_WEEKS)
  const after: number[] = []
  const recovered = () => (after.at(-1) ?? Number.POSITIVE_INFINITY) <= RECOVERED * before
  while (after.length < most && !recovered()) after.push(await errorOf(shock + (after.length + 1) * DAY))
  return { before, after, recovered: recovered() }
}
