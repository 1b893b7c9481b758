/** Somebody as WeChat knows them: an openid belongs to one app, a unionid to all apps of one operator. */
export interface WechatUser {
  appId: string
  openid: string
  unionid?: string
}

/** What a one-time message of the mini-program says. */
export interface Reminder {
  openid: string
  title: string
  summary: string
  /** ms */
  at: number
  /** page of the app with its parameters */
  page: string
}

/** What was paid for in the mini-program and is delivered. */
export interface Shipment {
  /** WeChat Pay's number of the payment */
  txn: string
  /** the payer */
  openid: string
  /** in words */
  what: string
  /** ms */
  at: number
}

/** Where a text stands: at a person's name, or in what they say of something. */
export type TextKind = 'PROFILE' | 'COMMENT'

/** What we ask of WeChat. Codes come from the person's WeChat, work once and live for minutes. */
export interface WechatPort {
  /** the logins that are set up here */
  readonly offers: { readonly mini: boolean; readonly web: boolean }
  /** Whose login code of the mini-program it is. @throws WechatRefused, WechatDown */
  session(loginCode: string): Promise<WechatUser & { sessionKey: string }>
  /** The number behind a code of the phone button, 11 digits. @throws WechatRefused, WechatDown */
  phone(phoneCode: string): Promise<string>
  /** Where WeChat's browser proves who it is, without asking; it comes back to `redirectUri` with code and state. */
  authorizeUrl(wish: { redirectUri: string; state: string; origin: string }): string
  /** Whose code from there it is. @throws WechatRefused, WechatDown */
  webUser(code: string): Promise<WechatUser>
  /** The mini-program whose people can be reminded; undefined while no template is set up. */
  readonly reminds: string | undefined
  /** Sends somebody a message they allowed once. @throws WechatRefused not to this person or not like this, WechatDown */
  remind(reminder: Reminder): Promise<void>
  /** Reports an ordinary payment as delivered. @throws WechatRefused, also when that is known already; WechatDown */
  shipped(shipment: Shipment): Promise<void>
  /** The mini-program whose people's texts can be judged; undefined: none. */
  readonly checksTextsOf: string | undefined
  /** Whether others may read it. @throws WechatRefused when this person's cannot be judged now, WechatDown */
  isTextFine(check: { openid: string; text: string; kind: TextKind }): Promise<boolean>
  /** What pages in WeChat's browser sign with, and the app it belongs to. @throws WechatRefused, WechatDown */
  jsTicket(): Promise<{ appId: string; ticket: string }>
}

/** WeChat understood and said no: the code is wrong, old or used. A new one may work. */
export class WechatRefused extends Error {
  override name = 'WechatRefused'
  constructor(
    readonly errcode: number,
    /** for the person, when there is more to say than "try again" */
    readonly why?: string,
  ) {
    super(`wechat refused: ${errcode}`)
  }
}

/** WeChat could not be asked, is too busy, or does not know us: nothing is known, ask later. */
export class WechatDown extends Error {
  override name = 'WechatDown'
}

/** Id, secret, this machine's address or a right at WeChat is not what it should be: it stays so until the operator mends it. */
export class WechatMisset extends WechatDown {
  override name = 'WechatMisset'
}
