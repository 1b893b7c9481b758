import { step } from './step'

/** The coupon somebody was given because an order made them unhappy: it goes back with the order's money. */
export const recheckTicket = step('alter table orders add column ticket_id text')
