import { migration } from './migration'

/** The recheck ticket given after a complaint about an order: it is revoked when the order is refunded. */
export const recheckTicket = migration('alter table orders add column ticket_id text')
