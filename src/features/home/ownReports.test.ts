import type { MarketPage, Order, SaleFollowUp } from '@/contract/types'
import { isFollowUpDue, marketText, reportToFollowUp, weekHeights } from './ownReports'

const DAY = 86_400_000
const NOW = 100 * DAY
const order = (orderId: string, gameId: string, daysAgo: number) =>
  ({ orderId, gameId, reportedAt: NOW - daysAgo * DAY }) as Order
const asked = (...list: Order[]) => reportToFollowUp(list, NOW)?.orderId

test('owners are asked 7 to 45 days after the newest report of a game', () => {
  expect([asked(order('a', 'x', 6.9)), asked(order('a', 'x', 7)), asked(order('a', 'x', 45))]).toEqual([
    undefined,
    'a',
    undefined,
  ])
  expect(asked(order('new', 'x', 1), order('old', 'x', 10))).toBeUndefined()
  expect(asked(order('new', 'x', 1), order('other', 'y', 10))).toBe('other')
})

test('a final answer ends the question, news of an offer pauses it for a week', () => {
  const listed = (daysAgo: number) => ({ outcome: 'LISTED', toldAt: NOW - daysAgo * DAY })
  const of = (change: object) => isFollowUpDue({ open: true, correction: false, ...change } as SaleFollowUp, NOW)
  expect([of({}), of({ open: false }), of({ correction: true })]).toEqual([true, false, false])
  expect([of({ answer: listed(6) }), of({ answer: listed(7) })]).toEqual([false, true])
})

const page = (...values: (number | null)[]) => ({
  weeks: values.map((index, at) => ({ at, index, low: index, high: index, n: 1 })) as MarketPage['weeks'],
  ...{ sold30: 12, syntheticShare: 0 },
})

test('the market is told by the change of four weeks, and not with fewer', () => {
  expect(marketText(page(100, 100, 100, 98))).toBeUndefined()
  expect(marketText(page(100, 100, 100, null, 98, 97))).toBe('近四周跌 3.0%，近30天成交12笔')
  expect(marketText(page(100, 100, 100, 98, 100.4))).toBe('近四周持平，近30天成交12笔')
  // the current week has too few sales so far
  expect(marketText(page(100, 100, 100, 98, 97, null))).toBe('近四周跌 3.0%，近30天成交12笔')
  // not the change of another period
  expect(marketText(page(100, null, 100, 100, 98, 97))).toBeUndefined()
  expect(marketText(page(100, 100, 100, 100, 97, null, null))).toBeUndefined()
  expect(weekHeights(page(90, null, 110, 100))).toEqual([
    { at: 0, height: 10 },
    { at: 2, height: 100 },
    { at: 3, height: 55 },
  ])
})
