import { api } from '@/api'
import { isFreeRevaluation, orderActionText } from '@/contract/orderStatus'
import type { Order, OrderAction } from '@/contract/types'
import { nav } from '@/router/nav'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { copy } from './copy'

/** State and callbacks that the buttons of an order need from their page. */
export interface OrderHandlers {
  /** whether prices may be shown; if not, neither prices nor payment wording appear */
  prices: boolean
  openSheet(sheet: 'order' | 'more' | 'cancel' | 'refund' | 'supply' | 'revaluation', order: Order): void
  urge(order: Order): void
  remove(order: Order): void
  compare(order: Order): void
}

interface ButtonDef {
  run(order: Order, tools: OrderHandlers): void
  text?(order: Order): string | undefined
  /** the button is about payment, so it is hidden where prices may not be shown */
  pays?: true
}

/** Entries of the list do not contain the answers, so the order is loaded first; a failure is shown as a toast. */
export const refillFrom = ({ orderId }: Order) =>
  void api.pay.getInfo({ orderId }).then(
    (order) => openFormWithAnswers(order),
    () => undefined,
  )

/**
 * Every button an order can have, most important first. Which of them an order shows is decided by the server alone
 * (`actions`).
 */
const buttonTable: readonly (readonly [OrderAction, ButtonDef])[] = [
  [
    'PAY',
    {
      pays: true,
      run: ({ orderId, mode }) => void nav.to(mode === 'AI' ? 'payment' : 'humanCheckout', { orderId }),
    },
  ],
  ['SUPPLY', { run: (order, { openSheet }) => openSheet('supply', order) }],
  ['VIEW', { run: ({ orderId }) => void nav.to('report', { orderId }) }],
  [
    'UNLOCK',
    {
      run: ({ orderId }, { prices }) =>
        void (prices ? nav.to('payment', { orderId }) : nav.to('reportUnlockInvite', { orderId })),
    },
  ],
  ['RETRY_AUTH', { run: ({ gameId, orderId }) => void nav.to('evaluationFillInInfoRpaWebview', { gameId, orderId }) }],
  ['URGE', { run: (order, { urge }) => urge(order) }],
  [
    'EVALUATE',
    {
      text: ({ evaluated }) => (evaluated ? copy.added : undefined),
      run: ({ orderId }) => void nav.to('mineEvaluationEvaluate', { orderId }),
    },
  ],
  [
    'REVALUE',
    {
      text: (order) => (isFreeRevaluation(order) ? copy.revaluation : undefined),
      run: (order, { openSheet }) => (isFreeRevaluation(order) ? openSheet('revaluation', order) : refillFrom(order)),
    },
  ],
  ['ASK', { run: ({ orderId }) => void nav.to('chat', { orderId, ask: '1' }) }],
  ['COMPARE', { run: (order, { compare }) => compare(order) }],
  ['SELL', { run: ({ gameId, reportNo }) => void nav.to('listingGuidelines', { gameId, reportNo }) }],
  ['CANCEL', { run: (order, { openSheet }) => openSheet('cancel', order) }],
  ['REFUND', { run: (order, { openSheet }) => openSheet('refund', order) }],
  ['DELETE', { run: (order, { remove }) => remove(order) }],
]

export interface OrderButton {
  action: OrderAction
  text: string
  onClick: () => void
}

/** The buttons of an order, most important first. */
export function orderButtons(order: Order, tools: OrderHandlers): OrderButton[] {
  return buttonTable
    .filter(([action, { pays }]) => order.actions.includes(action) && (tools.prices || !pays))
    .map(([action, { run, text }]) => ({
      action,
      text: text?.(order) ?? orderActionText[action],
      onClick: () => run(order, tools),
    }))
}
