import { migration } from './migration'

/** The usual response time is computed from the answers instead of being entered. */
export const replyTime = migration('alter table staff drop column avg_reply_sec')
