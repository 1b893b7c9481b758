import type { PayEnv } from '@/contract/labels'
import type { Res } from '@/contract/types'

/** What the server answers to `payment`: parameters, an address or a form, by channel. */
export type PayOrder = Res<'pay', 'payment'>

/**
 * How the host's cashier ended, as it says itself. A hint and never proof: what counts is `pay/result`.
 * `left`: the cashier is outside, the person comes back without telling us anything.
 */
export type PayHint = 'done' | 'cancelled' | 'failed' | 'left'

export interface Payments {
  /** Where this page runs; the server offers the channels that work there. */
  env(): PayEnv
  /**
   * Opens the cashier. Call it as the last thing of a tap.
   * @param shell what the iOS shell has handed over for paying: then its own cashier opens, where it has one
   */
  start(order: PayOrder, shell?: Record<string, string>): Promise<PayHint>
  /** The full address an outside cashier sends the person back to; undefined where there is none. */
  returnUrl(path: string): string | undefined
  /**
   * Paid in a cashier outside: takes the browser back to the page it was opened from, so that "back" never opens it
   * again. That page begins anew. False where nothing is to be taken back.
   */
  leaveBehind(): boolean
}

/** WeChat's words for its three ends: `…:ok`, `…:fail cancel` or `…:cancel`, anything else failed. */
export function hintOf(words: string | undefined): PayHint {
  if (words && /:ok$/.test(words)) return 'done'
  return words && /cancel/i.test(words) ? 'cancelled' : 'failed'
}
