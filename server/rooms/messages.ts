import type { Message } from '@/contract/types'
import type { Db } from '../db/database'
import { newId } from './secrets'

export interface Notice {
  userId: string
  type: Message['type']
  title: string
  /** one sentence, shown in the list */
  summary: string
  /** the whole text; the summary when left out */
  body?: string
  bizType: Message['bizType']
  bizId?: string
  /** page of the app with its parameters */
  link?: string
  /** ms */
  now: number
}

/** Puts a message into the user's box. Hand in the transaction of what it tells about: both happen or neither. */
export async function notify(tx: Db, n: Notice): Promise<void> {
  await tx
    .insertInto('messages')
    .values({
      id: newId(),
      user_id: n.userId,
      type: n.type,
      title: n.title,
      summary: n.summary,
      body: n.body ?? n.summary,
      biz_type: n.bizType,
      biz_id: n.bizId ?? null,
      link: n.link ?? null,
      // the one thing the app offers to tell of (rooms/user/reminders.ts)
      remind_at: n.type === 'REPORT_READY' ? n.now : null,
      created_at: n.now,
    })
    .execute()
}
