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
  const listed = (daysAgo: number) => ({ outcome: 'LISTED', toldAt: NOW - daysAgo * DAY })
  const of = (change: object) => isFollowUpDue({ open: true, correction: false, ...change } as SaleFollowUp, NOW)
  expect([of({}), of({ open: false }), of({ correction: true })]).toEqual([true, false, false])
  expect([of({ answer: listed(6) }), of({ answer: listed(7) })]).toEqual([false, true])
})
