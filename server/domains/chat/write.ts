import { type Selectable, sql } from 'kysely'
import type { ChatCard, ChatMessage } from '@/contract/types'
import type { Db } from '../../db/database'
import type { ChatMessages, Chats } from '../../db/tables'

export type ChatRow = Selectable<ChatMessages>
/** A message with the title of the order that it asks about, as its user sees it. */
export type TitledChatRow = ChatRow & { order_title: string | null }
type Chat = Selectable<Chats>

export interface NewMessage {
  type: ChatMessage['type']
  sender: ChatMessage['from']
  body?: string
  image?: string
  card?: ChatCard
  /** a question to the appraiser of this order, or their answer */
  orderId?: string | undefined
  clientId?: string
  staffId?: string
  nick?: string
  /** working ms since the question */
  waited?: number
}

/** The user's conversation, created if missing, and locked until the transaction ends. */
export async function lockChat(tx: Db, userId: string, now: number): Promise<Chat> {
  return tx
    .insertInto('chats')
    .values({ user_id: userId, changed_at: now })
    .onConflict((c) => c.column('user_id').doUpdateSet({ changed_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** SQL over `chat_messages` */
export const orderTitle = sql<
  string | null
>`(select orders.title from orders where orders.id = chat_messages.order_id)`.as('order_title')

/** The message stored under the client's id. */
export const findDuplicateMessage = (tx: Db, userId: string, clientId: string): Promise<TitledChatRow | undefined> =>
  tx
    .selectFrom('chat_messages')
    .selectAll()
    .select(orderTitle)
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()

/** Appends messages to a locked conversation in order; `change` updates further columns of its row. */
export async function addMessages(
  tx: Db,
  chat: Chat,
  given: readonly NewMessage[],
  change: Partial<Pick<Chat, 'waiting_since' | 'told_until' | 'staff_seq'>>,
): Promise<TitledChatRow[]> {
  const rows = await tx
    .insertInto('chat_messages')
    .values(
      given.map((m, i) => ({
        user_id: chat.user_id,
        seq: chat.last_seq + 1 + i,
        type: m.type,
        sender: m.sender,
        staff_id: m.staffId ?? null,
        nick: m.nick ?? null,
        body: m.body ?? '',
        image: m.image ?? null,
        card: m.card ? JSON.stringify(m.card) : null,
        order_id: m.orderId ?? null,
        client_id: m.clientId ?? null,
        waited: m.waited ?? null,
        at: chat.changed_at,
      })),
    )
    .returningAll()
    .returning(orderTitle)
    .execute()
  await tx
    .updateTable('chats')
    .set({ last_seq: chat.last_seq + given.length, ...change })
    .where('user_id', '=', chat.user_id)
    .execute()
  return rows
}
