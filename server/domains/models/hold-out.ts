/** The newest sales, on which a new model is compared with the one in use: neither has learned from them. */
import type { Sale } from '../../engine/types'
import { MIN_TESTED } from './backtests'
import type { TrainingSales } from './repository'

/** proven sales added since the training of the model in use, below which both are compared by their back-tests */
export const MIN_UNSEEN = MIN_TESTED
/** sales that both models predict, at most */
const MAX_TESTED = 300

export interface HoldOut {
  /** ids of the sales that both models predict, oldest first */
  tested: string[]
  /** ids of all sales that the challenger of the comparison may not learn from */
  hidden: string[]
}

const byTime = (a: Sale, b: Sale) => a.at - b.at || Number(a.id) - Number(b.id)

/**
 * The later half of the proven sales that the model in use has not seen is tested; from the others the challenger has
 * learned what they say, true or not.
 * @param newestSale id of the newest sale that the model in use was trained on
 * @returns undefined with too few of them
 */
export function holdOut(
  { sales, proven }: Pick<TrainingSales, 'sales' | 'proven'>,
  newestSale: number,
): HoldOut | undefined {
  const unseen = sales.filter(({ id }) => Number(id) > newestSale).sort(byTime)
  const judges = unseen.filter(({ id }) => proven.has(id))
  if (judges.length < MIN_UNSEEN) return undefined
  const tested = judges.slice(-Math.min(MAX_TESTED, Math.ceil(judges.length / 2)))
  const [first] = tested
  const hidden = first ? unseen.filter((sale) => byTime(sale, first) >= 0) : []
  return { tested: tested.map(({ id }) => id), hidden: hidden.map(({ id }) => id) }
}
