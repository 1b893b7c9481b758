import { migration } from './migration'

/**
 * When the owner revoked embedding of the report: embedding addresses are signed and not stored, so they cannot be
 * deleted.
 */
export const embedsEnded = migration('alter table orders add column embeds_ended_at bigint')
