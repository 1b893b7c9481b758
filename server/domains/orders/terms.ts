import { DAY_MS, HOUR_MS } from '@/contract/time'

/** Times of an order's life, in ms. */
const MINUTE = 60_000

/** An unpaid order, and a coupon held by a payment that was begun, wait so long. */
export const PAY_WITHIN = 15 * MINUTE
/** WAIT_AUTH and FAILED close after it. */
export const RETRY_WITHIN = DAY_MS
/** The user supplies what an appraiser asked for within it, or gets the money back. */
export const SUPPLY_WITHIN = 2 * DAY_MS
/** We answer a wish for a refund within it; silence is a yes. */
export const REVIEW_WITHIN = DAY_MS
/** Working time an appraiser has. */
export const DELIVER_WITHIN = 2 * HOUR_MS
/** Past `dueAt` by this: everything is paid back unasked. */
export const LATE_REFUND_AFTER = DAY_MS
/** A report can be judged so long. */
export const EVALUATE_WITHIN = 30 * DAY_MS
/** Between two urges of one order. */
export const URGE_EVERY = HOUR_MS
