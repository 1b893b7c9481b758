import { api } from '@/api'
import { keysOf } from '@/contract/labels'
import { isFreeRevaluation, orderActionText } from '@/contract/orderStatus'
import type { Order, OrderAction } from '@/contract/types'
import { nav } from '@/router/nav'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { copy } from './copy'

/** State and callbacks that the buttons of an order need from their page. */
export interface OrderHandlers {
  /** whether prices may be shown; if not, neither prices nor payment wording appear */
  prices: boolean
  openSheet(sheet: 'more' | 'cancel' | 'refund' | 'supply' | 'revaluation', order: Order): void
  urge(order: Order): void
  remove(order: Order): void
  compare(order: Order): void
}

/** Statuses of an order that somebody works on. */
export const RUNNING: readonly Order['status'][] = [
  'WAIT_AUTH',
  'PROCESSING',
  'PAID',
  'ASSIGNED',
  'WAIT_INFO',
  'REVALUING',
]

const isRefund = ({ status }: Order) => status === 'REFUNDING' || status === 'REFUNDED'

/** Opens the report, or the page of the order's next step or end. @param prices false: no page may speak of a payment */
export function openOrder(order: Order, prices: boolean) {
  const { orderId, actions, mode, status } = order
  if (actions.includes('VIEW')) void nav.to('report', { orderId })
  else if (mode === 'AI' && !isRefund(order)) void nav.to('evaluationFillInInfoSuccess', { orderId })
  else if (status !== 'UNPAID') void nav.to('humanPaySuccess', { orderId })
  else if (prices) void nav.to('humanCheckout', { orderId })
}

/** Entries of the list do not contain the answers, so the order is loaded first; a failure is shown as a toast. */
const refillFrom = ({ orderId }: Order) =>
  void api.pay.getInfo({ orderId }).then(
    (order) => openFormWithAnswers(order),
    () => undefined,
  )

type Run = (order: Order, tools: OrderHandlers) => void

/** What every button does, most important first. Which of them an order shows is decided by the server alone (`actions`). */
const runs: Record<OrderAction, Run> = {
  PAY: ({ orderId, mode }) => void nav.to(mode === 'AI' ? 'payment' : 'humanCheckout', { orderId }),
  SUPPLY: (order, { openSheet }) => openSheet('supply', order),
  VIEW: ({ orderId }) => void nav.to('report', { orderId }),
  UNLOCK: ({ orderId }, { prices }) => void nav.to(prices ? 'payment' : 'reportUnlockInvite', { orderId }),
  RETRY_AUTH: ({ gameId, orderId }) => void nav.to('evaluationFillInInfoRpaWebview', { gameId, orderId }),
  URGE: (order, { urge }) => urge(order),
  EVALUATE: ({ orderId }) => void nav.to('mineEvaluationEvaluate', { orderId }),
  REVALUE: (order, { openSheet }) => (isFreeRevaluation(order) ? openSheet('revaluation', order) : refillFrom(order)),
  ASK: ({ orderId }) => void nav.to('chat', { orderId, ask: '1' }),
  COMPARE: (order, { compare }) => compare(order),
  SELL: ({ gameId, reportNo }) => void nav.to('listingGuidelines', { gameId, reportNo }),
  CANCEL: (order, { openSheet }) => openSheet('cancel', order),
  REFUND: (order, { openSheet }) => openSheet('refund', order),
  DELETE: (order, { remove }) => remove(order),
}

function textOf(action: OrderAction, order: Order): string {
  if (action === 'EVALUATE' && order.evaluated) return copy.added
  return action === 'REVALUE' && isFreeRevaluation(order) ? copy.revaluation.title : orderActionText[action]
}

export interface OrderButton {
  action: OrderAction
  text: string
  onClick: () => void
}

/** The buttons of an order, most important first; without that of a payment where prices may not be shown. */
export const orderButtons = (order: Order, tools: OrderHandlers): OrderButton[] =>
  keysOf(runs)
    .filter((action) => order.actions.includes(action) && (tools.prices || action !== 'PAY'))
    .map((action) => ({ action, text: textOf(action, order), onClick: () => runs[action](order, tools) }))
