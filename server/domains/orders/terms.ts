import { DAY_MS, HOUR_MS } from '@/contract/time'

/** Time limits of orders, in ms. */
const MINUTE = 60_000

/** Payment of an unpaid order; also how long a begun payment locks a coupon. */
export const PAY_WITHIN = 15 * MINUTE
/** WAIT_AUTH and FAILED orders are closed after it. */
export const RETRY_WITHIN = DAY_MS
/** For the user to supply requested information; then the order is refunded. */
export const SUPPLY_WITHIN = 2 * DAY_MS
/** For us to decide on a refund request; then it is granted. */
export const REVIEW_WITHIN = DAY_MS
/** Working time for an appraiser to deliver. */
export const DELIVER_WITHIN = 2 * HOUR_MS
/** Before `dueAt`: an order without an opinion goes to another appraiser who is at the desk. */
export const REASSIGN_BEFORE = 45 * MINUTE
/** After `dueAt`: the order is refunded in full automatically. */
export const LATE_REFUND_AFTER = DAY_MS
/** For rating a report. */
export const EVALUATE_WITHIN = 30 * DAY_MS
/** Minimum interval between two urges of an order. */
export const URGE_EVERY = HOUR_MS
