import type { payTypeText } from '@/contract/labels'
import { CHINA_OFFSET_MS } from '@/contract/time'

/** What the user chose; who serves it is decided by `providers.ts`. */
export type PayType = keyof typeof payTypeText
export const providerNames = ['wechat', 'alipay', 'virtual', 'virtual-wechat', 'sandbox'] as const
export type ProviderName = (typeof providerNames)[number]

/** One attempt to pay. Its amount never changes; the provider knows it by `outTradeNo`. */
export interface Intent {
  outTradeNo: string
  payType: PayType
  amountFen: number
  /** what the user reads at the provider, at most 42 characters */
  title: string
  /** ms; the provider takes no money after it */
  expireAt: number
  /** our own address, without a slash at its end */
  origin: string
  /** where the user comes back to */
  returnUrl: string
  ip: string
  /** the payer in WeChat: JSAPI and mini-program */
  openid?: string
  /** the mini-program's session key: virtual payment signs with it */
  sessionKey?: string
}

/** What the client needs to let the user pay: parameters of its own call, an address to open, or a form to post. */
export interface Opened {
  payParams?: Record<string, string>
  jumpUrl?: string
  form?: string
}

/** What the provider knows of an attempt. UNKNOWN: it has never heard of it. */
export type Trade =
  | { state: 'PAID'; txn: string; amountFen: number /** ms, real time; now when left out */; paidAt?: number }
  | { state: 'WAITING' | 'FAILED' | 'CLOSED' | 'UNKNOWN' }

export type Refunded =
  | { state: 'DONE'; refundId: string }
  | { state: 'PROCESSING' | 'UNKNOWN' }
  /** it will never happen by itself: said to the user and to the operator */
  | { state: 'FAILED'; reason: string }

/** LOOK: something happened, but the message does not prove what; ask the provider. */
export type Notice =
  | { kind: 'TRADE'; outTradeNo: string; trade: Trade }
  | { kind: 'REFUND'; refundNo: string; refund: Refunded }
  | { kind: 'LOOK'; outTradeNo: string }

export interface RawNotice {
  headers: Record<string, string | string[] | undefined>
  /** decoded; only messages of the mini-program carry one */
  query: Record<string, string>
  /** exact text */
  body: string
}

export interface RefundOrder {
  /** the same number is the same refund, however often it is asked for */
  refundNo: string
  outTradeNo: string
  amountFen: number
  reason: string
  origin: string
  /** the payer in WeChat, where there is one */
  openid: string | null
}

/** Text a provider wants to read once its message is safe with us. */
export interface Ack {
  type: string
  body: string
}

/** One payment provider. Money is fen. Every call may throw `ProviderDown`. */
export interface PayProvider {
  readonly ack: Ack
  /** What the provider's documents want to read when a message is not taken, so that it is sent again. */
  refusal(message: string): Ack
  /** @throws ProviderRefused when the provider does not take this attempt */
  create(intent: Intent): Promise<Opened>
  query(attempt: { outTradeNo: string; openid: string | null }): Promise<Trade>
  /** Takes no money for the attempt from now on. @throws ProviderRefused when it cannot, for example because it is paid */
  close(outTradeNo: string): Promise<void>
  /** @throws ProviderRefused for a reason that may pass (no balance); FAILED is for good */
  refund(order: RefundOrder): Promise<Refunded>
  queryRefund(order: RefundOrder): Promise<Refunded>
  /**
   * Reads a message of the provider.
   * @throws ForgedNotice unless it is proved to be the provider's and fresh
   * @throws MalformedNotice when it is, but nothing can be learned from it
   */
  notice(raw: RawNotice): Promise<Notice>
  /** Answers the provider's test of our address; undefined when the test is not the provider's. */
  greet?(query: Record<string, string>): string | undefined
}

/** The provider could not be asked or its answer is not proved to be its own: nothing is known, ask again later. */
export class ProviderDown extends Error {
  override name = 'ProviderDown'
}

/** The provider answered no. `code` is its own word for it. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`)
  }
}

/** A message that is not the provider's, or an old one sent again. */
export class ForgedNotice extends Error {
  override name = 'ForgedNotice'
}

/** A message that is the provider's but does not say what it has to: no amount, another currency, another shape. */
export class MalformedNotice extends Error {
  override name = 'MalformedNotice'
}

/** s; a signed message may be this far from our clock */
export const REPLAY_WINDOW = 300

/** ms of `2026-01-31T23:59:59`, China's time unless it says another; undefined when it is none. */
export function momentOf(text: unknown): number | undefined {
  const iso = String(text ?? '').replace(' ', 'T')
  const at = Date.parse(/[+Z]/.test(iso) ? iso : `${iso}+08:00`)
  return Number.isNaN(at) ? undefined : at
}

/** A paid trade; a time that is not given is left out. */
export function paid(txn: string, amountFen: number, at: number | undefined): Trade {
  return { state: 'PAID', txn, amountFen, ...(at !== undefined && { paidAt: at }) }
}

/** Day and time in China as the providers write it: `2026-01-31T23:59:59`. */
export const chinaIso = (at: number): string => new Date(at + CHINA_OFFSET_MS).toISOString().slice(0, 19)
