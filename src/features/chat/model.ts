import type { ChatCard, ChatMessage, Order } from '@/contract/types'

/** A message being sent; `clientId` is the same for every attempt, so that retries are idempotent. */
export interface OutgoingMessage {
  clientId: string
  type: 'TEXT' | 'IMAGE' | 'ORDER_CARD' | 'REPORT_CARD'
  /** payload for the server; for a picture only once it is uploaded */
  content: string
  /** the chosen picture on this device */
  src?: string
  card?: ChatCard
  /** a question to the appraiser of this order */
  orderId?: string | undefined
  state: 'sending' | 'failed'
  reason?: string
  at: number
}

/** Merges messages without duplicates, in the conversation's order. */
export function mergeMessages(before: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const bySeq = new Map([...before, ...more].map((m) => [m.seq, m]))
  return [...bySeq.values()].sort((a, b) => a.seq - b.seq)
}

/** Outgoing messages that the server has not returned yet. */
export function pendingMessages(out: readonly OutgoingMessage[], messages: readonly ChatMessage[]): OutgoingMessage[] {
  const arrived = new Set(messages.map(({ clientId }) => clientId))
  return out.filter(({ clientId }) => !arrived.has(clientId))
}

/** silence after which a timestamp is shown */
const TIMESTAMP_GAP_MS = 5 * 60_000

/** Whether a timestamp is shown above the message. */
export const startsTimeGroup = (before: { at: number } | undefined, { at }: { at: number }) =>
  !before || at - before.at > TIMESTAMP_GAP_MS

/** Card for an order, referring to its report if it has one. */
export function orderCard({ orderId, reportNo, gameName, title, mode, statusText }: Order) {
  const card: ChatCard = { orderId, gameName, title, mode, statusText, ...(reportNo && { reportNo }) }
  return { type: reportNo ? 'REPORT_CARD' : 'ORDER_CARD', content: orderId, card } as const
}

/** Element id, the target for scrolling. */
export const elementIdOf = (m: ChatMessage | OutgoingMessage) => ('seq' in m ? `m${m.seq}` : `o${m.clientId}`)
