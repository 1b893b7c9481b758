import { migration } from './migration'

/** Last use of a desk session: consultants count as present while it is recent. */
export const deskPresence = migration('alter table staff_sessions add column seen_at bigint')
