import { sql } from 'kysely'
import { CHAT_TEXT_MAX } from '@/contract/constants'
import { CHAT_PAGE } from '@/contract/pages'
import { visibleText } from '@/contract/rules'
import { AppError, invalid } from '../../core/app-error'
import type { Db } from '../../db/database'
import { notify } from '../accounts/notifications/send'
import { closeQuestion } from '../orders/appraising/questions'
import { contactIssue, secretIssue } from '../shared/contact-details'
import { CLOCK_TOLERANCE_MS } from '../shared/due'
import { lockUsers } from '../shared/locks'
import { pageLink } from '../shared/page-link'
import { workingTimeFrom } from '../shared/working-hours'
import { maskPersonalData } from './mask'
import { addMessages, type ChatRow, findDuplicateMessage, lockChat } from './write'

/** rows per page: conversations, and messages of one conversation */
const PAGE_ROWS = 50
const SHOWN = 100
/** ms since the user's chat was last open in which a reply causes no notification */
const PRESENCE_MS = 60_000

/** SQL over `chat_messages m`: for staff; a question on an order is answered on the order's page, and open only there. */
const isForStaff = sql<boolean>`m.order_id is null`

/** Conversations with their newest message: unanswered ones first, the longest wait on top, then the newest. */
export const conversations = (db: Db) =>
  db
    .selectFrom('chats as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom('chat_messages as m')
          .select(['m.type', 'm.body', 'm.sender', 'm.at'])
          .whereRef('m.user_id', '=', 'c.user_id')
          .where(isForStaff)
          .orderBy('m.seq', 'desc')
          .limit(1)
          .as('newest'),
      (j) => j.onTrue(),
    )
    .select(['c.user_id', 'c.waiting_since', 'u.nickname', 'newest.type', 'newest.body', 'newest.sender', 'newest.at'])
    .select(
      sql<number>`(select count(*) from chat_messages m
        where m.user_id = c.user_id and m.sender = 'USER' and m.seq > c.staff_seq and ${isForStaff})`.as('unread'),
    )
    .orderBy(sql`c.waiting_since nulls last`)
    .orderBy('c.changed_at', 'desc')
    .limit(PAGE_ROWS)
    .execute()

const noConversation = () => new AppError('NOT_FOUND', { msg: '没有这个会话' })

/** The newest messages of a conversation, in ascending order. @throws AppError NOT_FOUND, also when there is none */
export async function conversation(db: Db, userId: string) {
  const chat = await db
    .selectFrom('chats as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .select(['c.user_id', 'c.user_seq', 'c.waiting_since', 'u.nickname'])
    .where('c.user_id', '=', userId)
    .executeTakeFirst()
  if (!chat) throw noConversation()
  const rows: ChatRow[] = await db
    .selectFrom('chat_messages as m')
    .selectAll('m')
    .where('m.user_id', '=', userId)
    .where(isForStaff)
    .orderBy('m.seq', 'desc')
    .limit(SHOWN)
    .execute()
  if (rows.length === 0) throw noConversation()
  return { ...chat, messages: rows.reverse() }
}

export type Conversation = Awaited<ReturnType<typeof conversation>>

/** Questions on an order to its appraiser and their answers, oldest first. */
export const questionsOf = (db: Db, orderId: string): Promise<ChatRow[]> =>
  db.selectFrom('chat_messages').selectAll().where('order_id', '=', orderId).orderBy('seq').limit(SHOWN).execute()

/** Marks a conversation as needing no answer (a thank you). @returns false when none is pending */
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

/** Records how far the staff has read; shown to the user. */
export const markRead = (db: Db, userId: string, seq: number) =>
  db.updateTable('chats').set({ staff_seq: seq }).where('user_id', '=', userId).where('staff_seq', '<', seq).execute()

export interface Reply {
  userId: string
  staff: { staffId: string; nick: string }
  /** empty when only a picture is sent */
  text: string
  /** answers the questions on this order as its appraiser */
  order?: { id: string; title: string }
  /** a stored picture of this conversation */
  image?: string | undefined
  /** idempotency id from the form */
  clientId: string
  now: number
}

function checked({ text, image, clientId }: Reply): string {
  const { text: body } = maskPersonalData(text.trim())
  if ((visibleText(body) === '' && !image) || body.length > CHAT_TEXT_MAX)
    throw invalid([{ path: 'text', msg: `请填写回复（1-${CHAT_TEXT_MAX} 字）或选择图片，用户会看到` }])
  const msg = contactIssue(text) ?? secretIssue(text)
  if (msg) throw invalid([{ path: 'text', msg }])
  if (!/^[\w-]{8,60}$/.test(clientId)) throw invalid([{ path: 'text', msg: '页面已过期，请刷新后再发送' }])
  return body
}

/**
 * Sends a reply as text, picture or both, and a notification when the chat is not open. Call in a transaction.
 * @returns false when it was sent before
 * @throws AppError VALIDATION_FAILED, NOT_FOUND
 */
export async function replyChat(tx: Db, reply: Reply): Promise<boolean> {
  const { userId, staff, order, image, clientId, now } = reply
  const body = checked(reply)
  // lock order: the user before the conversation; an account that was merged has no conversation any more
  await lockUsers(tx, [userId])
  const begun = await tx.selectFrom('chats').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  if (!begun) throw noConversation()
  const chat = await lockChat(tx, userId, now)
  if (await findDuplicateMessage(tx, userId, clientId)) return false
  if (order) await closeQuestion(tx, order.id)
  const asked = order ? null : chat.waiting_since
  const waited = asked === null ? undefined : Math.max(0, now - workingTimeFrom(asked, 0))
  const by = { sender: 'STAFF', staffId: staff.staffId, nick: staff.nick, orderId: order?.id } as const
  const words = body === '' ? [] : [{ ...by, type: 'TEXT', body } as const]
  const picture = image ? [{ ...by, type: 'IMAGE', image } as const] : []
  const messages = [...words, ...picture].map((m, i) => (i === 0 ? { ...m, clientId, waited } : m))
  await addMessages(tx, chat, messages, {
    ...(!order && { waiting_since: null }),
    staff_seq: chat.last_seq + messages.length,
  })
  await notifyIfAway(tx, { chat, body: body || '［图片］', order, now })
  return true
}

/** answers averaged for the usual response time: the newest ones, and the minimum needed */
const RECENT = 200
const MIN_ANSWERED = 5

/** Average response time in working seconds; 0 while there are too few answers. */
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
  return Number(n) < MIN_ANSWERED ? 0 : Math.max(1, Math.round(Number(mean) / 1000))
}

interface Away {
  chat: { user_id: string; user_seq: number; last_seq: number; seen_at: number }
  body: string
  order: Reply['order']
  now: number
}

/** One notification for all unread replies of staff, and for those on each order. */
async function notifyIfAway(tx: Db, { chat, body, order, now }: Away) {
  if (chat.seen_at > now - PRESENCE_MS && chat.seen_at <= now + CLOCK_TOLERANCE_MS) return
  const sent = await tx
    .selectFrom('chat_messages')
    .select('seq')
    .where('user_id', '=', chat.user_id)
    .where('sender', '=', 'STAFF')
    .where('order_id', 'is not distinct from', order?.id ?? null)
    .where('seq', '>', chat.user_seq)
    .where('seq', '<=', chat.last_seq)
    .executeTakeFirst()
  if (sent) return
  await notify(tx, {
    userId: chat.user_id,
    type: 'SYSTEM',
    title: order ? '估价师回答了您的提问' : '顾问回复了您的咨询',
    summary: `${order ? `“${order.title}”：` : ''}${body.length > 60 ? `${body.slice(0, 60)}…` : body}`,
    bizType: 'SYSTEM',
    link: pageLink(CHAT_PAGE, order ? { orderId: order.id, ask: '1' } : {}),
    now,
  })
}
