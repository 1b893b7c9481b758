import { concurrentIndex, migration } from './migration'

/** Whether an owner's report of a sale was given with the consent to use it; null where older releases stored it. */
export const followupConsent = migration('alter table sale_followups add column consented boolean')

/** Reports whose consent is still to be checked, see `followups/rating-prices.ts`. */
export const followupsToCheck = concurrentIndex(
  'sale_followups_to_check',
  'sale_followups (order_id) where consented is null and told_at is not null',
)
