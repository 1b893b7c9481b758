import type { Order, SaleFollowUp } from '@/contract/types'
import { isFollowUpDue, reportToFollowUp } from './ownReports'

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
  const told = (outcome: string, daysAgo: number) => ({ answer: { outcome, toldAt: NOW - daysAgo * DAY } })
  const of = (change: object) => isFollowUpDue({ thanked: false, ...change } as SaleFollowUp, NOW)
  expect([of({}), of(told('SOLD', 9)), of(told('KEPT', 9))]).toEqual([true, false, false])
  expect([of(told('LISTED', 6)), of(told('LISTED', 7))]).toEqual([false, true])
})
