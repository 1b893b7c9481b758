/** Which report of its user home asks about: whether the account was sold. */
import { DAY_MS } from '@/contract/time'
import type { Order, SaleFollowUp } from '@/contract/types'

/** ms after a report between which its owner is asked about the sale; `again`: pause after the answer that it is only listed */
const FOLLOW_UP = { from: 7 * DAY_MS, until: 45 * DAY_MS, again: 7 * DAY_MS } as const

/** The newest order of a game whose report is old enough to ask about. @param list newest first */
export const reportToFollowUp = (list: readonly Order[], now: number): Order | undefined =>
  list.find(({ gameId, reportedAt = 0 }, i) => {
    const isNewest = list.findIndex((other) => other.gameId === gameId) === i
    return isNewest && reportedAt <= now - FOLLOW_UP.from && reportedAt > now - FOLLOW_UP.until
  })

/** Whether the owner has not said yet how the sale ended. */
export const isFollowUpDue = ({ answer }: SaleFollowUp, now: number): boolean =>
  answer === undefined || (answer.outcome === 'LISTED' && answer.toldAt <= now - FOLLOW_UP.again)
