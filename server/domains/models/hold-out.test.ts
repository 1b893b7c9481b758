import { DAY } from '../../engine/numbers'
import type { Sale } from '../../engine/types'
import { holdOut, MIN_NEW_VERIFIED } from './hold-out'
import type { PartnerSales } from './repository'

/** One sale a day from `day` on, with ids from `id` on. */
const daily = (n: number, id: number, day: number) =>
  Array.from({ length: n }, (_, i) => ({ id: String(id + i), at: (day + i) * DAY }) as Sale)
const known = daily(100, 1, 1000)
const history = daily(200, 101, 700)
const idsOf = (sales: readonly Sale[]) => new Set(sales.map(({ id }) => id))
const heldOut = (sales: readonly Sale[], told: readonly Sale[] = [], partners: PartnerSales[] = []) =>
  holdOut({ sales: [...sales, ...told], verified: idsOf(sales), selfReported: idsOf(told), partners }, 100)

test('imported history is no test set', () => {
  expect(heldOut([...known, ...history])).toBeUndefined()
})

test('beside imported history the later half of the sales after those of the model in use is tested', () => {
  const later = daily(MIN_NEW_VERIFIED, 301, 1100)
  const expected = later.slice(-MIN_NEW_VERIFIED / 2).map(({ id }) => id)
  expect(heldOut([...known, ...history, ...later])).toEqual({ testSet: expected, excluded: expected })
  // a listing of before, pasted again with another price
  const again = daily(1, 1, 1100 + MIN_NEW_VERIFIED)
  expect(heldOut([...known.slice(1), ...later], again)).toEqual({ testSet: expected, excluded: expected })
})

test('the sales of one partner make up at most half of what is tested, and are kept where there are hardly others', () => {
  const later = daily(400, 301, 1100)
  const of = (ids: string[]) => [{ partnerId: 'p', name: 'p', ids, unchecked: ids }]
  const own = later.filter((_, i) => i % 4 > 0).map(({ id }) => id)
  const { testSet = [] } = heldOut([...known, ...later], [], of(own)) ?? {}
  expect(testSet).toHaveLength(200)
  expect(testSet.filter((id) => own.includes(id)).length).toBe(100)
  // nor by what it has just sent
  const [before, now] = [daily(200, 301, 1100), daily(300, 501, 1300)]
  const just = now.map(({ id }) => id)
  const mixed = heldOut([...known, ...before, ...now], [], of(just))?.testSet ?? []
  expect([mixed.length, mixed.filter((id) => just.includes(id)).length]).toEqual([250, 125])
  expect(heldOut([...known, ...later], [], of(later.map(({ id }) => id)))?.testSet).toHaveLength(200)
})
