import { DELIVERY_HOURS, QUESTION_DAYS } from '@/contract/appraisal'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/contract/time'
import { workingTimeBetween, workingTimeFrom } from '../shared/working-hours'

// time limits of orders, in ms

/** Until an unpaid order is paid; a begun payment locks a coupon as long. */
export const PAYMENT_PERIOD_MS = 15 * MINUTE_MS
/** WAIT_AUTH and FAILED orders are closed after it. */
export const RETRY_PERIOD_MS = DAY_MS
/** Until the user has supplied requested information; then the order is refunded. */
export const SUPPLY_PERIOD_MS = 2 * DAY_MS
/** Requests for information per order: each stops the clock of the delivery. */
export const MAX_INFO_REQUESTS = 3
/** Working time left at least for the delivery once requested information was supplied. */
const RESUME_PERIOD_MS = 30 * MINUTE_MS
/** Until we have decided on a refund request; that of a manual order is granted then. */
export const REFUND_REVIEW_PERIOD_MS = DAY_MS
/** Working time for an appraiser to deliver. */
export const DELIVERY_PERIOD_MS = DELIVERY_HOURS * HOUR_MS
/** How long before `dueAt` an order whose price is awaited goes to another appraiser who is at the desk. */
export const REASSIGN_LEAD_MS = 45 * MINUTE_MS
/** How long before `dueAt` even an order that somebody is working on goes to another appraiser. */
export const LAST_REASSIGN_LEAD_MS = 20 * MINUTE_MS
/** How long after an estimate or a saved draft its author counts as at work on the order. */
export const AT_WORK_PERIOD_MS = 20 * MINUTE_MS
/** How long after `dueAt` the order is refunded in full automatically. */
export const LATE_REFUND_DELAY_MS = DAY_MS
/** How long after a delivery its appraiser can be asked. */
export const QUESTION_PERIOD_MS = QUESTION_DAYS * DAY_MS
/** How long after a delivery its report can be rated. */
export const RATING_PERIOD_MS = 30 * DAY_MS
/** Minimum interval between two urges of an order. */
export const URGE_INTERVAL_MS = HOUR_MS

/** Until when a report is delivered, ms: of an order that is paid, valued again or not refunded at `from`; the checkout shows it before. */
export const deliveryDueAt = (from: number): number => workingTimeFrom(from, DELIVERY_PERIOD_MS)

/**
 * Until when a report is delivered, ms, once the owner has supplied requested information at `now`: what was left of the
 * working time when it was requested. A request must not move what the owner was promised by more than they took.
 */
export const resumedDueAt = (order: { dueAt: number; requestedAt: number }, now: number): number =>
  workingTimeFrom(now, Math.max(RESUME_PERIOD_MS, workingTimeBetween(order.requestedAt, order.dueAt)))
