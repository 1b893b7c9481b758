import { sql } from 'kysely'
import type { ChatMessage, ChatPage, Req } from '@/contract/types'
import { AppError } from '../../core/app-error'
import type { Deps, UserCtx } from '../../core/context'
import { isLive } from '../accounts/login/sessions'
import { orderTitle, type TitledChatRow } from './write'

/** messages per response */
const PAGE = 30
/** ms a request is held open; below the timeouts of proxies and of the app */
const LONG_POLL_MS = 25_000

/** A stored message as sent to its user. */
export async function toMessage({ providers: { storage }, clock }: Deps, m: TitledChatRow): Promise<ChatMessage> {
  return {
    seq: m.seq,
    type: m.type,
    from: m.sender,
    text: m.body,
    at: m.at,
    ...(m.nick !== null && { nick: m.nick }),
    ...(m.image !== null && { url: await storage.readUrl(m.image, clock.now()) }),
    ...(m.card !== null && { card: m.card }),
    ...(m.order_id !== null && { orderId: m.order_id, orderTitle: m.order_title ?? '' }),
    ...(m.sender === 'USER' && m.client_id !== null && { clientId: m.client_id }),
  }
}

const stateOf = ({ db, userId }: UserCtx) =>
  db.selectFrom('chats').select(['last_seq', 'staff_seq']).where('user_id', '=', userId).executeTakeFirst()

/** Records that the user has the chat open and has received messages up to `seq`. */
const recordRead = ({ db, userId, clock }: UserCtx, seq: number) =>
  db
    .updateTable('chats')
    .set({ user_seq: sql<number>`greatest(user_seq, least(last_seq, ${seq}::integer))`, seen_at: clock.now() })
    .where('user_id', '=', userId)
    .execute()

async function listOf({ db, userId }: UserCtx, { after, before }: Req<'chat', 'messages'>): Promise<TitledChatRow[]> {
  const all = db.selectFrom('chat_messages').selectAll().select(orderTitle).where('user_id', '=', userId).limit(PAGE)
  if (after !== undefined) return all.where('seq', '>', after).orderBy('seq').execute()
  const newest = before === undefined ? all : all.where('seq', '<', before)
  return (await newest.orderBy('seq', 'desc').execute()).reverse()
}

/**
 * Messages of the user's conversation: the newest, those before a number, or those after one. The last can wait for new
 * messages (`wait`), which is how the app receives replies.
 * @throws AppError NOT_LOGGED_IN when the session ended during the wait
 */
export async function readMessages(ctx: UserCtx, req: Req<'chat', 'messages'>): Promise<ChatPage> {
  const { after, readSeq = 0, wait } = req
  let state = await stateOf(ctx)
  if (after !== undefined) {
    await recordRead(ctx, after)
    const news = state && (state.last_seq > after || state.staff_seq !== readSeq)
    if (wait && !news) {
      const { userId, sessionId } = ctx
      await ctx.chatNotifier.wait({ userId, sessionId, seq: after, readSeq }, LONG_POLL_MS)
      // the session may have ended while the request was held: it must not receive newer messages
      if (!(await isLive(ctx.db, sessionId, ctx.clock.now()))) throw new AppError('NOT_LOGGED_IN')
      state = await stateOf(ctx)
    }
  }
  const rows = await listOf(ctx, req)
  const list = await Promise.all(rows.map((row) => toMessage(ctx, row)))
  return { list, readSeq: state?.staff_seq ?? 0, earlier: (list[0]?.seq ?? 1) > 1 }
}
