import { migration } from './migration'

/** When staff withdrew a broadcast; it is not shown any more. */
export const broadcastsWithdrawn = migration('alter table broadcasts add column withdrawn_at bigint')
