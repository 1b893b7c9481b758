import { step } from './step'

/** When staff withdrew a broadcast; it is not shown any more. */
export const broadcastsWithdrawn = step('alter table broadcasts add column withdrawn_at bigint')
