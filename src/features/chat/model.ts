import type { ChatCard, ChatMessage, Order } from '@/contract/types'

/** A message on its way; `clientId` stays the same however often it is sent. */
export interface OutgoingMessage {
  clientId: string
  type: 'TEXT' | 'IMAGE' | 'ORDER_CARD' | 'REPORT_CARD'
  /** what the server is told; of a picture only once it is uploaded */
  content: string
  /** the chosen picture on this device */
  src?: string
  card?: ChatCard
  state: 'sending' | 'failed'
  reason?: string
  at: number
}

/** Known messages with more of them: each once, in the conversation's order. */
export function mergeMessages(known: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const bySeq = new Map([...known, ...more].map((m) => [m.seq, m]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** What still has to be shown as on its way: a message that came back from the server does not. */
export function pendingMessages(out: readonly OutgoingMessage[], messages: readonly ChatMessage[]): OutgoingMessage[] {
  const arrived = new Set(messages.map(({ clientId }) => clientId))
  return out.filter(({ clientId }) => !arrived.has(clientId))
}

/** ms of silence after which the time is written */
const TIMESTAMP_GAP_MS = 5 * 60_000

/** Whether a message begins a new time of talking. */
export const startsTimeGroup = (before: { at: number } | undefined, { at }: { at: number }) =>
  !before || at - before.at > TIMESTAMP_GAP_MS

/** An order as it is talked about: by its report when it has one. */
export function orderCard({ orderId, reportNo, gameName, title, mode, statusText }: Order) {
  const card: ChatCard = { orderId, gameName, title, mode, statusText, ...(reportNo && { reportNo }) }
  return { type: reportNo ? 'REPORT_CARD' : 'ORDER_CARD', content: orderId, card } as const
}

/** Element ids the list scrolls to. */
export const elementIdOf = (m: ChatMessage | OutgoingMessage) => ('seq' in m ? `m${m.seq}` : `o${m.clientId}`)
