import type { payTypeText } from '@/contract/labels'
import { CHINA_OFFSET_MS } from '@/contract/time'

/** Payment method chosen by the user; `providers.ts` decides which provider serves it. */
export type PayType = keyof typeof payTypeText
export const providerNames = ['wechat', 'alipay', 'virtual', 'virtual-wechat', 'sandbox'] as const
export type ProviderName = (typeof providerNames)[number]

/** One payment attempt. Its amount never changes; the provider identifies it by `outTradeNo`. */
export interface PaymentRequest {
  outTradeNo: string
  payType: PayType
  amountFen: number
  /** title shown by the provider, at most 42 characters */
  title: string
  /** ms; the provider accepts no payment after it */
  expireAt: number
  /** our own origin, without a trailing slash */
  origin: string
  /** where the user returns after paying */
  returnUrl: string
  ip: string
  /** the payer's WeChat id, for JSAPI and mini-program */
  openid?: string
  /** session key of the mini-program, which signs virtual payments */
  sessionKey?: string
}

/**
 * Data with which the client starts the payment: parameters of the platform's call, an address to open, or a form to post.
 */
export interface PaymentStart {
  payParams?: Record<string, string>
  jumpUrl?: string
  form?: string
}

/** ms, real time; now when left out */
export type PaidTrade = { state: 'PAID'; txn: string; amountFen: number; paidAt?: number | undefined }

/**
 * State of an attempt at the provider. REFUNDED: paid, and all or some of it was paid back since. UNKNOWN: the provider has
 * no record of it.
 */
export type Trade =
  | PaidTrade
  /**
   * `refundedFen`: what was paid back under this `refundId`, undefined if the provider does not say; without it and `paid`
   * it is all
   */
  | { state: 'REFUNDED'; refundId: string; paid?: PaidTrade; refundedFen?: number | undefined }
  | { state: 'WAITING' | 'FAILED' | 'CLOSED' | 'UNKNOWN' }

export type RefundResult =
  | { state: 'DONE'; refundId: string }
  | { state: 'PROCESSING' | 'UNKNOWN' }
  /** final; the reason is shown to the user and the operator */
  | { state: 'FAILED'; reason: string }

/**
 * QUERY: the message is genuine but not proof of its content, so the provider must be queried; with `refundedAt`, when the
 * message was made (ms, real time), until a refund shows. INQUIRY: whether the provider should grant a refund that the payer has requested from it.
 */
export type ProviderNotification =
  | { kind: 'TRADE'; outTradeNo: string; trade: Trade }
  /** `trade`: the payment, for a refund that we did not request */
  | { kind: 'REFUND'; refundNo: string; refund: RefundResult; trade: { outTradeNo: string; trade: Trade } }
  | { kind: 'QUERY'; outTradeNo: string; refundedAt?: number }
  | { kind: 'INQUIRY'; outTradeNo: string }

export type RefundNotification = Extract<ProviderNotification, { kind: 'REFUND' }>

export interface RawNotification {
  headers: Record<string, string | string[] | undefined>
  /** decoded; only messages of the mini-program have one */
  query: Record<string, string>
  /** exact text */
  body: string
}

export interface RefundOrder {
  /** idempotency key: repeated requests with it are one refund */
  refundNo: string
  outTradeNo: string
  amountFen: number
  reason: string
  origin: string
  /** the payer's WeChat id, if there is one */
  openid: string | null
}

/** Response a provider expects once its message has been stored. */
export interface Ack {
  type: string
  body: string
}

/** A payment provider. Money is in fen. Every call may throw `ProviderUnavailable`. */
export interface PayProvider {
  readonly ack: Ack
  /** Response to a message that was not accepted, in the provider's format, so that it is sent again. */
  refusal(message: string): Ack
  /** @throws ProviderRejected if the provider rejects the attempt */
  create(intent: PaymentRequest): Promise<PaymentStart>
  query(attempt: { outTradeNo: string; openid: string | null }): Promise<Trade>
  /** Closes the attempt to payment. @throws ProviderRejected if that is impossible, for example because it is paid */
  close(outTradeNo: string): Promise<void>
  /** @throws ProviderRejected for a temporary reason (no balance); FAILED is final */
  refund(order: RefundOrder): Promise<RefundResult>
  queryRefund(order: Pick<RefundOrder, 'refundNo' | 'outTradeNo'>): Promise<RefundResult>
  /** Completed refunds that were requested on a day (ms, its start in China), also those made at the console; from a bill. */
  refundsOn?(day: number): Promise<RefundNotification[]>
  /**
   * Verifies and reads a message of the provider.
   * @throws ForgedNotification unless its signature is valid and recent
   * @throws MalformedNotification if it is genuine but its content is unusable
   */
  parseNotification(raw: RawNotification): Promise<ProviderNotification>
  /** Response to an INQUIRY. @param delivered the payer has received what was paid for */
  refundAdvice?(delivered: boolean): Ack
  /** Response to the provider's check of our callback address; undefined if the request is not genuine. */
  verifyEndpoint?(query: Record<string, string>): string | undefined
}

/** The provider cannot be reached, or its response failed verification: the outcome is unknown, retry later. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable'
}

/** The provider rejected the request. `code` is its error code. */
export class ProviderRejected extends Error {
  override name = 'ProviderRejected'
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`)
  }
}

/** The answer; undefined where the provider refuses with such a code. */
export const unless = <T>(refusal: RegExp, answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof ProviderRejected && refusal.test(error.message)) return undefined
    throw error
  })

/** A message with an invalid signature, or a replayed one. */
export class ForgedNotification extends Error {
  override name = 'ForgedNotification'
}

/** A genuine message with unusable content: missing amount, another currency, another format. */
export class MalformedNotification extends Error {
  override name = 'MalformedNotification'
}

/** fen: the lowest price Apple accepts */
export const VIRTUAL_MIN_FEN = 100

/** s: maximum difference between a signed message's timestamp and our clock */
export const REPLAY_WINDOW = 300

/** ms of `2026-01-31T23:59:59`, in China's time unless it has an offset; undefined if it is malformed. */
export function momentOf(text: unknown): number | undefined {
  const iso = String(text ?? '').replace(' ', 'T')
  const at = Date.parse(/[+Z]/.test(iso) ? iso : `${iso}+08:00`)
  return Number.isNaN(at) ? undefined : at
}

/** Fen of `29.00`, without floating-point arithmetic. */
export function fenOf(text: unknown): number {
  const [, whole, part] = /^(\d{1,9})\.(\d{2})$/.exec(String(text)) ?? []
  if (whole === undefined || part === undefined) throw new ProviderUnavailable('an amount that is none')
  return Number(whole) * 100 + Number(part)
}

/** Date and time in China in the providers' format: `2026-01-31T23:59:59`. */
export const chinaIso = (at: number): string => new Date(at + CHINA_OFFSET_MS).toISOString().slice(0, 19)
