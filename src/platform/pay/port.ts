import type { PayEnv } from '@/contract/labels'
import type { Res } from '@/contract/types'

/** Answer of `payment`: parameters, a URL or a form, depending on the channel. */
export type PayOrder = Res<'pay', 'payment'>

/**
 * Result reported by the host's cashier: only a hint, `pay/result` is authoritative.
 * `left`: external cashier, which reports nothing on return.
 */
export type PayHint = 'done' | 'cancelled' | 'failed' | 'left'

export interface Payments {
  /** Payment environment, by which the server selects channels. */
  env(): PayEnv
  /**
   * Opens the cashier. Must be the last action of a tap handler.
   * @param iosPayParams payment parameters of the iOS app, which then opens its own cashier
   */
  start(order: PayOrder, iosPayParams?: Record<string, string>): Promise<PayHint>
  /** Absolute URL to which an external cashier returns; undefined if there is none. */
  returnUrl(path: string): string | undefined
  /**
   * After an external payment, goes back to the page that opened the cashier, so that "back" cannot reopen
   * it. That page is reloaded. @returns false if there was nothing to go back to
   */
  leaveBehind(): boolean
}

/** WeChat's results: `…:ok`, `…:fail cancel` or `…:cancel`; anything else is a failure. */
export function hintOf(words: string | undefined): PayHint {
  if (words && /:ok$/.test(words)) return 'done'
  return words && /cancel/i.test(words) ? 'cancelled' : 'failed'
}
