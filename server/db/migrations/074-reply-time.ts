import { step } from './step'

/** The usual response time is computed from the answers instead of being entered. */
export const replyTime = step('alter table staff drop column avg_reply_sec')
