import { concurrentIndex, migration } from './migration'

/** Whether a recorded sale has been compared with the market and given to the models; sales of older releases were not. */
export const salesJudged = migration('alter table orders add column sale_judged boolean not null default false')

export const ordersToJudge = concurrentIndex(
  'orders_to_judge',
  'orders (id) where sold_fen is not null and not sale_judged',
)
