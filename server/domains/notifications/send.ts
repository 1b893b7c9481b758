import type { Insertable } from 'kysely'
import type { Message } from '@/contract/types'
import type { Db } from '../../db/database'
import type { Tables } from '../../db/tables'
import { newId } from '../shared/secrets'

export interface Notice {
  /** made when left out */
  id?: string
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

/** What 报告和订单通知 is about. What waits for the person's own doing is always told. */
const REPORTS: readonly Message['type'][] = ['REPORT_READY', 'PAID', 'REFUNDED', 'HELPED', 'UNLOCKED']

/** Whether the person wants to be told; the message stands in the box either way. */
async function isWanted(tx: Db, { userId, type }: Notice): Promise<boolean> {
  if (!REPORTS.includes(type)) return true
  const row = await tx.selectFrom('users').select('settings').where('id', '=', userId).executeTakeFirst()
  return row?.settings.pushReport !== false
}

const toRow = (n: Notice, wanted: boolean): Insertable<Tables['messages']> => ({
  id: n.id ?? newId(),
  user_id: n.userId,
  type: n.type,
  title: n.title,
  summary: n.summary,
  body: n.body ?? n.summary,
  biz_type: n.bizType,
  biz_id: n.bizId ?? null,
  link: n.link ?? null,
  // the one thing the app offers to tell of (domains/notifications/reminders.ts)
  remind_at: wanted && n.type === 'REPORT_READY' ? n.now : null,
  read: !wanted,
  created_at: n.now,
})

/** Puts a message into the user's box. Hand in the transaction of what it tells about: both happen or neither. */
export async function notify(tx: Db, n: Notice): Promise<void> {
  await tx
    .insertInto('messages')
    .values(toRow(n, await isWanted(tx, n)))
    .execute()
}

/**
 * Puts messages with ids of their own into the boxes of those who want them, in one statement.
 * @returns how many were not there yet
 */
export async function notifyOnce(tx: Db, all: readonly (Notice & { id: string })[]): Promise<number> {
  if (all.length === 0) return 0
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('messages')
    .values(all.map((n) => toRow(n, true)))
    .onConflict((c) => c.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}
