import { step } from './step'

/** For how much, and when, the account of an order was really sold, as the staff learnt it. */
export const salesTold = step('alter table orders add column sold_fen bigint, add column sold_at bigint')
