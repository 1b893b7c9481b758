/** Calls of the group `chat` (product 2.9). */
import { Type } from 'typebox'
import { CHAT_TEXT_MAX } from '../constants'
import { chatSenderText, chatTypeText, modeText, sendableChatText } from '../labels'
import { At, Bool, Int, idOf, obj, oneOf, opt, Str, text } from './common'
import type { GroupSchemas } from './shape'

const Seq = Type.Integer({ title: '消息序号', minimum: 0, maximum: 2_000_000_000 })

/** An order that is talked about, as it was when it was sent; with a `reportNo` it is about its report. */
export const ChatCard = obj({
  orderId: Str,
  reportNo: opt(Str),
  gameName: Str,
  title: Str,
  mode: oneOf(modeText),
  statusText: Str,
})

export const ChatMessage = obj({
  /** place in the conversation: later messages have greater ones, and none comes in between later */
  seq: Int,
  type: oneOf(chatTypeText),
  from: oneOf(chatSenderText),
  /** who of the staff wrote it */
  nick: opt(Str),
  /** TEXT and SYSTEM; empty for the others */
  text: Str,
  /** IMAGE: where it can be seen for a quarter of an hour */
  url: opt(Str),
  /** ORDER_CARD, REPORT_CARD */
  card: opt(ChatCard),
  /** of the user's own: the name the app gave it */
  clientId: opt(Str),
  at: At,
})

export const ChatPage = obj({
  /** the oldest first */
  list: Type.Array(ChatMessage),
  /** the staff has seen everything up to it */
  readSeq: Int,
  /** there is something before the first of the list */
  earlier: Bool,
})

export const chat = {
  messages: {
    req: obj({
      /** only what comes after it; the newest when neither is given */
      after: opt(Seq),
      /** only what came before it */
      before: opt(Seq),
      /** with `after`: answered when there is something new, or after 25 s; at once when too many wait */
      wait: opt(Bool),
      /** what the caller knows as `readSeq`: another value is news, too */
      readSeq: opt(Seq),
    }),
    res: ChatPage,
  },
  send: {
    req: obj({
      /** made by the app for each message: sent twice it is stored once */
      clientId: idOf('消息编号'),
      type: oneOf(sendableChatText, { title: '消息类型' }),
      /** TEXT: what is said; IMAGE: the object key; ORDER_CARD and REPORT_CARD: the order's id */
      content: text('消息', CHAT_TEXT_MAX),
    }),
    res: ChatMessage,
  },
} satisfies GroupSchemas<'chat'>
