/** Times of an order's life, in ms. */
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** An unpaid order, and a coupon held by a payment that was begun, wait so long. */
export const PAY_WITHIN = 15 * MINUTE
/** WAIT_AUTH and FAILED close after it. */
export const RETRY_WITHIN = DAY
/** The user supplies what an appraiser asked for within it, or gets the money back. */
export const SUPPLY_WITHIN = 2 * DAY
/** We answer a wish for a refund within it; silence is a yes. */
export const REVIEW_WITHIN = DAY
/** Working time an appraiser has. */
export const DELIVER_WITHIN = 2 * HOUR
/** Past `dueAt` by this: everything is paid back unasked. */
export const LATE_REFUND_AFTER = DAY
/** A report can be judged so long. */
export const EVALUATE_WITHIN = 30 * DAY
/** Between two urges of one order. */
export const URGE_EVERY = HOUR
