import { step } from './step'

/** The recheck ticket given after a complaint about an order: it is revoked when the order is refunded. */
export const recheckTicket = step('alter table orders add column ticket_id text')
