import { sql } from 'kysely'
import { CHAT_TEXT_MAX } from '@/contract/constants'
import { CHAT_PAGE } from '@/contract/pages'
import { AppError, invalid } from '../../app-error'
import type { Db } from '../../db/database'
import { notify } from '../notifications/send'
import { lockUsers } from '../shared/locks'
import { pageLink } from '../shared/page-link'
import { workingTimeFrom } from '../shared/working-hours'
import { clean } from './clean'
import { addMessages, type ChatRow, lockChat, sentBefore } from './write'

/** conversations, and messages of one, on a page of the desk */
const PAGE_ROWS = 50
const SHOWN = 100
/** ms after the last sign of the user's open chat in which no message is put into the box */
const LOOKING = 60_000

/** Conversations: those that wait for an answer, the longest first, then the newest. */
export const conversations = (db: Db) =>
  db
    .selectFrom('chats as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('chat_messages as m', (j) => j.onRef('m.user_id', '=', 'c.user_id').onRef('m.seq', '=', 'c.last_seq'))
    .select(['c.user_id', 'c.waiting_since', 'c.changed_at', 'u.nickname', 'm.type', 'm.body', 'm.sender'])
    .select(
      sql<number>`(select count(*) from chat_messages n
        where n.user_id = c.user_id and n.sender = 'USER' and n.seq > c.staff_seq)`.as('unread'),
    )
    .orderBy(sql`c.waiting_since nulls last`)
    .orderBy('c.changed_at', 'desc')
    .limit(PAGE_ROWS)
    .execute()

/** The newest messages of one conversation, the oldest first. @throws AppError NOT_FOUND */
export async function conversation(db: Db, userId: string) {
  const chat = await db
    .selectFrom('chats as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.user_id', 'c.user_seq', 'c.waiting_since', 'u.nickname'])
    .where('c.user_id', '=', userId)
    .executeTakeFirst()
  if (!chat) throw new AppError('NOT_FOUND', { msg: '没有这个会话' })
  const rows: ChatRow[] = await db
    .selectFrom('chat_messages')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(SHOWN)
    .execute()
  return { ...chat, messages: rows.reverse() }
}

export type Conversation = Awaited<ReturnType<typeof conversation>>

/** What waits needs no answer (a thank you). @returns false when nothing waits */
export async function noReply(tx: Db, userId: string): Promise<boolean> {
  const row = await tx
    .updateTable('chats')
    .set({ waiting_since: null })
    .where('user_id', '=', userId)
    .where('waiting_since', 'is not', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Somebody of the staff has it on the screen up to `seq`; the user is shown that. */
export const markRead = (db: Db, userId: string, seq: number) =>
  db.updateTable('chats').set({ staff_seq: seq }).where('user_id', '=', userId).where('staff_seq', '<', seq).execute()

export interface Reply {
  userId: string
  staff: { staffId: string; nick: string }
  /** empty when only a picture is sent */
  text: string
  /** a stored picture of this conversation */
  image?: string | undefined
  /** of the form: sent twice it is one reply */
  clientId: string
  now: number
}

function checked({ text, image, clientId }: Reply): string {
  const { text: body } = clean(text.trim())
  if ((body === '' && !image) || body.length > CHAT_TEXT_MAX)
    throw invalid([{ path: 'text', msg: `请填写回复（1-${CHAT_TEXT_MAX} 字）或选择图片，用户会看到` }])
  if (!/^[\w-]{8,60}$/.test(clientId)) throw invalid([{ path: 'text', msg: '页面已过期，请刷新后再发送' }])
  return body
}

/**
 * An answer to the user, in words, as a picture or both, with a message in the box when the chat is not open. Hand in a
 * transaction.
 * @returns false when it was sent before
 * @throws AppError VALIDATION_FAILED, NOT_FOUND
 */
export async function replyChat(tx: Db, reply: Reply): Promise<boolean> {
  const { userId, staff, image, clientId, now } = reply
  const body = checked(reply)
  // before the conversation, as everybody locks them; an account that was joined to another one has none any more
  await lockUsers(tx, [userId])
  await conversation(tx, userId)
  const chat = await lockChat(tx, userId, now)
  if (await sentBefore(tx, userId, clientId)) return false
  const asked = chat.waiting_since
  const waited = asked === null ? undefined : Math.max(0, now - workingTimeFrom(asked, 0))
  const by = { sender: 'STAFF', staffId: staff.staffId, nick: staff.nick } as const
  const words = body === '' ? [] : [{ ...by, type: 'TEXT', body } as const]
  const picture = image ? [{ ...by, type: 'IMAGE', image } as const] : []
  const messages = [...words, ...picture].map((m, i) => (i === 0 ? { ...m, clientId, waited } : m))
  await addMessages(tx, chat, messages, { waiting_since: null, staff_seq: chat.last_seq + messages.length })
  await tellAway(tx, { chat, body: body || '［图片］', now })
  return true
}

/** answers of which the usual wait is reckoned: the newest, and how many it takes to say anything */
const RECENT = 200
const FEW = 5

/** Working seconds a question waits for its answer on average; 0 while too few were answered to say so. */
export async function averageReply(db: Db): Promise<number> {
  const newest = db
    .selectFrom('chat_messages')
    .select('waited')
    .where('waited', 'is not', null)
    .orderBy('at', 'desc')
    .limit(RECENT)
  const { n, mean } = await db
    .selectFrom(newest.as('m'))
    .select((e) => [e.fn.countAll<number>().as('n'), e.fn.avg<number | null>('waited').as('mean')])
    .executeTakeFirstOrThrow()
  return Number(n) < FEW ? 0 : Math.max(1, Math.round(Number(mean) / 1000))
}

interface Away {
  chat: { user_id: string; user_seq: number; last_seq: number; seen_at: number }
  body: string
  now: number
}

/** One message in the box for all answers that wait to be seen. */
async function tellAway(tx: Db, { chat, body, now }: Away) {
  if (chat.seen_at > now - LOOKING) return
  const told = await tx
    .selectFrom('chat_messages')
    .select('seq')
    .where('user_id', '=', chat.user_id)
    .where('sender', '=', 'STAFF')
    .where('seq', '>', chat.user_seq)
    .where('seq', '<=', chat.last_seq)
    .executeTakeFirst()
  if (told) return
  await notify(tx, {
    userId: chat.user_id,
    type: 'SYSTEM',
    title: '顾问回复了您的咨询',
    summary: body.length > 60 ? `${body.slice(0, 60)}…` : body,
    bizType: 'SYSTEM',
    link: pageLink(CHAT_PAGE),
    now,
  })
}
