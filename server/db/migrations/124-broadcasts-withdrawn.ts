import { step } from './step'

/** When the staff took a message to all users back: nobody is shown it any more. */
export const broadcastsWithdrawn = step('alter table broadcasts add column withdrawn_at bigint')
