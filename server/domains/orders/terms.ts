/** Times of an order's life, in ms. */
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A report is valid so long (rule 2.4); its order expires or is done with it. */
export const VALID_FOR = 7 * DAY
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
/** Appraisers work from 09:00 to 24:00 China time. */
const OPENS = 9 * HOUR
const CHINA = 8 * HOUR

/**
 * The moment by which `work` ms of working time (09:00–24:00, China) have passed since `from`.
 * @example paid at 23:30, two hours of work: due at 10:30 the next day
 */
export function workingTimeFrom(from: number, work: number): number {
  const dayStart = Math.floor((from + CHINA) / DAY) * DAY - CHINA
  const start = Math.max(from, dayStart + OPENS)
  const left = dayStart + DAY - start
  return work <= left ? start + work : workingTimeFrom(dayStart + DAY, work - left)
}

/** Whether people work at this moment. */
export const isOpen = (now: number): boolean => (now + CHINA) % DAY >= OPENS
