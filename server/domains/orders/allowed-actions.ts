import { type AiOrderStatus, isFreeRevaluation, type ManualOrderStatus, type OrderStatus } from '@/contract/orderStatus'
import type { OrderAction } from '@/contract/types'
import { CLOCK_TOLERANCE_MS } from '../shared/due'
import { QUESTION_PERIOD_MS, RATING_PERIOD_MS, URGE_INTERVAL_MS } from './periods'

const ended: OrderAction[] = ['REVALUE', 'DELETE']

const aiActions: { readonly [S in AiOrderStatus]: readonly OrderAction[] } = {
  WAIT_AUTH: ['RETRY_AUTH', 'CANCEL'],
  PROCESSING: [],
  FAILED: ['RETRY_AUTH', 'REVALUE'],
  INSUFFICIENT: ['REVALUE'],
  REPORTED: ['PAY', 'VIEW', 'UNLOCK', 'EVALUATE', 'COMPARE'],
  UNLOCKED: ['VIEW', 'EVALUATE', 'COMPARE', 'SELL', 'REFUND'],
  REFUNDING: [],
  DONE: ['VIEW', 'REVALUE', 'EVALUATE', 'COMPARE', 'SELL', 'DELETE'],
  EXPIRED: ['VIEW', 'REVALUE', 'EVALUATE', 'COMPARE', 'DELETE'],
  REFUNDED: ended,
  CANCELED: ended,
  CLOSED: ended,
}

const manualActions: { readonly [S in ManualOrderStatus]: readonly OrderAction[] } = {
  UNPAID: ['PAY', 'CANCEL'],
  PAID: ['URGE', 'CANCEL'],
  ASSIGNED: ['URGE', 'CANCEL'],
  WAIT_INFO: ['SUPPLY', 'CANCEL'],
  REPORTED: ['VIEW', 'EVALUATE', 'REVALUE', 'ASK', 'COMPARE', 'SELL'],
  REVALUING: ['VIEW', 'URGE', 'ASK'],
  REFUNDING: [],
  DONE: ['VIEW', 'REVALUE', 'EVALUATE', 'ASK', 'COMPARE', 'SELL', 'DELETE'],
  REFUNDED: ended,
  CANCELED: ended,
  CLOSED: ended,
}

/** Columns of an order that determine its buttons. */
export interface ActionState {
  mode: 'AI' | 'MANUAL'
  status: OrderStatus
  pay_status: string
  pay_fen: number
  reported_at: number | null
  report_no: string | null
  refund_answer: string | null
  revalued: boolean
  urged_at: number | null
  evaluated_at: number | null
  added_at: number | null
  /** a payment that unlocks a report was begun and can still be made */
  unlock_begun: boolean
}

/** Conditions besides the status. After a refused refund the button is replaced by customer service. */
const conditions: { readonly [A in OrderAction]?: (o: ActionState, now: number) => boolean } = {
  PAY: (o) => o.mode === 'MANUAL' || o.unlock_begun,
  VIEW: (o) => o.report_no !== null,
  CANCEL: (o) => o.refund_answer === null,
  REFUND: (o) => o.refund_answer === null && o.pay_status === 'PAID' && o.pay_fen > 0,
  REVALUE: (o) => !isFreeRevaluation(o) || !o.revalued,
  URGE: ({ urged_at: at }, now) => at === null || at + URGE_INTERVAL_MS <= now || at > now + CLOCK_TOLERANCE_MS,
  ASK: (o, now) => (o.reported_at ?? 0) + QUESTION_PERIOD_MS > now,
  // an owner rates once and may add to it once
  EVALUATE: (o, now) => o.added_at === null && (o.reported_at ?? 0) + RATING_PERIOD_MS > now,
}

/** Actions the user may take on an order now. The client shows exactly these buttons. */
export function actionsOf(o: ActionState, now: number): OrderAction[] {
  const actions = o.mode === 'AI' ? aiActions[o.status as AiOrderStatus] : manualActions[o.status as ManualOrderStatus]
  return actions.filter((action) => conditions[action]?.(o, now) ?? true)
}
