import { step } from './step'

/** When a session of the desk was last used: a consultant is there while it is. */
export const deskPresence = step('alter table staff_sessions add column seen_at bigint')
