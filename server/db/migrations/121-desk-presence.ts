import { step } from './step'

/** Last use of a desk session: consultants count as present while it is recent. */
export const deskPresence = step('alter table staff_sessions add column seen_at bigint')
