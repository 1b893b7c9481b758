/** The newest sales, on which a new model is compared with the one in use: neither has learned from them. */
import type { Sale } from '../../engine/types'
import { MIN_TESTED } from './backtests'
import type { TrainingSales } from './repository'

/** verified sales added since the training of the model in use, below which both are compared by their back-tests */
export const MIN_NEW_VERIFIED = MIN_TESTED
/** sales that both models predict, at most */
const MAX_TEST_SET = 300

export interface HoldOut {
  /** ids of the sales that both models predict, oldest first */
  testSet: string[]
  /** ids of all sales that the challenger of the comparison may not learn from */
  excluded: string[]
}

const byTime = (a: Sale, b: Sale) => a.at - b.at || Number(a.id) - Number(b.id)

/**
 * The later half of the verified sales that the model in use has not seen is the test set, with at most half of them from
 * one partner; the challenger is trained on the others, whether or not they are correct. Imported history is not tested: with
 * only older sales, the challenger would lack everything the model in use was trained on.
 * @param newestSale id of the newest sale that the model in use was trained on
 * @returns undefined with too few of them
 */
export function holdOut(
  { sales, verified, selfReported, partners }: Pick<TrainingSales, 'sales' | 'verified' | 'selfReported' | 'partners'>,
  newestSale: number,
): HoldOut | undefined {
  const newer = sales.filter(({ id }) => Number(id) > newestSale).sort(byTime)
  // a price that is told again keeps its id and gets a new time: it would rule out all honest sales before it
  const known = sales.filter(({ id }) => Number(id) <= newestSale && !selfReported.has(id))
  const newestKnown = known.reduce((newest, { at }) => Math.max(newest, at), 0)
  const eligible = newer.filter(({ id, at }) => at > newestKnown && verified.has(id))
  if (eligible.length < MIN_NEW_VERIFIED) return undefined
  const testSet = newestWithoutMajority(eligible, partners, Math.min(MAX_TEST_SET, Math.ceil(eligible.length / 2)))
  const [first] = testSet
  const excluded = first ? newer.filter((sale) => byTime(sale, first) >= 0) : []
  return { testSet: testSet.map(({ id }) => id), excluded: excluded.map(({ id }) => id) }
}

/** sales of others from which on they limit a partner; with fewer there would be too little left to measure */
const MIN_OTHERS = 40

/**
 * The newest `n` of the sales, oldest first. Where more than half of them are of one partner, so many are taken of it as of all
 * others: otherwise it would decide alone whether a model that learned from it is better, with what it has just sent. Where a
 * game is sold by hardly anybody else, the newest are taken.
 */
export function newestWithoutMajority<T extends { id: string }>(
  sales: readonly T[],
  partners: readonly { ids: readonly string[] }[],
  n: number,
): T[] {
  const newest = sales.slice(-n)
  for (const { ids } of partners) {
    const own = new Set(ids)
    const isOwn = ({ id }: T) => own.has(id)
    const others = sales.filter((sale) => !isOwn(sale))
    if (others.length < MIN_OTHERS || newest.filter(isOwn).length <= n / 2) continue
    const half = Math.min(Math.floor(n / 2), others.length)
    const kept = new Set([...others.slice(-half), ...sales.filter(isOwn).slice(-half)])
    return sales.filter((sale) => kept.has(sale))
  }
  return newest
}
