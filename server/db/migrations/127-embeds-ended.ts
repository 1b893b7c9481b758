import { step } from './step'

/**
 * When the owner revoked embedding of the report: embedding addresses are signed and not stored, so they cannot be
 * deleted.
 */
export const embedsEnded = step('alter table orders add column embeds_ended_at bigint')
