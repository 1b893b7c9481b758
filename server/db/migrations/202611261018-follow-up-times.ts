import { concurrentIndex, migration } from './migration'

/** When the owner is next asked about the sale (`followups/send-follow-ups.ts`); the previous release leaves it null. */
export const followUpTimes = migration('alter table orders add column follow_up_at bigint')

export const ordersToFollowUp = concurrentIndex(
  'orders_to_follow_up',
  'orders (coalesce(follow_up_at, reported_at + 604800000)) where reported_at is not null',
)
