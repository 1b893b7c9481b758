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
  const later = eligible.slice(-Math.min(MAX_TEST_SET, Math.ceil(eligible.length / 2)))
  const testSet = withoutMajority(later, partners)
  if (testSet.length < MIN_NEW_VERIFIED / 2) return undefined
  const [first] = later
  const excluded = first ? newer.filter((sale) => byTime(sale, first) >= 0) : []
  return { testSet: testSet.map(({ id }) => id), excluded: excluded.map(({ id }) => id) }
}

/** sales of others from which on they limit a partner; with fewer there would be nothing left to measure */
const MIN_OTHERS = MIN_NEW_VERIFIED / 2

/**
 * The sales, oldest first, of which no partner makes up more than half: of one that does, the newest as many as all others
 * are kept. Otherwise the sales of one partner would decide whether a model that learned from it is better. Where a game is
 * sold by hardly anybody else, all are kept.
 */
export function withoutMajority<T extends { id: string }>(
  sales: readonly T[],
  partners: readonly { ids: readonly string[] }[],
): T[] {
  for (const { ids } of partners) {
    const own = new Set(ids)
    const others = sales.filter(({ id }) => !own.has(id)).length
    let surplus = sales.length - 2 * others
    if (surplus > 0 && others >= MIN_OTHERS) return sales.filter(({ id }) => !own.has(id) || surplus-- <= 0)
  }
  return [...sales]
}
