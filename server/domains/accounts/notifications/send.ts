import type { Insertable } from 'kysely'
import type { Message } from '@/contract/types'
import type { Db } from '../../../db/database'
import type { DB } from '../../../db/tables'
import { newId } from '../../shared/secrets'

export interface NewMessage {
  /** generated when omitted */
  id?: string
  userId: string
  type: Message['type']
  title: string
  /** one sentence, shown in the list */
  summary: string
  /** the full text; defaults to the summary */
  body?: string
  bizType: Message['bizType']
  bizId?: string
  /** page of the app with its parameters */
  link?: string
  /** whether WeChat may send it to users who allowed one message; it may always send reports */
  remind?: true
  /** ms */
  now: number
}

/** Types covered by the setting 报告和订单通知. Messages that require an action of the user are always sent. */
const REPORTS: readonly Message['type'][] = ['REPORT_READY', 'PAID', 'REFUNDED', 'HELPED', 'UNLOCKED']

/** Whether the user wants to be alerted; otherwise the message is stored as read. */
async function isWanted(tx: Db, { userId, type }: NewMessage): Promise<boolean> {
  if (!REPORTS.includes(type)) return true
  const row = await tx.selectFrom('users').select('settings').where('id', '=', userId).executeTakeFirst()
  return row?.settings.pushReport !== false
}

const toRow = (n: NewMessage, wanted: boolean): Insertable<DB['messages']> => ({
  id: n.id ?? newId(),
  user_id: n.userId,
  type: n.type,
  title: n.title,
  summary: n.summary,
  body: n.body ?? n.summary,
  biz_type: n.bizType,
  biz_id: n.bizId ?? null,
  link: n.link ?? null,
  // WeChat sends it (domains/accounts/notifications/reminders.ts)
  remind_at: wanted && (n.remind || n.type === 'REPORT_READY') ? n.now : null,
  read: !wanted,
  created_at: n.now,
})

/** Stores a message for the user. Call in the transaction of the event it reports: both are committed or neither. */
export async function notify(tx: Db, n: NewMessage): Promise<void> {
  await tx
    .insertInto('messages')
    .values(toRow(n, await isWanted(tx, n)))
    .execute()
}

/**
 * Stores messages with given ids for users who want them, in one statement; idempotent by id.
 * @returns how many were new
 */
export async function notifyOnce(tx: Db, all: readonly (NewMessage & { id: string })[]): Promise<number> {
  if (all.length === 0) return 0
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('messages')
    .values(all.map((n) => toRow(n, true)))
    .onConflict((c) => c.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}
