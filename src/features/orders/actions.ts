import { orderActionText } from '@/contract/labels'
import type { Order, OrderAction } from '@/contract/types'
import { nav } from '@/router/nav'
import { copy } from './copy'

/** What the page lends to a button: its sheets, its calls, and what is for sale here. */
export interface Tools {
  /** product 4.1: without prices no pay word is shown either */
  prices: boolean
  payOpen: boolean
  ask(sheet: 'order' | 'cancel' | 'refund' | 'supply' | 'recheck', order: Order): void
  urge(order: Order): void
  remove(order: Order): void
  compare(order: Order): void
}

interface Behaviour {
  run(order: Order, tools: Tools): void
  text?(order: Order): string | undefined
  /** a word of paying: left out where no prices may be shown */
  pays?: true
}

const fill = ({ gameId, mode }: Order) => void nav.to('evaluationFillInInfo', { gameId, mode })

/**
 * Every button an order can have, in the order of their importance. Which of them an order has is the server's word
 * alone (`actions`).
 */
const table: readonly (readonly [OrderAction, Behaviour])[] = [
  ['PAY', { pays: true, run: ({ orderId }) => void nav.to('humanCheckout', { orderId }) }],
  ['SUPPLY', { run: (order, { ask }) => ask('supply', order) }],
  ['VIEW', { run: ({ orderId }) => void nav.to('report', { orderId }) }],
  [
    'UNLOCK',
    {
      run: ({ orderId }, { payOpen }) =>
        void (payOpen ? nav.to('payment', { orderId }) : nav.to('reportUnlockInvite', { orderId })),
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
      text: ({ mode }) => (mode === 'MANUAL' ? copy.recheck : undefined),
      run: (order, { ask }) => (order.mode === 'MANUAL' ? ask('recheck', order) : fill(order)),
    },
  ],
  ['COMPARE', { run: (order, { compare }) => compare(order) }],
  ['SELL', { run: ({ gameId, reportNo }) => void nav.to('listingGuidelines', { gameId, reportNo }) }],
  ['CANCEL', { run: (order, { ask }) => ask('cancel', order) }],
  ['REFUND', { run: (order, { ask }) => ask('refund', order) }],
  ['DELETE', { run: (order, { remove }) => remove(order) }],
]

export interface OrderButton {
  action: OrderAction
  text: string
  onClick: () => void
}

/** The buttons of an order, most important first. */
export function buttonsOf(order: Order, tools: Tools): OrderButton[] {
  return table
    .filter(([action, { pays }]) => order.actions.includes(action) && (tools.prices || !pays))
    .map(([action, { run, text }]) => ({
      action,
      text: text?.(order) ?? orderActionText[action],
      onClick: () => run(order, tools),
    }))
}
