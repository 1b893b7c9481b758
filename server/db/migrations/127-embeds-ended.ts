import { step } from './step'

/** When the owner ended what was given away of the report: addresses for embedding are signed and stored nowhere. */
export const embedsEnded = step('alter table orders add column embeds_ended_at bigint')
