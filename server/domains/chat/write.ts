import type { Selectable } from 'kysely'
import type { ChatCard, ChatMessage } from '@/contract/types'
import type { Db } from '../../db/database'
import type { ChatMessagesTable, ChatsTable } from '../../db/tables'

export type ChatRow = Selectable<ChatMessagesTable>
type Chat = Selectable<ChatsTable>

export interface NewMessage {
  type: ChatMessage['type']
  sender: ChatMessage['from']
  body?: string
  image?: string
  card?: ChatCard
  clientId?: string
  staffId?: string
  nick?: string
  /** working ms since the question it answers */
  waited?: number
}

/** The user's conversation, begun when there is none; nobody else adds to it until the transaction is over. */
export async function lockChat(tx: Db, userId: string, now: number): Promise<Chat> {
  return tx
    .insertInto('chats')
    .values({ user_id: userId, changed_at: now })
    .onConflict((c) => c.column('user_id').doUpdateSet({ changed_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What was stored under the sender's own name for it. */
export const sentBefore = (tx: Db, userId: string, clientId: string): Promise<ChatRow | undefined> =>
  tx
    .selectFrom('chat_messages')
    .selectAll()
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()

/** Adds to a locked conversation, in this order; `change` is what else becomes of it. */
export async function addMessages(
  tx: Db,
  chat: Chat,
  given: readonly NewMessage[],
  change: Partial<Pick<Chat, 'waiting_since' | 'told_until' | 'staff_seq'>>,
): Promise<ChatRow[]> {
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
        client_id: m.clientId ?? null,
        waited: m.waited ?? null,
        at: chat.changed_at,
      })),
    )
    .returningAll()
    .execute()
  await tx
    .updateTable('chats')
    .set({ last_seq: chat.last_seq + given.length, ...change })
    .where('user_id', '=', chat.user_id)
    .execute()
  return rows
}
