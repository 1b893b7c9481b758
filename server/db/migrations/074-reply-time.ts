import { step } from './step'

/** The usual wait for an answer is reckoned from the answers, nobody types it. */
export const replyTime = step('alter table staff drop column avg_reply_sec')
