/** A WeChat user: an openid belongs to one app, a unionid to all apps of one operator. */
export interface WechatUser {
  appId: string
  openid: string
  unionid?: string
}

/** Content of a one-time message of the mini-program. */
export interface Reminder {
  openid: string
  title: string
  summary: string
  /** ms */
  at: number
  /** page of the app, with its parameters */
  page: string
}

/** Context of a text: a user's name, or a comment. */
export type TextKind = 'PROFILE' | 'COMMENT'

/** The calls to WeChat we need. Codes come from the user's WeChat app, work once and expire within minutes. */
export interface WechatPort {
  /** which logins are configured */
  readonly enabledLogins: { readonly mini: boolean; readonly web: boolean }
  /** User of a login code of the mini-program. @throws WechatRejected, WechatUnavailable */
  session(loginCode: string): Promise<WechatUser & { sessionKey: string }>
  /** Mobile number of a code from the phone button, 11 digits. @throws WechatRejected, WechatUnavailable */
  phone(phoneCode: string): Promise<string>
  /** Address for silent authorisation in WeChat's browser; it redirects to `redirectUri` with code and state. */
  authorizeUrl(params: { redirectUri: string; state: string }): string
  /** User of a code from that redirect. @throws WechatRejected, WechatUnavailable */
  webUser(code: string): Promise<WechatUser>
  /** The mini-program whose users can be sent reminders; undefined if no template is configured. */
  readonly reminderAppId: string | undefined
  /** Sends a message that the user allowed once. @throws WechatRejected for this user or content, WechatUnavailable */
  remind(reminder: Reminder): Promise<void>
  /**
   * Reports an ordinary payment, by WeChat Pay's transaction number and its payer, as delivered at a time (ms).
   * @throws WechatRejected, also if it was reported before; WechatUnavailable
   */
  shipped(shipment: { txn: string; openid: string; what: string; at: number }): Promise<void>
  /** The mini-program whose users' texts can be checked; undefined if there is none. */
  readonly checksTextsOf: string | undefined
  /**
   * Whether the text may be shown to others. @throws WechatRejected if this user's texts cannot be checked now,
   * WechatUnavailable
   */
  isTextFine(check: { openid: string; text: string; kind: TextKind }): Promise<boolean>
  /** Ticket with which pages in WeChat's browser sign, and its app. @throws WechatRejected, WechatUnavailable */
  jsTicket(): Promise<{ appId: string; ticket: string }>
}

/** WeChat rejected the call: the code is wrong, expired or used. A new one may work. */
export class WechatRejected extends Error {
  override name = 'WechatRejected'
  constructor(
    readonly errcode: number,
    /** text for the user, if there is more to say than "try again" */
    readonly why?: string,
  ) {
    super(`wechat refused: ${errcode}`)
  }
}

/** WeChat cannot be reached, is overloaded, or rejects our credentials: the outcome is unknown, retry later. */
export class WechatUnavailable extends Error {
  override name = 'WechatUnavailable'
}

/** Wrong id or secret, IP address not allowed, or missing permission: fails until the operator fixes it. */
export class WechatMisconfigured extends WechatUnavailable {
  override name = 'WechatMisconfigured'
}
